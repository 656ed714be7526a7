import { mkdir, readdir, symlink, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { commitPath } from "../log/log-files.js";
import { type Field, formatSchema } from "../schema/schema.js";
import { readHistory } from "../snapshot/history.js";
import { localStore } from "../store/local-store.js";
import {
  add,
  ID_SCHEMA,
  metaData,
  PROTOCOL,
  pathsOf,
  remove,
  setTime,
  snapshotOf,
  temporaryFolder,
  writeLog,
} from "../testing/test-log.js";
import { vacuum } from "./vacuum.js";

const DAY = 86_400_000;
const NOW = Date.parse("2026-11-30T12:00:00Z");
const options = { now: () => NOW };

/** A file whose last change lies so many days back. */
async function writeAged(table: string, path: string, days: number): Promise<void> {
  const file = join(table, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, path);
  await utimes(file, (NOW - days * DAY) / 1000, (NOW - days * DAY) / 1000);
}

async function filesOf(table: string): Promise<string[]> {
  const entries = await readdir(table, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(table, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("_delta_log"))
    .sort();
}

/** The descriptor of the file `deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin`: the protocol's own example. */
const VECTOR = {
  storageType: "u",
  pathOrInlineDv: "ab^-aqEH.-t@S}K{vb[*k^",
  offset: 4,
  sizeInBytes: 40,
  cardinality: 6,
};
const VECTOR_FILE = "ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin";

/** Commits of the ages in days, oldest first. */
async function writeAgedLog(table: string, commits: readonly (readonly [number, readonly object[]])[]): Promise<void> {
  await writeLog(
    table,
    commits.map(([, actions]) => actions),
  );
  for (const [version, [days]] of commits.entries()) await setTime(table, BigInt(version), NOW - days * DAY);
}

/** The table of case V54. */
async function writeV54(table: string): Promise<void> {
  await writeAgedLog(table, [
    [20, [PROTOCOL, metaData({ configuration: { "delta.enableChangeDataFeed": "true" } })]],
    [19, [add("a.parquet", { stats: '{"numRecords":10}' })]],
    [3, [{ cdc: { path: "_change_data/c.parquet", partitionValues: {}, size: 1, dataChange: false } }]],
  ]);
  await writeLogVector(table);
  for (const path of ["a.parquet", "_change_data/c.parquet", VECTOR_FILE]) await writeAged(table, path, 19);
  await writeAged(table, "old-orphan.parquet", 10);
  await writeAged(table, "new-orphan.parquet", 1);
  await writeAged(table, "notes.txt", 30);
}

async function writeLogVector(table: string): Promise<void> {
  const actions = [
    remove("a.parquet", { deletionTimestamp: NOW - 18 * DAY }),
    add("a.parquet", { deletionVector: VECTOR, stats: '{"numRecords":10}' }),
  ];
  await writeFile(commitPath(table, 3n), actions.map((action) => `${JSON.stringify(action)}\n`).join(""));
  await setTime(table, 3n, NOW - 2 * DAY);
}

describe("V54", () => {
  test("only the old orphan goes; a second run deletes nothing", async () => {
    const table = await temporaryFolder();
    await writeV54(table);
    const before = pathsOf(await snapshotOf(table));
    const dry = await vacuum(localStore, table, { ...options, dryRun: true });
    expect(dry).toEqual({ deleted: ["old-orphan.parquet"], bytes: "old-orphan.parquet".length });
    expect(await filesOf(table)).toContain("old-orphan.parquet");

    expect(await vacuum(localStore, table, options)).toEqual(dry);
    const kept = ["_change_data/c.parquet", "a.parquet", VECTOR_FILE, "new-orphan.parquet", "notes.txt"];
    expect(await filesOf(table)).toEqual(kept.sort());
    expect(pathsOf(await snapshotOf(table))).toEqual(before);
    const history = await readHistory(localStore, table);
    expect(history.slice(0, 2).map(({ operation }) => operation)).toEqual(["VACUUM END", "VACUUM START"]);
    expect(history[0]?.operationParameters.get("status")).toBe("COMPLETED");
    expect(history[0]?.operationMetrics.get("numDeletedFiles")).toBe("1");

    expect((await vacuum(localStore, table, options)).deleted).toEqual([]);
    expect(await readHistory(localStore, table)).toHaveLength(history.length);
  });

  test("of a table by its relative path", async () => {
    const table = await temporaryFolder();
    await writeV54(table);
    const result = await vacuum(localStore, `${relative(process.cwd(), table)}/`, options);
    expect(result.deleted).toEqual(["old-orphan.parquet"]);
    expect(await filesOf(table)).not.toContain("old-orphan.parquet");
  });
});

describe("vacuum", () => {
  test("keeps what a version within the retention has, and takes what only older ones have", async () => {
    const table = await temporaryFolder();
    await writeAgedLog(table, [
      [30, [PROTOCOL, metaData(), add("a.parquet"), add("b.parquet")]],
      [20, [remove("a.parquet"), add("c.parquet")]],
      [5, [remove("b.parquet"), add("d.parquet")]],
      [4, [remove("d.parquet")]],
    ]);
    for (const name of ["a", "b", "c", "d"]) await writeAged(table, `${name}.parquet`, 30);
    // Seven days ago version 1 was current, with b and c; d came and went since.
    expect((await vacuum(localStore, table, options)).deleted).toEqual(["a.parquet"]);
    expect((await vacuum(localStore, table, { ...options, retention: 0, force: true })).deleted).toEqual([
      "b.parquet",
      "d.parquet",
    ]);
  });

  test("follows the table's own retention and refuses a shorter one, unless it is forced", async () => {
    const table = await temporaryFolder();
    const configuration = { "delta.deletedFileRetentionDuration": "interval 2 days" };
    await writeAgedLog(table, [[30, [PROTOCOL, metaData({ configuration })]]]);
    await writeAged(table, "three.parquet", 3);
    await writeAged(table, "one.parquet", 1);
    await expect(vacuum(localStore, table, { ...options, retention: DAY })).rejects.toMatchObject({
      code: "DELTA_VACUUM_RETENTION_PERIOD_TOO_SHORT",
      message: expect.stringContaining("24 hours, and the table keeps deleted files for 48"),
    });
    await expect(vacuum(localStore, table, { ...options, retention: -1, force: true })).rejects.toMatchObject({
      code: "DELTA_VACUUM_RETENTION_PERIOD_NEGATIVE",
    });
    expect((await vacuum(localStore, table, options)).deleted).toEqual(["three.parquet"]);
    expect((await vacuum(localStore, table, { ...options, retention: DAY / 2, force: true })).deleted).toEqual([
      "one.parquet",
    ]);
  });

  test("leaves hidden files and folders and tables below the table, and looks into folders of partitions", async () => {
    const table = await temporaryFolder();
    const field: Field = { name: "_p", type: { kind: "string" }, nullable: true, metadata: {} };
    const schemaString = formatSchema({ kind: "struct", fields: [...ID_SCHEMA.fields, field] });
    await writeAgedLog(table, [[30, [PROTOCOL, metaData({ schemaString, partitionColumns: ["_p"] })]]]);
    const kept = [
      "_spark_metadata/a.parquet",
      ".hidden/a.parquet",
      "_marker.parquet",
      ".part.parquet.crc",
      ".part.parquet",
      "inner/_delta_log/00000000000000000000.json",
      "inner/x=1/a.parquet",
      "_q=1/a.parquet",
    ];
    const gone = [
      "_p=1/a.parquet",
      "_change_data/_p=1/a.parquet",
      "p=1/deep/a.parquet",
      ".a.parquet.0b8dc8a8-9d3f-4f2a-8a1e-111111111111.tmp",
      "deletion_vector_0b8dc8a8-9d3f-4f2a-8a1e-111111111111.bin",
    ];
    for (const path of [...kept, ...gone]) await writeAged(table, path, 10);
    expect((await vacuum(localStore, table, options)).deleted).toEqual([...gone].sort());
    expect(await filesOf(table)).toEqual([...kept].sort());
  });

  test("keeps a file that the log names by an absolute path, even through another name of the folder", async () => {
    const table = await temporaryFolder();
    const absolute = [`file://${table}/p/a.parquet`, "s3://elsewhere/p/b.parquet", "/mnt/link/c%20d.parquet"];
    await writeAgedLog(table, [[30, [PROTOCOL, metaData(), ...absolute.map((path) => add(path))]]]);
    for (const path of ["p/a.parquet", "p/b.parquet", "c d.parquet", "e.parquet"]) await writeAged(table, path, 10);
    expect((await vacuum(localStore, table, options)).deleted).toEqual(["e.parquet"]);
  });

  test("finds files whose names are encoded in the log", async () => {
    const table = await temporaryFolder();
    await writeAgedLog(table, [[30, [PROTOCOL, metaData(), add("p=a%2520b/%C3%A4%23.parquet")]]]);
    await writeAged(table, "p=a%20b/ä#.parquet", 10);
    await writeAged(table, "p=a b/ä#.parquet", 10);
    expect((await vacuum(localStore, table, options)).deleted).toEqual(["p=a b/ä#.parquet"]);
  });

  test("refuses a table with a writer feature that it does not know", async () => {
    const table = await temporaryFolder();
    const protocol = {
      minReaderVersion: 3,
      minWriterVersion: 7,
      readerFeatures: [],
      writerFeatures: ["fromTheFuture"],
    };
    await writeAgedLog(table, [[30, [{ protocol }, metaData()]]]);
    await writeAged(table, "a.parquet", 10);
    await expect(vacuum(localStore, table, options)).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
      message: expect.stringContaining("fromTheFuture"),
    });
    expect(await filesOf(table)).toEqual(["a.parquet"]);
  });

  test("deletes nothing where a commit within the retention is gone", async () => {
    const table = await temporaryFolder();
    await writeAgedLog(table, [
      [30, [PROTOCOL, metaData()]],
      [5, [add("a.parquet")]],
    ]);
    await writeFile(commitPath(table, 3n), `${JSON.stringify(add("b.parquet"))}\n`);
    await writeAged(table, "c.parquet", 10);
    await expect(vacuum(localStore, table, options)).rejects.toMatchObject({ code: "DELTA_TABLE_UNREADABLE" });
    expect(await filesOf(table)).toEqual(["c.parquet"]);
  });

  test("notes a failure and passes the store's error on", async () => {
    const table = await temporaryFolder();
    await writeAgedLog(table, [[30, [PROTOCOL, metaData()]]]);
    await writeAged(table, "a.parquet", 10);
    const store = { ...localStore, delete: () => Promise.reject(new Error("no rights")) };
    await expect(vacuum(store, table, options)).rejects.toThrow("no rights");
    const [last] = await readHistory(localStore, table);
    expect(last?.operation).toBe("VACUUM END");
    expect(last?.operationParameters.get("status")).toBe("FAILED");
  });

  test("is no matter of a folder without a log", async () => {
    await expect(vacuum(localStore, await temporaryFolder())).rejects.toMatchObject({ code: "NO_DELTA_TABLE" });
  });

  test.each(["./a.parquet", "x/../a.parquet", "%2e/a.parquet", "x//../a.parquet"])(
    "keeps a file that the log spells %s",
    async (uri) => {
      const table = await temporaryFolder();
      await writeAgedLog(table, [[30, [PROTOCOL, metaData(), add(uri)]]]);
      await writeAged(table, "a.parquet", 30);
      expect((await vacuum(localStore, table, options)).deleted).toEqual([]);
    },
  );

  test("keeps a file whose path leaves the table and comes back", async () => {
    const table = await temporaryFolder();
    await writeAgedLog(table, [[30, [PROTOCOL, metaData(), add(`../${basename(table)}/a.parquet`)]]]);
    await writeAged(table, "a.parquet", 30);
    await writeAged(table, "b.parquet", 30);
    expect((await vacuum(localStore, table, options)).deleted).toEqual(["b.parquet"]);
  });

  test("does not follow links: what they lead to is not the table's, or has another name in its log", async () => {
    const [table, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
    await writeAgedLog(table, [[30, [PROTOCOL, metaData(), add("p=1/a.parquet")]]]);
    await writeAged(table, "p=1/a.parquet", 30);
    await writeAged(elsewhere, "others.parquet", 30);
    await symlink(elsewhere, join(table, "elsewhere"));
    await symlink(join(table, "p=1"), join(table, "latest"));
    expect((await vacuum(localStore, table, options)).deleted).toEqual([]);
    expect(await filesOf(elsewhere)).toEqual(["others.parquet"]);
  });
});
