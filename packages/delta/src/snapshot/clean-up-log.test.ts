import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { logFolder, sidecarsFolder } from "../log/log-files.js";
import { localStore } from "../store/local-store.js";
import {
  add,
  metaData,
  PROTOCOL,
  remove,
  setTime,
  snapshotOf,
  temporaryFolder,
  writeLog,
} from "../testing/test-log.js";
import { type CleanUpOptions, cleanUpLog } from "./clean-up-log.js";
import { readSnapshot } from "./snapshot.js";
import { writeCheckpoint } from "./write-checkpoint.js";

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Commits 0 to `last`, the version v made at noon of day v after the epoch; each adds a file. */
async function writeTable(last: number, configuration: object = {}, protocol: object = PROTOCOL): Promise<string> {
  const table = await temporaryFolder();
  await writeLog(table, [
    [protocol, metaData({ configuration }), add("f0")],
    ...Array.from({ length: last }, (_, i) => [add(`f${i + 1}`)]),
  ]);
  for (let version = 0; version <= last; version++) await setTime(table, BigInt(version), version * DAY + 12 * HOUR);
  return table;
}

async function readable(table: string, last: number): Promise<number[]> {
  const versions: number[] = [];
  for (let version = 0; version <= last; version++) {
    const snapshot = await readSnapshot(localStore, table, { version: BigInt(version) }).catch(() => undefined);
    if (snapshot === undefined) continue;
    expect(snapshot.files).toHaveLength(version + 1);
    versions.push(version);
  }
  return versions;
}

async function logOf(table: string): Promise<string[]> {
  const names = await readdir(logFolder(table));
  return names
    .filter((name) => /^\d/.test(name))
    .map((name) => name.replace(/^0+(?=\d)/, ""))
    .sort();
}

describe("cleanUpLog", () => {
  it("removes what killed writers left, once it is old enough", async () => {
    const table = await writeTable(2);
    const leftover = (letter: string) =>
      `.00000000000000000003.json.${letter.repeat(8)}-9d3f-4f2a-8a1e-111111111111.tmp`;
    const [old, recent] = [leftover("a"), leftover("b")];
    const ofDeltaRs = "_commit_cccccccc-9d3f-4f2a-8a1e-111111111111.json.tmp";
    for (const name of [old, ofDeltaRs, recent, "00000000000000000003.json.tmp"])
      await writeFile(`${logFolder(table)}/${name}`, "{");
    const now = (): number => 20 * DAY + HOUR;
    for (const [name, time] of [
      [old, 19 * DAY - 1],
      [ofDeltaRs, 19 * DAY - 1],
      [recent, 19 * DAY],
      ["00000000000000000003.json.tmp", 0],
    ] as const)
      await utimes(`${logFolder(table)}/${name}`, time / 1000, time / 1000);
    const removed = { oldestVersion: undefined, paths: [old, ofDeltaRs].map((name) => `${logFolder(table)}/${name}`) };
    expect(await cleanUpLog(localStore, table, { dryRun: true, now })).toEqual(removed);
    expect(await readdir(logFolder(table))).toContain(old);
    expect(await cleanUpLog(localStore, table, { now })).toEqual(removed);
    expect((await readdir(logFolder(table))).filter((name) => name.includes("tmp")).sort()).toEqual(
      [recent, "00000000000000000003.json.tmp"].sort(),
    );
  });

  it("keeps what the versions from a cut-off on need (case V43)", async () => {
    const table = await writeTable(12);
    await writeCheckpoint(localStore, table, { version: 10n });
    // No checkpoint is old enough for version 5.
    expect(await cleanUpLog(localStore, table, { keepFrom: 5n })).toEqual({ oldestVersion: undefined, paths: [] });
    expect(await readable(table, 12)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);

    const { oldestVersion, paths } = await cleanUpLog(localStore, table, { retention: 0 });
    expect(oldestVersion).toBe(10n);
    expect(paths).toHaveLength(10);
    expect(await logOf(table)).toEqual(["10.checkpoint.parquet", "10.json", "11.json", "12.json"]);
    expect(await readable(table, 12)).toEqual([10, 11, 12]);
  });

  it("never takes a version that it promised to keep, whatever checkpoints there are", async () => {
    for (let keepFrom = 0n; keepFrom <= 9n; keepFrom += 1n) {
      const table = await writeTable(9);
      for (const version of [2n, 5n, 9n]) await writeCheckpoint(localStore, table, { version });
      await cleanUpLog(localStore, table, { keepFrom });
      const kept = await readable(table, 9);
      for (let version = Number(keepFrom); version <= 9; version++) expect(kept).toContain(version);
    }
  });

  it.each<[string, object, CleanUpOptions, number | undefined]>([
    // The last midnight before day 40 at 18:00 is day 40; 30 days before is day 10 at 0:00; version 9 was the newest.
    ["30 days by default", {}, { now: () => 40 * DAY + 18 * HOUR }, 8],
    ["as long as the property says", { "delta.logRetentionDuration": "interval 2 days" }, { now: () => 9 * DAY }, 6],
    ["up to whole days", { "delta.logRetentionDuration": "1 day" }, { now: () => 10 * DAY - HOUR }, 6],
    ["as long as the caller says, to the hour", {}, { now: () => 9 * DAY, retention: 12 * HOUR }, 8],
    ["all where nothing is old enough", {}, { now: () => 20 * DAY }, undefined],
  ])("keeps %s", async (_name, configuration, options, oldest) => {
    const table = await writeTable(12, configuration);
    for (const version of [6n, 8n, 12n]) await writeCheckpoint(localStore, table, { version });
    const { oldestVersion } = await cleanUpLog(localStore, table, options);
    expect(oldestVersion).toBe(oldest === undefined ? undefined : BigInt(oldest));
  });

  it("removes checkpoints, checksums and compactions with their commits, and leaves other files alone", async () => {
    const table = await writeTable(4);
    for (const version of [1n, 3n]) await writeCheckpoint(localStore, table, { version });
    const others = ["00000000000000000002.crc", "00000000000000000001.00000000000000000003.compacted.json"];
    const kept = ["00000000000000000003.crc", "00000000000000000000.json.bak", "notes.json"];
    for (const name of [...others, ...kept]) await writeFile(`${logFolder(table)}/${name}`, "{}");
    await writeFile(`${logFolder(table)}/00000000000000000003.crc`, "");
    const { paths } = await cleanUpLog(localStore, table, { keepFrom: 4n });
    expect(
      paths.map((path) =>
        path
          .split("/")
          .at(-1)
          ?.replace(/^0+(?=\d)/, ""),
      ),
    ).toEqual(expect.arrayContaining(["0.json", "1.json", "1.checkpoint.parquet", "2.json", "2.crc"]));
    const left = await readdir(logFolder(table));
    expect(left).toEqual(expect.arrayContaining(kept));
    expect(left).not.toEqual(expect.arrayContaining([expect.stringMatching(/compacted|^0*2\.crc/)]));
  });

  it("only tells what would go in a dry run", async () => {
    const table = await writeTable(3);
    await writeCheckpoint(localStore, table, { version: 2n });
    const before = await logOf(table);
    const { paths } = await cleanUpLog(localStore, table, { keepFrom: 3n, dryRun: true });
    expect(paths.map((path) => path.slice(-6))).toEqual(["0.json", "1.json"]);
    expect(await logOf(table)).toEqual(before);
  });

  it("does not build on a checkpoint that is damaged, nor on a log with a gap", async () => {
    const table = await writeTable(4);
    await writeFile(`${logFolder(table)}/00000000000000000003.checkpoint.parquet`, "PAR1 cut");
    expect(await cleanUpLog(localStore, table, { keepFrom: 4n })).toEqual({ oldestVersion: undefined, paths: [] });
    await writeCheckpoint(localStore, table, { version: 1n });
    expect((await cleanUpLog(localStore, table, { keepFrom: 4n })).oldestVersion).toBe(1n);
    expect(await readable(table, 4)).toEqual([1, 2, 3, 4]);
  });

  it("removes sidecars that no checkpoint names and that are older than a day", async () => {
    const protocol = {
      protocol: {
        minReaderVersion: 3,
        minWriterVersion: 7,
        readerFeatures: ["v2Checkpoint"],
        writerFeatures: ["v2Checkpoint"],
      },
    };
    const table = await writeTable(3, { "delta.checkpointPolicy": "v2" }, protocol);
    const written = [];
    for (const version of [1n, 3n]) written.push((await writeCheckpoint(localStore, table, { version })).paths[1]);
    const folder = sidecarsFolder(table);
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/young.parquet`, "");
    await writeFile(`${folder}/lost.parquet`, "");
    const now = Date.now();
    for (const path of [...written, `${folder}/lost.parquet`])
      await utimes(path ?? "", (now - 3 * DAY) / 1000, (now - 3 * DAY) / 1000);
    const { paths } = await cleanUpLog(localStore, table, { keepFrom: 3n, now: () => now });
    expect(paths).toEqual(expect.arrayContaining([written[0], `${folder}/lost.parquet`]));
    expect((await readdir(folder)).sort()).toEqual([written[1]?.split("/").at(-1), "young.parquet"].sort());
    expect((await snapshotOf(table)).files).toHaveLength(4);
  });

  it("is refused for a version that is not there", async () => {
    const table = await writeTable(1);
    await expect(cleanUpLog(localStore, table, { keepFrom: 2n })).rejects.toMatchObject({
      code: "DELTA_VERSION_NOT_FOUND",
      version: 2n,
    });
  });

  it("is refused for a retention that is no interval", async () => {
    const table = await writeTable(1, { "delta.logRetentionDuration": "a month" });
    await expect(cleanUpLog(localStore, table)).rejects.toMatchObject({ code: "DELTA_INVALID_INTERVAL" });
  });

  it("leaves tombstones for VACUUM to the checkpoint", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [[PROTOCOL, metaData(), add("f0")], [remove("f0", { deletionTimestamp: Date.now() })]]);
    await writeCheckpoint(localStore, table);
    await cleanUpLog(localStore, table, { keepFrom: 1n });
    expect((await snapshotOf(table)).files).toEqual([]);
    expect(await logOf(table)).toEqual(["1.checkpoint.parquet", "1.json"]);
  });
});
