import { mkdir, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readChanges } from "../changes/table-changes.js";
import type { JsonObject } from "../log/json.js";
import { commitPath, logFolder } from "../log/log-files.js";
import { localStore } from "../store/local-store.js";
import {
  add,
  metaData,
  PROTOCOL,
  pathsOf,
  remove,
  setTime,
  snapshotOf,
  temporaryFolder,
  writeLog,
} from "../testing/test-log.js";
import { readHistory } from "./history.js";
import { readSnapshot } from "./snapshot.js";

const UUID = "80a083e8-7026-4e79-81be-64bd76c43a11";
const SIDECAR = "016ae953-37a9-438e-8683-9a9a4a79a395.parquet";
const START = [PROTOCOL, metaData()];

/** Commits 0 to 4: files f0 to f4 come one after the other, and version 3 takes f0 away. */
async function writeTable(): Promise<string> {
  const table = await temporaryFolder();
  await writeLog(table, [
    [...START, add("f0"), { txn: { appId: "a", version: 7 } }],
    [add("f1")],
    [add("f2"), { domainMetadata: { domain: "d", configuration: "{}", removed: false } }],
    [add("f3"), remove("f0")],
    [{ commitInfo: { operation: "WRITE" } }, add("f4")],
  ]);
  return table;
}

async function writeCheckpoint(table: string, name: string, rows: readonly object[] | string): Promise<void> {
  const text = typeof rows === "string" ? rows : rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  await writeFile(`${logFolder(table)}/0000000000000000000${name}`, text);
}

async function dropCommits(table: string, ...versions: bigint[]): Promise<void> {
  for (const version of versions) await rm(commitPath(table, version));
}

/** A reader that finds its rows by the file's text, so that no Parquet file need be made. */
function parquetOf(files: Readonly<Record<string, readonly JsonObject[]>>) {
  return async (content: Uint8Array): Promise<readonly JsonObject[]> => {
    const rows = files[new TextDecoder().decode(content)];
    if (rows === undefined) throw new Error("no Parquet file");
    return rows;
  };
}

const STATE_2 = [
  ...START,
  { checkpointMetadata: { version: 2 } },
  { txn: { appId: "a", version: 7 } },
  { domainMetadata: { domain: "d", configuration: "{}", removed: false } },
];
const FILES_2 = [add("f0"), add("f1"), add("f2")];

describe("a checkpoint", () => {
  it("of version 2 (one JSON file) stands for the commits up to it, which may be gone", async () => {
    const table = await writeTable();
    await writeCheckpoint(table, `2.checkpoint.${UUID}.json`, [...STATE_2, ...FILES_2]);
    await dropCommits(table, 0n, 1n);
    const snapshot = await snapshotOf(table);
    expect(pathsOf(snapshot)).toEqual(["f1", "f2", "f3", "f4"]);
    expect(snapshot.transactions).toEqual(new Map([["a", 7n]]));
    expect(snapshot.domains).toEqual(new Map([["d", "{}"]]));
    expect(snapshot.commitInfo).toEqual({ operation: "WRITE" });
    expect(snapshot.warnings).toEqual([]);
  });

  it("is read with its sidecars, and with the longs of Parquet", async () => {
    const table = await writeTable();
    await writeCheckpoint(table, `2.checkpoint.${UUID}.parquet`, "top");
    await mkdir(`${logFolder(table)}/_sidecars`);
    await writeFile(`${logFolder(table)}/_sidecars/${SIDECAR}`, "side");
    await dropCommits(table, 0n, 1n);
    const files = FILES_2.map((row) => ({ add: { ...Object(row).add, size: 5n, modificationTime: 1n }, remove: null }));
    const parquet = parquetOf({
      top: [...STATE_2, { sidecar: { path: SIDECAR, sizeInBytes: 4n, modificationTime: 1n } }] as JsonObject[],
      side: files,
    });
    const snapshot = await readSnapshot(localStore, table, undefined, parquet);
    expect(snapshot?.files.map(({ path, size }) => [path, size])).toEqual([
      ["f1", 5],
      ["f2", 5],
      ["f3", 1],
      ["f4", 1],
    ]);
  });

  it("in parts counts only when all parts are there", async () => {
    const table = await writeTable();
    await writeCheckpoint(table, "2.checkpoint.0000000001.0000000002.parquet", "one");
    const parquet = parquetOf({ one: [...START, add("other")] as JsonObject[], two: [add("second")] as JsonObject[] });
    expect((await readSnapshot(localStore, table, { version: 2n }, parquet))?.files).toHaveLength(3);
    await writeCheckpoint(table, "2.checkpoint.0000000002.0000000002.parquet", "two");
    const snapshot = await readSnapshot(localStore, table, { version: 2n }, parquet);
    expect(snapshot?.files.map(({ path }) => path)).toEqual(["other", "second"]);
  });

  it("that is cut off is passed over with a warning that names it", async () => {
    const table = await writeTable();
    await writeCheckpoint(table, "3.checkpoint.parquet", "PAR1 cut off");
    await writeFile(`${logFolder(table)}/_last_checkpoint`, '{"version":3,"size":9}');
    const snapshot = await snapshotOf(table);
    expect(pathsOf(snapshot)).toEqual(["f1", "f2", "f3", "f4"]);
    expect(snapshot.warnings).toEqual([expect.stringContaining("00000000000000000003.checkpoint.parquet")]);
  });

  it("that is damaged gives way to an older one, and is told when nothing else is left", async () => {
    const table = await writeTable();
    await writeCheckpoint(table, "3.checkpoint.parquet", "");
    await writeCheckpoint(table, `2.checkpoint.${UUID}.json`, [...STATE_2, ...FILES_2]);
    await dropCommits(table, 0n, 1n);
    expect((await snapshotOf(table)).files).toHaveLength(4);
    await dropCommits(table, 3n);
    await expect(readSnapshot(localStore, table)).rejects.toMatchObject({
      code: "DELTA_TABLE_UNREADABLE",
      version: 3n,
      path: `${logFolder(table)}/00000000000000000003.checkpoint.parquet`,
    });
  });

  it.each(["protocol", "metaData"])("without %s is damaged", async (missing) => {
    const table = await writeTable();
    const rows = [...STATE_2, ...FILES_2].filter((row) => !(missing in row));
    await writeCheckpoint(table, `2.checkpoint.${UUID}.json`, rows);
    expect((await snapshotOf(table)).warnings).toEqual([expect.stringContaining(`no ${missing} action`)]);
  });

  it("takes statistics that stand there as a struct", async () => {
    const table = await writeTable();
    const stats_parsed = { numRecords: 3, minValues: { id: 1 }, nullCount: { id: 0 }, tightBounds: null };
    await writeCheckpoint(table, `2.checkpoint.${UUID}.json`, [...STATE_2, add("f9", { stats_parsed })]);
    const file = (await snapshotOf(table)).files.find(({ path }) => path === "f9");
    expect(JSON.parse(file?.stats ?? "")).toEqual({ numRecords: 3, minValues: { id: 1 }, nullCount: { id: 0 } });
  });

  it("is enough for a table without commits", async () => {
    const table = await temporaryFolder();
    await mkdir(logFolder(table));
    await writeCheckpoint(table, `2.checkpoint.${UUID}.json`, [...STATE_2, ...FILES_2]);
    const snapshot = await snapshotOf(table);
    expect(snapshot.version).toBe(2n);
    expect(snapshot.files).toHaveLength(3);
  });
});

describe("a log whose old commits are gone", () => {
  async function cleanedTable(): Promise<string> {
    const table = await writeTable();
    await writeCheckpoint(table, `2.checkpoint.${UUID}.json`, [...STATE_2, ...FILES_2]);
    await dropCommits(table, 0n);
    for (const version of [1n, 2n, 3n, 4n]) await setTime(table, version, Number(version) * 1000);
    return table;
  }

  it("goes back as far as its oldest checkpoint", async () => {
    const table = await cleanedTable();
    expect((await readSnapshot(localStore, table, { version: 2n }))?.files).toHaveLength(3);
    await expect(readSnapshot(localStore, table, { version: 1n })).rejects.toMatchObject({
      code: "DELTA_VERSION_NOT_FOUND",
      message: expect.stringContaining("no version 1 any more; it has 2 to 4"),
    });
    expect(await readSnapshot(localStore, table, { timestamp: 3500 })).toMatchObject({ version: 3n, timestamp: 3000 });
    await expect(readSnapshot(localStore, table, { timestamp: 1500 })).rejects.toMatchObject({
      code: "DELTA_VERSION_NOT_FOUND",
      message: expect.stringContaining("1970-01-01T00:00:02.000Z to 1970-01-01T00:00:04.000Z"),
    });
  });

  it("tells the history and the changes that it still holds", async () => {
    const table = await cleanedTable();
    expect((await readHistory(localStore, table)).map(({ version }) => version)).toEqual([4n, 3n, 2n, 1n]);
    const snapshot = await snapshotOf(table);
    const versions: bigint[] = [];
    for await (const { version } of readChanges(localStore, snapshot, 1n)) versions.push(version);
    expect(versions).toEqual([1n, 2n, 3n, 4n]);
    await expect(readChanges(localStore, snapshot, 0n).next()).rejects.toMatchObject({
      code: "DELTA_VERSION_NOT_FOUND",
      message: expect.stringContaining("commits of versions 1 to 4"),
    });
  });

  it("with a gap behind the checkpoint is refused with the missing version", async () => {
    const table = await cleanedTable();
    await dropCommits(table, 3n);
    await expect(readSnapshot(localStore, table)).rejects.toMatchObject({
      code: "DELTA_TABLE_UNREADABLE",
      version: 3n,
    });
  });
});

describe("a log compaction", () => {
  const COMPACTED = [...START, add("f1"), add("f2"), add("f3"), add("only-here"), remove("f0")];
  const vector = (name: string) => ({
    deletionVector: { storageType: "u", pathOrInlineDv: name, offset: 1, sizeInBytes: 1, cardinality: 1 },
  });

  it("is not read where its commits are there, whatever it holds", async () => {
    const table = await writeTable();
    await writeCheckpoint(table, "0.00000000000000000003.compacted.json", COMPACTED);
    await writeCheckpoint(table, "1.00000000000000000003.compacted.json", "{damaged");
    const snapshot = await snapshotOf(table);
    expect(pathsOf(snapshot)).toEqual(["f1", "f2", "f3", "f4"]);
    expect(snapshot.warnings).toEqual([]);
  });

  it("replaces its commits where one is missing", async () => {
    const table = await writeTable();
    await writeCheckpoint(table, "0.00000000000000000003.compacted.json", COMPACTED);
    await dropCommits(table, 2n);
    const snapshot = await snapshotOf(table);
    expect(pathsOf(snapshot)).toEqual(["f1", "f2", "f3", "f4", "only-here"]);
    expect(snapshot.commitInfo).toEqual({ operation: "WRITE" });
    expect((await readSnapshot(localStore, table, { version: 1n }))?.files).toHaveLength(2);
    for (const version of [2n, 3n])
      await expect(readSnapshot(localStore, table, { version })).rejects.toMatchObject({
        code: "DELTA_TABLE_UNREADABLE",
        version: 2n,
      });
  });

  it("follows the commits before the range of which one is missing", async () => {
    const table = await writeTable();
    await writeCheckpoint(table, "1.00000000000000000002.compacted.json", [add("f1"), add("f2"), add("1-to-2")]);
    await writeCheckpoint(table, "2.00000000000000000003.compacted.json", [add("f2"), add("f3"), remove("f0")]);
    await dropCommits(table, 3n);
    expect(pathsOf(await snapshotOf(table))).toEqual(["f1", "f2", "f3", "f4"]);
  });

  it("proves the versions that it covers", async () => {
    const table = await writeTable();
    await writeCheckpoint(table, "0.00000000000000000006.compacted.json", COMPACTED);
    await expect(snapshotOf(table)).rejects.toMatchObject({ code: "DELTA_TABLE_UNREADABLE", version: 5n });
  });

  it.each<[string, string, readonly object[] | string]>([
    ["damaged", "cannot be read", "{damaged"],
    [
      "ambiguous",
      "it adds f with different deletion vectors",
      [...START, add("f", vector("x")), add("f", vector("y"))],
    ],
    ["not reconciled", "it adds or removes f more than once", [...START, add("f"), remove("f")]],
  ])("that is needed and %s is refused by its name", async (_name, reason, content) => {
    const table = await writeTable();
    await writeCheckpoint(table, "0.00000000000000000003.compacted.json", content);
    await dropCommits(table, 2n);
    await expect(snapshotOf(table)).rejects.toMatchObject({
      code: "DELTA_TABLE_UNREADABLE",
      path: expect.stringContaining("0.00000000000000000003.compacted.json"),
      message: expect.stringContaining(reason),
    });
  });

  it("may add a path again whose other vector it removes", async () => {
    const table = await writeTable();
    const content = [...START, add("f", vector("y")), remove("f", vector("x"))];
    await writeCheckpoint(table, "0.00000000000000000003.compacted.json", content);
    await dropCommits(table, 2n);
    expect(pathsOf(await snapshotOf(table))).toEqual(["f", "f4"]);
  });
});
