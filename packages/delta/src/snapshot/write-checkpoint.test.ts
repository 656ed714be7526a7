import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { commitPath, logFolder } from "../log/log-files.js";
import { formatSchema, type StructType } from "../schema/schema.js";
import { localStore } from "../store/local-store.js";
import { memoryStore } from "../testing/memory-store.js";
import {
  add,
  metaData,
  PROTOCOL,
  pathsOf,
  remove,
  snapshotOf,
  temporaryFolder,
  writeLog,
} from "../testing/test-log.js";
import { readSnapshot } from "./snapshot.js";
import { writeCheckpoint } from "./write-checkpoint.js";

const DAY = 86_400_000;
const V2_PROTOCOL = {
  protocol: {
    minReaderVersion: 3,
    minWriterVersion: 7,
    readerFeatures: ["v2Checkpoint"],
    writerFeatures: ["v2Checkpoint"],
  },
};
const VECTOR = {
  storageType: "u",
  pathOrInlineDv: "ab^-aqEH.-t@S}K{vb[*k^",
  offset: 4,
  sizeInBytes: 40,
  cardinality: 6,
};

const ADDS = {
  plain: add("plain", { stats: '{"numRecords":3}', tags: { ZCUBE_ID: "z" }, clusteringProvider: "liquid" }),
  vector: add("dir/with%2520space", { deletionVector: VECTOR, baseRowId: 7, defaultRowCommitVersion: 1 }),
  partition: add("c", { partitionValues: { p: null }, size: 9_000_000_000, modificationTime: 1_700_000_000_000 }),
};

/** Two commits with every kind of action that a checkpoint holds, and of each one that it must leave out. */
async function writeTable(protocol: object = PROTOCOL, configuration: object = {}): Promise<string> {
  const table = await temporaryFolder();
  await writeLog(table, [
    [
      { commitInfo: { operation: "CREATE TABLE" } },
      protocol,
      metaData({ configuration, createdTime: 5, description: "d" }),
      { txn: { appId: "a", version: 1, lastUpdated: 10 } },
      { domainMetadata: { domain: "kept", configuration: '{"x":1}', removed: false } },
      { domainMetadata: { domain: "gone", configuration: "{}", removed: false } },
      add("old"),
      ADDS.plain,
    ],
    [
      { commitInfo: { operation: "WRITE" } },
      { txn: { appId: "a", version: 2, lastUpdated: 20 } },
      { txn: { appId: "b", version: 9_007_199_254_740_991 } },
      { domainMetadata: { domain: "gone", configuration: "{}", removed: true } },
      { cdc: { path: "_change_data/c", partitionValues: {}, size: 1, dataChange: false } },
      remove("old", { deletionTimestamp: 100 * DAY, size: 4, partitionValues: {}, extendedFileMetadata: true }),
      remove("older", { deletionTimestamp: 90 * DAY }),
      ADDS.vector,
      ADDS.partition,
    ],
  ]);
  return table;
}

/** Removes the commits: what is read then comes from the checkpoint. */
async function dropCommits(table: string): Promise<void> {
  for (const version of [0n, 1n]) await rm(commitPath(table, version));
}

async function parquetRows(path: string): Promise<Record<string, unknown>[]> {
  const content = await readFile(path);
  return parquetReadObjects({
    file: content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength),
  });
}

async function lastCheckpoint(table: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(`${logFolder(table)}/_last_checkpoint`, "utf8"));
}

const now = (): number => 100 * DAY;

describe("writeCheckpoint", () => {
  it.each<[string, object, object, "parquet" | "json"]>([
    ["a classic file", PROTOCOL, {}, "parquet"],
    ["V2 with a top file in Parquet", V2_PROTOCOL, { "delta.checkpointPolicy": "v2" }, "parquet"],
    ["V2 with a top file in JSON", V2_PROTOCOL, { "delta.checkpointPolicy": "v2" }, "json"],
  ])("keeps the state in %s", async (_name, protocol, configuration, format) => {
    const table = await writeTable(protocol, configuration);
    const before = await snapshotOf(table);
    const written = await writeCheckpoint(localStore, table, { format, now });
    expect(written).toMatchObject({ version: 1n, numOfAddFiles: 3 });
    await dropCommits(table);
    const after = await snapshotOf(table);
    // A checkpoint tells of files as if they had been there before.
    const files = before.files.map((file) => ({ ...file, dataChange: false }));
    expect(after.files).toEqual(files);
    expect({ ...after, files, timestamp: 0, commitInfo: undefined }).toEqual({
      ...before,
      files,
      timestamp: 0,
      commitInfo: undefined,
    });
    expect(after.warnings).toEqual([]);
  });

  it("writes tombstones that have not expired, without statistics and tags, and nothing of provenance", async () => {
    const table = await writeTable();
    await writeCheckpoint(localStore, table, { now });
    const rows = await parquetRows(`${logFolder(table)}/00000000000000000001.checkpoint.parquet`);
    const columns = ["txn", "add", "remove", "metaData", "protocol", "domainMetadata", "checkpointMetadata", "sidecar"];
    expect(Object.keys(rows[0] ?? {})).toEqual(columns);
    const removes = rows.flatMap((row) => row["remove"] ?? []);
    // By the protocol a tombstone is kept for 7 days.
    expect(removes).toMatchObject([{ path: "old", deletionTimestamp: BigInt(100 * DAY), dataChange: false, size: 4n }]);
    expect(Object.keys(removes[0] ?? {})).not.toContain("stats");
    expect(rows.flatMap((row) => row["domainMetadata"] ?? [])).toMatchObject([{ domain: "kept", removed: false }]);
    // protocol, metaData, two applications, one domain, three files, one tombstone
    expect(rows).toHaveLength(9);
    expect(await lastCheckpoint(table)).toMatchObject({ version: 1, size: 9, numOfAddFiles: 3 });
  });

  it("keeps tombstones and progress of applications as long as the properties say", async () => {
    const table = await writeTable(PROTOCOL, {
      "delta.deletedFileRetentionDuration": "interval 2 weeks",
      "delta.setTransactionRetentionDuration": "interval 1 day",
    });
    await writeCheckpoint(localStore, table, { now });
    const rows = await parquetRows(`${logFolder(table)}/00000000000000000001.checkpoint.parquet`);
    expect(rows.flatMap((row) => row["remove"] ?? [])).toMatchObject([{ path: "old" }, { path: "older" }]);
    // "a" was updated at 20 ms; of "b" nobody knows when.
    expect(rows.flatMap((row) => row["txn"] ?? [])).toMatchObject([{ appId: "b", version: 9_007_199_254_740_991n }]);
  });

  it("takes over the tombstones of the checkpoint before", async () => {
    const table = await writeTable();
    await writeCheckpoint(localStore, table, { now });
    await dropCommits(table);
    await writeFile(commitPath(table, 2n), `${JSON.stringify(add("new"))}\n`);
    await writeCheckpoint(localStore, table, { now });
    const rows = await parquetRows(`${logFolder(table)}/00000000000000000002.checkpoint.parquet`);
    expect(rows.flatMap((row) => row["remove"] ?? [])).toMatchObject([{ path: "old" }]);
  });

  it("in V2 names its sidecars, and _last_checkpoint names its top file", async () => {
    const table = await writeTable(V2_PROTOCOL, { "delta.checkpointPolicy": "v2" });
    const { paths } = await writeCheckpoint(localStore, table, { format: "json", now });
    const [top = "", ...sidecars] = paths;
    expect(top).toMatch(/00000000000000000001\.checkpoint\.[0-9a-f-]{36}\.json$/);
    const rows = (await readFile(top, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows[0]).toEqual({ checkpointMetadata: { version: 1, tags: {} } });
    expect(rows.some((row) => "add" in row || "remove" in row)).toBe(false);
    expect(rows.flatMap(({ sidecar }) => sidecar?.path ?? [])).toEqual(await readdir(`${logFolder(table)}/_sidecars`));
    expect(Object.keys((await parquetRows(sidecars[0] ?? ""))[0] ?? {})).toEqual(["add", "remove"]);
    expect(await lastCheckpoint(table)).toMatchObject({ version: 1, v2Checkpoint: { path: top.split("/").at(-1) } });
  });

  it("is V2 without being asked above 100,000 files, where the table knows it", { timeout: 30_000 }, async () => {
    const store = memoryStore();
    const files = Array.from({ length: 100_001 }, (_, i) => add(`f${i}`));
    const textOf = (actions: readonly object[]) => actions.map((action) => `${JSON.stringify(action)}\n`).join("");
    await store.put(commitPath("/t", 0n), textOf([V2_PROTOCOL, metaData(), ...files]));
    const { paths } = await writeCheckpoint(store, "/t");
    expect(paths.map((path) => path.includes("_sidecars"))).toEqual([false, true, true, true]);
    await store.delete(commitPath("/t", 0n));
    expect((await readSnapshot(store, "/t"))?.files).toHaveLength(100_001);

    await store.put(commitPath("/t", 1n), textOf([remove("f7")]));
    const [path = "", ...sidecars] = (await writeCheckpoint(store, "/t", { version: 1n })).paths;
    expect([path.endsWith(".checkpoint.parquet"), sidecars]).toEqual([true, []]);
  });

  it("is classic where the policy asks for V2 but the protocol does not have it", async () => {
    const table = await writeTable(PROTOCOL, { "delta.checkpointPolicy": "v2" });
    expect((await writeCheckpoint(localStore, table)).paths[0]).toContain("00000000000000000001.checkpoint.parquet");
  });

  it("of an older version leaves _last_checkpoint at the newer one", async () => {
    const table = await writeTable();
    await writeCheckpoint(localStore, table);
    const { version } = await writeCheckpoint(localStore, table, { version: 0n });
    expect(version).toBe(0n);
    expect(await lastCheckpoint(table)).toMatchObject({ version: 1 });
  });

  it("is refused for a table with a writer feature that is unknown, before anything is written", async () => {
    const protocol = { minReaderVersion: 1, minWriterVersion: 7, writerFeatures: ["checkpointProtection"] };
    const table = await writeTable({ protocol });
    await expect(writeCheckpoint(localStore, table)).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
      message: expect.stringContaining("checkpointProtection"),
    });
    expect((await readdir(logFolder(table))).filter((name) => name.includes("checkpoint"))).toEqual([]);
  });

  it("replaces one that is damaged, and then the table opens without a warning (case V42)", async () => {
    const table = await temporaryFolder();
    const rows = ["1", "2", "3", "4", "5"];
    await writeLog(table, [[PROTOCOL, metaData(), add("f1")], ...rows.slice(1).map((id) => [add(`f${id}`)])]);
    await writeFile(`${logFolder(table)}/00000000000000000003.checkpoint.parquet`, "PAR1 cut");
    await writeFile(`${logFolder(table)}/_last_checkpoint`, '{"version":3,"size":6}');
    expect((await snapshotOf(table)).warnings).toHaveLength(1);
    await writeCheckpoint(localStore, table, { version: 3n });
    const healed = await snapshotOf(table);
    expect(healed.warnings).toEqual([]);
    expect(pathsOf(healed)).toEqual(["f1", "f2", "f3", "f4", "f5"]);
  });
});

describe("statistics in a checkpoint", () => {
  const column = (name: string, type: StructType["fields"][number]["type"]) => ({
    name,
    type,
    nullable: true,
    metadata: {},
  });
  const schema: StructType = {
    kind: "struct",
    fields: [
      column("id", { kind: "long" }),
      column("amount", { kind: "decimal", precision: 23, scale: 2 }),
      column("day", { kind: "date" }),
      column("at", { kind: "timestamp" }),
      column("flag", { kind: "boolean" }),
      column("inner", { kind: "struct", fields: [column("text", { kind: "string" })] }),
      column("p", { kind: "date" }),
    ],
  };
  const stats =
    '{"numRecords":2,"minValues":{"id":9007199254740993,"amount":-123456789012345678901.25,"day":"2024-02-29",' +
    '"at":"2024-05-01T10:00:00.123Z","inner":{"text":"a"}},"maxValues":{"id":9223372036854775807,"amount":1,' +
    '"day":"2024-03-01","at":"2024-05-01T12:00:00.5+02:00","inner":{"text":"ü"}},' +
    '"nullCount":{"id":0,"amount":1,"day":0,"at":0,"flag":2,"inner":{"text":0}},"tightBounds":true}';

  async function checkpointOf(configuration: object): Promise<Record<string, unknown>> {
    const table = await temporaryFolder();
    await writeLog(table, [
      [
        PROTOCOL,
        metaData({ schemaString: formatSchema(schema), partitionColumns: ["p"], configuration }),
        add("f", { stats, partitionValues: { p: "2024-01-31" } }),
        add("g", { partitionValues: { p: "" } }),
      ],
    ]);
    await writeCheckpoint(localStore, table);
    const rows = await parquetRows(`${logFolder(table)}/00000000000000000000.checkpoint.parquet`);
    return Object(rows.find((row) => Object(row["add"]).path === "f")?.["add"]);
  }

  it("are JSON text, as long as the properties say nothing else", async () => {
    const row = await checkpointOf({});
    expect(row["stats"]).toBe(stats);
    expect(row).not.toHaveProperty("stats_parsed");
    expect(row).not.toHaveProperty("partitionValues_parsed");
  });

  it("are typed structs where delta.checkpoint.writeStatsAsStruct is on", async () => {
    const row = await checkpointOf({
      "delta.checkpoint.writeStatsAsStruct": "true",
      "delta.checkpoint.writeStatsAsJson": "false",
    });
    expect(row).not.toHaveProperty("stats");
    expect(row["partitionValues_parsed"]).toEqual({ p: new Date("2024-01-31") });
    expect(row["stats_parsed"]).toMatchObject({
      numRecords: 2n,
      tightBounds: true,
      minValues: {
        id: 9007199254740993n,
        day: new Date("2024-02-29"),
        at: new Date("2024-05-01T10:00:00.123Z"),
        inner: { text: "a" },
      },
      maxValues: { id: 9223372036854775807n, amount: 1, at: new Date("2024-05-01T10:00:00.5Z"), inner: { text: "ü" } },
      nullCount: { flag: 2n, amount: 1n, inner: { text: 0n } },
    });
    // hyparquet gives decimals as floating-point numbers, so only the size of this one can be told here.
    expect(Object(row["stats_parsed"]).minValues.amount).toBeCloseTo(-1.2345678901234568e20, -8);
    expect(Object(row["stats_parsed"]).minValues).not.toHaveProperty("flag");
  });

  it("of which only structs are there come back, exact or wider", async () => {
    const table = await temporaryFolder();
    const configuration = {
      "delta.checkpoint.writeStatsAsStruct": "true",
      "delta.checkpoint.writeStatsAsJson": "false",
    };
    const metadata = metaData({ schemaString: formatSchema(schema), partitionColumns: ["p"], configuration });
    await writeLog(table, [[PROTOCOL, metadata, add("f", { stats, partitionValues: { p: "2024-01-31" } })]]);
    await writeCheckpoint(localStore, table);
    const file = (await snapshotOf(table)).files[0];
    // Two digits behind the point by the type; times in UTC.
    expect(file?.stats).toBe(
      '{"numRecords":2,"minValues":{"id":9007199254740993,"amount":-123456789012345678901.25,"day":"2024-02-29",' +
        '"at":"2024-05-01T10:00:00.123Z","inner":{"text":"a"}},"maxValues":{"id":9223372036854775807,"amount":1.00,' +
        '"day":"2024-03-01","at":"2024-05-01T10:00:00.500Z","inner":{"text":"ü"}},' +
        '"nullCount":{"id":0,"amount":1,"day":0,"at":0,"flag":2,"inner":{"text":0}},"tightBounds":true}',
    );
  });
});

describe("the case V42", () => {
  const input = join(import.meta.dirname, "../../../../../shared/cases/V42/input.table");

  it("as it stands in the shared cases", async ({ skip }) => {
    const table = await temporaryFolder();
    await cp(input, table, { recursive: true }).catch(() => skip("the shared cases are not here"));
    const snapshot = await snapshotOf(table);
    expect(snapshot.files).toHaveLength(5);
    expect(snapshot.warnings).toEqual([expect.stringContaining("00000000000000000003.checkpoint.parquet")]);
    await writeFile(commitPath(table, 5n), `${JSON.stringify(add("f6"))}\n`);
    await writeCheckpoint(localStore, table);
    const after = await snapshotOf(table);
    expect(after.files).toHaveLength(6);
    expect(after.warnings).toEqual([]);
  });
});

describe("statistics in a checkpoint", () => {
  async function cleanedTable(): Promise<{ table: string; path: string }> {
    const table = await writeTable();
    const { paths } = await writeCheckpoint(localStore, table, { now: () => 0 });
    await rm(commitPath(table, 0n));
    return { table, path: paths[0] ?? "" };
  }

  it("are there for whoever asks, spreads or lists a file", async () => {
    const { table } = await cleanedTable();
    const file = (await snapshotOf(table)).files.find(({ path }) => path === "plain");
    expect(file?.stats).toBe('{"numRecords":3}');
    expect({ ...file, size: 7 }).toMatchObject({ stats: '{"numRecords":3}', path: "plain" });
    expect(JSON.parse(JSON.stringify(file))).toMatchObject({ stats: '{"numRecords":3}' });
    const other = (await snapshotOf(table)).files.find(({ path }) => path === "c");
    expect(other).toMatchObject({ path: "c" });
    expect(other?.stats).toBeUndefined();
  });

  it("that turn out to be damaged are refused with the checkpoint's path", async () => {
    const { table, path } = await cleanedTable();
    const content = await readFile(path);
    content[content.indexOf('{"numRecords":3}') - 4] = 99;
    await writeFile(path, content);
    const file = (await snapshotOf(table)).files.find((candidate) => candidate.path === "plain");
    expect(() => file?.stats).toThrow(expect.objectContaining({ code: "DELTA_TABLE_UNREADABLE", table, path }));
  });

  it("make the checkpoint unreadable where their page does not decompress", async () => {
    const { table, path } = await cleanedTable();
    const content = await readFile(path);
    content[content.indexOf('{"numRecords":3}') - 5] = 0xff;
    await writeFile(path, content);
    await expect(snapshotOf(table)).rejects.toMatchObject({ code: "DELTA_TABLE_UNREADABLE", path });
  });
});
