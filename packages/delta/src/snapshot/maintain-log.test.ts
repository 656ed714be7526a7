import { readdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { checksumPath, commitPath, logFolder } from "../log/log-files.js";
import { localStore } from "../store/local-store.js";
import type { Store } from "../store/store.js";
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
import { maintainLog } from "./maintain-log.js";

const DAY = 86_400_000;

async function checkpointsOf(table: string): Promise<string[]> {
  return (await readdir(logFolder(table))).filter((name) => /^\d+\.checkpoint/.test(name)).sort();
}

describe("maintainLog", () => {
  it("writes a checksum after each commit, also where others came between", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [[PROTOCOL, metaData(), add("f0", { size: 3 })]]);
    await maintainLog(localStore, table, undefined, 0n);
    const before = await snapshotOf(table);
    await writeFile(commitPath(table, 1n), `${JSON.stringify(add("f1", { size: 4 }))}\n`);
    await writeFile(commitPath(table, 2n), `${JSON.stringify(remove("f0"))}\n`);
    await maintainLog(localStore, table, before, 2n);
    const told = async (version: bigint) => JSON.parse(await readFile(checksumPath(table, version), "utf8"));
    expect(await told(0n)).toMatchObject({ numFiles: 1, tableSizeBytes: 3 });
    expect(await told(2n)).toMatchObject({ numFiles: 1, tableSizeBytes: 4 });
    expect((await snapshotOf(table)).warnings).toEqual([]);
  });

  it("writes a checkpoint every tenth version, or as often as delta.checkpointInterval says", async () => {
    for (const [configuration, expected] of [
      [{}, ["00000000000000000010.checkpoint.parquet", "00000000000000000020.checkpoint.parquet"]],
      [
        { "delta.checkpointInterval": "9" },
        ["00000000000000000009.checkpoint.parquet", "00000000000000000018.checkpoint.parquet"],
      ],
    ] as const) {
      const table = await temporaryFolder();
      await writeLog(table, [[PROTOCOL, metaData({ configuration }), add("f0")]]);
      for (let version = 1n; version <= 20n; version += 1n) {
        const before = await snapshotOf(table);
        await writeFile(commitPath(table, version), `${JSON.stringify(add(`f${version}`))}\n`);
        await maintainLog(localStore, table, before, version);
      }
      expect(await checkpointsOf(table)).toEqual(expected);
      expect((await snapshotOf(table)).files).toHaveLength(21);
    }
  });

  it.each([
    [true, 1],
    [false, 21],
  ])("cleans the log up after a checkpoint where delta.enableExpiredLogCleanup is %s", async (isOn, commits) => {
    const table = await temporaryFolder();
    const configuration = { "delta.enableExpiredLogCleanup": String(isOn) };
    await writeLog(table, [
      [PROTOCOL, metaData({ configuration })],
      ...Array.from({ length: 20 }, (_, i) => [add(`f${i}`)]),
    ]);
    for (let version = 0; version <= 20; version++) await setTime(table, BigInt(version), version * 1000);
    const before = { ...(await snapshotOf(table)), version: 19n };
    await maintainLog(localStore, table, before, 20n, { now: () => 1000 * DAY });
    const names = (await readdir(logFolder(table))).filter((name) => /^\d+\.json$/.test(name));
    expect(names).toHaveLength(commits);
  });

  it("turns no failure of the store into one of the commit", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [[PROTOCOL, metaData()], ...Array.from({ length: 10 }, (_, i) => [add(`f${i}`)])]);
    const full = async (): Promise<never> => {
      throw new Error("no space left");
    };
    const store: Store = { ...localStore, put: full, putIfAbsent: full };
    await expect(maintainLog(store, table, undefined, 10n)).resolves.toBeUndefined();
    expect(await checkpointsOf(table)).toEqual([]);
    expect((await snapshotOf(table)).files).toHaveLength(10);
  });
});
