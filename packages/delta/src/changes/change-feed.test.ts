import { describe, expect, it } from "vitest";
import { formatRows } from "../files/roaring-bitmap.js";
import { encodeZ85 } from "../files/z85.js";
import { formatSchema } from "../schema/schema.js";
import { cleanUpLog } from "../snapshot/clean-up-log.js";
import { writeCheckpoint } from "../snapshot/write-checkpoint.js";
import { localStore } from "../store/local-store.js";
import {
  add,
  ID_SCHEMA,
  metaData,
  PROTOCOL,
  remove,
  snapshotOf,
  temporaryFolder,
  writeLog,
} from "../testing/test-log.js";
import { readChangeFeed, type VersionFeed } from "./change-feed.js";

const ON = { configuration: { "delta.enableChangeDataFeed": "true" } };
const START = [PROTOCOL, metaData(ON)];

function vector(...rows: number[]): object {
  const bytes = formatRows(Float64Array.from(rows));
  const descriptor = { storageType: "i", pathOrInlineDv: encodeZ85(bytes), sizeInBytes: bytes.length };
  return { deletionVector: { ...descriptor, cardinality: rows.length } };
}

const V2_PROTOCOL = {
  protocol: {
    minReaderVersion: 3,
    minWriterVersion: 7,
    readerFeatures: ["v2Checkpoint"],
    writerFeatures: ["v2Checkpoint", "changeDataFeed"],
  },
};

/** The feed of a table made of these commits: `path change rows`, by version. */
async function feedOf(commits: readonly (readonly object[])[], from = 0n): Promise<string[][]> {
  const table = await temporaryFolder();
  await writeLog(table, commits);
  const versions: VersionFeed[] = [];
  for await (const version of readChangeFeed(localStore, await snapshotOf(table), from)) versions.push(version);
  return versions.map(({ changes }) =>
    changes.map(({ path, changeType = "file", rows }) => {
      const [kind, positions] = Object.entries(rows ?? { all: [] })[0] ?? [];
      return `${path} ${changeType} ${kind} ${[...(positions ?? [])]}`.trim();
    }),
  );
}

describe("readChangeFeed", () => {
  it("tells a version by its change files alone, where it has some", async () => {
    const cdc = { cdc: { path: "_change_data/c", partitionValues: {}, size: 1, dataChange: false } };
    expect(await feedOf([START, [remove("a"), add("b"), cdc]])).toEqual([[], ["_change_data/c file all"]]);
  });

  it("takes added and removed files else, but for those that moved rows only", async () => {
    expect(
      await feedOf([
        [...START, add("a")],
        [remove("a"), add("b", vector(3))],
        [remove("b", { ...vector(3), dataChange: false }), add("c", { dataChange: false })],
        [remove("c", vector(1, 2))],
      ]),
    ).toEqual([["a insert all"], ["b insert except 3", "a delete all"], [], ["c delete except 1,2"]]);
  });

  it("compares the deletion vectors of a file that stays", async () => {
    expect(
      await feedOf([
        [...START, add("a")],
        [remove("a"), add("a", vector(1, 4))],
        [remove("a", vector(1, 4)), add("a", vector(0, 4, 9))],
        [remove("a", vector(0, 4, 9)), add("a")],
      ]),
    ).toEqual([
      ["a insert all"],
      ["a delete only 1,4"],
      ["a delete only 0,9", "a insert only 1"],
      ["a insert only 0,4,9"],
    ]);
  });

  it("passes over a merge that changed no row and rewrote a file, as Spark does", async () => {
    const operationMetrics = { numTargetRowsInserted: "0", numTargetRowsUpdated: "0", numTargetRowsDeleted: "0" };
    const merge = { commitInfo: { operation: "MERGE", operationMetrics } };
    expect(await feedOf([START, [merge, remove("a"), add("b")]])).toEqual([[], []]);
  });

  it("begins where it is told, and is empty beyond the snapshot", async () => {
    const commits = [START, [add("a")], [add("b")]];
    expect(await feedOf(commits, 2n)).toEqual([["b insert all"]]);
    expect(await feedOf(commits, 3n)).toEqual([]);
  });

  it.each(["parquet", "json"] as const)("goes on across checkpoints (%s), and begins behind one", async (format) => {
    const table = await temporaryFolder();
    await writeLog(table, [
      [format === "json" ? V2_PROTOCOL : PROTOCOL, metaData(ON), add("a")],
      [add("b")],
      [remove("a")],
      [add("c", vector(0))],
      [remove("b"), add("d")],
    ]);
    for (const version of [1n, 3n]) await writeCheckpoint(localStore, table, { version, format });
    const changes = async (from: bigint) => {
      const found: [bigint, string[]][] = [];
      for await (const { version, changes } of readChangeFeed(localStore, await snapshotOf(table), from))
        found.push([version, changes.map(({ path, changeType }) => `${path} ${changeType}`)]);
      return found;
    };
    const all = [
      [0n, ["a insert"]],
      [1n, ["b insert"]],
      [2n, ["a delete"]],
      [3n, ["c insert"]],
      [4n, ["d insert", "b delete"]],
    ];
    expect(await changes(0n)).toEqual(all);
    // Without the commits below the last checkpoint only what came with it and after it can be told.
    await cleanUpLog(localStore, table, { keepFrom: 3n });
    await expect(changes(2n)).rejects.toMatchObject({ code: "DELTA_VERSION_NOT_FOUND" });
    expect(await changes(4n)).toEqual(all.slice(4));
  });

  it("refuses versions in which the feed was off", async () => {
    const missing = { code: "DELTA_MISSING_CHANGE_DATA" };
    const commits = [[PROTOCOL, metaData()], [metaData(ON)], [metaData()], [metaData(ON)]];
    await expect(feedOf(commits, 0n)).rejects.toMatchObject({ ...missing, version: 0n });
    await expect(feedOf(commits, 1n)).rejects.toMatchObject({ ...missing, version: 2n });
    expect(await feedOf(commits, 3n)).toEqual([[]]);
  });

  it.each([
    ["other is gone", { name: "other" }],
    ["id was string and is long", { type: { kind: "string" } as const }],
    ["id is another column", { metadata: { "delta.columnMapping.physicalName": "p" } }],
  ])("refuses rows that do not fit the snapshot: %s", async (message, change) => {
    const fields = ID_SCHEMA.fields.map((field) => ({ ...field, ...change }));
    const older = metaData({ ...ON, schemaString: formatSchema({ kind: "struct", fields }) });
    await expect(feedOf([[PROTOCOL, older], [metaData(ON)]])).rejects.toMatchObject({
      code: "DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_SCHEMA_CHANGE",
      version: 0n,
      message: expect.stringContaining(message),
    });
  });

  it("takes columns that came later", async () => {
    const later = { name: "x", type: { kind: "string" }, nullable: true, metadata: {} } as const;
    const schemaString = formatSchema({ kind: "struct", fields: [...ID_SCHEMA.fields, later] });
    expect(await feedOf([START, [metaData({ ...ON, schemaString }), add("a")]])).toEqual([[], ["a insert all"]]);
  });
});
