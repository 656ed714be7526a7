import { describe, expect, it } from "vitest";
import type { DeletionVector } from "../log/actions.js";
import { parseJson } from "../log/json.js";
import { commitPath } from "../log/log-files.js";
import { readSnapshot, type Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "../testing/memory-store.js";
import { ID_SCHEMA } from "../testing/test-log.js";
import { type Change, type NewFile, READS_NOTHING } from "./change.js";
import { commit, createTable } from "./transaction.js";

const T = "/t";
const UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const stats = (numRecords: number): string => `{"numRecords":${numRecords}}`;
const file = (path: string, more: Partial<NewFile> = {}): NewFile => ({ path, size: 10, stats: stats(5), ...more });
const vector = (name: string, cardinality: bigint): DeletionVector => ({
  storageType: "u",
  pathOrInlineDv: name,
  offset: 1,
  sizeInBytes: 34,
  cardinality,
});

/** A table at version 1 with the files a and b of five rows each; the clock stands. */
async function newTable(configuration: Record<string, string> = {}, now = 1000) {
  const store = memoryStore(() => now);
  const clock = { now: () => now };
  await createTable(store, T, { schema: ID_SCHEMA, configuration }, { operation: "CREATE TABLE" }, clock);
  const append = { operation: "WRITE", add: [file("a"), file("b")], isBlindAppend: true };
  await commit(store, await snapshotOf(store), append, clock);
  return { store, commitNow: async (change: Change) => commit(store, await snapshotOf(store), change, clock) };
}

async function snapshotOf(store: Store): Promise<Snapshot> {
  return (await readSnapshot(store, T)) as Snapshot;
}

/** biome-ignore lint/suspicious/noExplicitAny: the log as another reader sees it */
async function linesOf(store: Store, version: bigint): Promise<any[]> {
  const text = new TextDecoder().decode(await store.read(commitPath(T, version)));
  return text.trimEnd().split("\n").map(parseJson);
}

const fileNamed = async (store: Store, path: string) => {
  const found = (await snapshotOf(store)).files.find((candidate) => candidate.path === path);
  if (found === undefined) throw new Error(`no file ${path}`);
  return found;
};

const VECTORS = { "delta.enableDeletionVectors": "true" };

describe("deletion vectors", () => {
  it("come as the removal of the file with the old vector and its addition with the new one", async () => {
    const { store, commitNow } = await newTable(VECTORS);
    await commitNow({
      operation: "DELETE",
      mask: [{ file: await fileNamed(store, "a"), deletionVector: vector("x", 2n) }],
    });
    const first = await linesOf(store, 2n);
    expect(first.slice(1)).toEqual([
      {
        remove: {
          path: "a",
          partitionValues: {},
          size: 10,
          dataChange: true,
          deletionTimestamp: 1000,
          extendedFileMetadata: true,
        },
      },
      {
        add: {
          path: "a",
          partitionValues: {},
          size: 10,
          modificationTime: 1000,
          dataChange: true,
          stats: '{"numRecords":5,"tightBounds":false}',
          deletionVector: { storageType: "u", pathOrInlineDv: "x", offset: 1, sizeInBytes: 34, cardinality: 2 },
        },
      },
    ]);
    await commitNow({
      operation: "DELETE",
      mask: [{ file: await fileNamed(store, "a"), deletionVector: vector("y", 3n) }],
    });
    const [, { remove }, { add }] = await linesOf(store, 3n);
    expect(remove.deletionVector.pathOrInlineDv).toBe("x");
    expect(add).toMatchObject({
      deletionVector: { pathOrInlineDv: "y" },
      stats: '{"numRecords":5,"tightBounds":false}',
    });
    expect((await snapshotOf(store)).files.map(({ path }) => path).sort()).toEqual(["a", "b"]);
  });

  it("are refused where they cannot be", async () => {
    const { store, commitNow } = await newTable();
    const masked = { file: await fileNamed(store, "a"), deletionVector: vector("x", 2n) };
    const refused = (change: Partial<Change>, message: string) =>
      expect(commitNow({ operation: "DELETE", ...change })).rejects.toThrow(message);
    await refused({ mask: [masked] }, "delta.enableDeletionVectors is not true");
    await refused({ add: [file("c", { deletionVector: vector("x", 2n) })] }, "lacks the feature deletionVectors");
    await commitNow({ operation: "SET", metadata: { configuration: VECTORS } });
    await refused(
      { mask: [{ ...masked, deletionVector: vector("x", 6n) }] },
      "a holds 5 rows, and its deletion vector 6",
    );
    await refused({ mask: [masked], remove: [masked.file] }, "it removes a, which is not in the table");
    await refused(
      { mask: [{ file: masked.file, deletionVector: undefined }] },
      "the deletion vector that the file has",
    );
    await commitNow({ operation: "WRITE", add: [{ path: "c", size: 1 }] });
    await expect(
      commitNow({ operation: "DELETE", mask: [{ ...masked, file: await fileNamed(store, "c") }] }),
    ).rejects.toMatchObject({ code: "DELTA_DELETION_VECTOR_MISSING_NUM_RECORDS" });
  });
});

describe("rows that only move", () => {
  it("say so in every action, and are as many as before", async () => {
    const { store, commitNow } = await newTable(VECTORS);
    await commitNow({
      operation: "DELETE",
      mask: [{ file: await fileNamed(store, "a"), deletionVector: vector("x", 2n) }],
    });
    const change = { operation: "OPTIMIZE", remove: "all", dataChange: false } as const;
    await expect(commitNow({ ...change, add: [file("c", { stats: stats(7) })] })).rejects.toThrow(
      "it moves 8 rows and puts down 7",
    );
    await commitNow({ ...change, add: [file("c", { stats: stats(8), clusteringProvider: "liquid" })] });
    const [{ commitInfo }, ...lines] = await linesOf(store, 3n);
    expect(commitInfo.isolationLevel).toBe("SnapshotIsolation");
    expect(lines.map((line) => [Object.keys(line)[0], (line.add ?? line.remove).dataChange])).toEqual([
      ["remove", false],
      ["remove", false],
      ["add", false],
    ]);
    expect(lines[2].add.clusteringProvider).toBe("liquid");
  });

  it("may leave an append-only table", async () => {
    const { commitNow } = await newTable({ "delta.appendOnly": "true" });
    const change = { remove: "all", add: [file("c", { stats: stats(10) })] } as const;
    await expect(commitNow({ operation: "WRITE", ...change })).rejects.toMatchObject({
      code: "DELTA_CANNOT_MODIFY_APPEND_ONLY",
    });
    expect(await commitNow({ operation: "OPTIMIZE", ...change, dataChange: false })).toEqual({ version: 2n });
  });
});

describe("change files", () => {
  const FEED = { "delta.enableChangeDataFeed": "true" };

  it("come as cdc actions, which change no data", async () => {
    const { store, commitNow } = await newTable(FEED);
    const remove = [await fileNamed(store, "a")];
    const changeFiles = [file("_change_data/c 1"), file("n")];
    await commitNow({ operation: "UPDATE", remove, add: [file("n")], changeFiles });
    expect((await linesOf(store, 2n)).slice(3)).toEqual([
      { cdc: { path: "_change_data/c%201", partitionValues: {}, size: 10, dataChange: false } },
      { cdc: { path: "n", partitionValues: {}, size: 10, dataChange: false } },
    ]);
  });

  it("may be left out by who says that no row moved", async () => {
    const { store, commitNow } = await newTable(FEED);
    const change = { operation: "WRITE", remove: [await fileNamed(store, "a")], add: [file("n")] };
    await expect(commitNow(change)).rejects.toThrow("changeDataFeed");
    expect(await commitNow({ ...change, changeFiles: [] })).toEqual({ version: 2n });
  });

  it("are refused elsewhere", async () => {
    const fed = await newTable(FEED);
    const add = [file("n")];
    await expect(fed.commitNow({ operation: "UPDATE", add, changeFiles: [file("x")] })).rejects.toThrow("_change_data");
    const plain = await newTable();
    const changeFiles = [file("_change_data/c")];
    await expect(plain.commitNow({ operation: "UPDATE", add, changeFiles })).rejects.toThrow(
      "without a change data feed",
    );
  });
});

describe("row tracking", () => {
  const TRACKED = { "delta.enableRowTracking": "true", ...VECTORS };
  const idsOf = ({ files }: Snapshot) =>
    Object.fromEntries(
      files.map(({ path, baseRowId, defaultRowCommitVersion }) => [path, [baseRowId, defaultRowCommitVersion]]),
    );

  it("names hidden columns, gives ids, keeps them under new vectors, and moves the mark", async () => {
    const { store, commitNow } = await newTable(TRACKED);
    const created = await snapshotOf(store);
    expect(created.metadata.configuration).toMatchObject({
      "delta.rowTracking.materializedRowIdColumnName": expect.stringMatching(`^_row-id-col-${UUID}$`),
      "delta.rowTracking.materializedRowCommitVersionColumnName": expect.stringMatching(
        `^_row-commit-version-col-${UUID}$`,
      ),
    });
    expect(created.protocol.writerFeatures).toEqual(expect.arrayContaining(["domainMetadata", "rowTracking"]));
    expect(idsOf(created)).toEqual({ a: [0n, 1n], b: [5n, 1n] });
    expect(created.domains.get("delta.rowTracking")).toBe('{"rowIdHighWaterMark":9}');

    const mask = [{ file: await fileNamed(store, "b"), deletionVector: vector("x", 1n) }];
    await commitNow({ operation: "MERGE", mask, add: [file("c")], rowIdsPreserved: true });
    const masked = await snapshotOf(store);
    expect(idsOf(masked)).toEqual({ a: [0n, 1n], b: [5n, 1n], c: [10n, 2n] });
    expect(masked.domains.get("delta.rowTracking")).toBe('{"rowIdHighWaterMark":14}');
    const [{ commitInfo }, , { remove }] = await linesOf(store, 2n);
    expect(commitInfo.tags).toEqual({ "delta.rowTracking.preserved": "true" });
    expect(remove).toMatchObject({ path: "b", baseRowId: 5, defaultRowCommitVersion: 1 });
    // A table keeps the names, whatever properties it is given.
    await commitNow({ operation: "SET", metadata: { configuration: TRACKED } });
    expect((await snapshotOf(store)).metadata.configuration).toEqual(created.metadata.configuration);
  });

  it("says when ids are not kept", async () => {
    const { store, commitNow } = await newTable(TRACKED);
    await commitNow({ operation: "UPDATE", remove: [await fileNamed(store, "a")], add: [file("c")] });
    await commitNow({ operation: "DELETE", remove: [await fileNamed(store, "b")] });
    await commitNow({ operation: "WRITE", remove: "all", add: [file("d")] });
    const tags = await Promise.all([2n, 3n, 4n].map(async (v) => (await linesOf(store, v))[0].commitInfo.tags));
    expect(tags.map((tag) => tag["delta.rowTracking.preserved"])).toEqual(["false", "true", "true"]);
  });

  it("begins on a table with files by stating them again with ids, in the same commit", async () => {
    const { store, commitNow } = await newTable();
    await commitNow({ operation: "SET TBLPROPERTIES", metadata: { configuration: TRACKED } });
    const lines = await linesOf(store, 2n);
    expect(lines.map((line) => Object.keys(line)[0])).toEqual([
      "commitInfo",
      "protocol",
      "metaData",
      "domainMetadata",
      "add",
      "add",
    ]);
    expect(lines[4].add).toMatchObject({ path: "a", dataChange: false, baseRowId: 0, defaultRowCommitVersion: 2 });
    expect(idsOf(await snapshotOf(store))).toEqual({ a: [0n, 2n], b: [5n, 2n] });
    expect((await snapshotOf(store)).files).toHaveLength(2);
  });

  it("does not begin behind an append, whose rows would have no ids", async () => {
    const { store, commitNow } = await newTable();
    const full = await snapshotOf(store);
    const empty = (await readSnapshot(store, T, { version: 0n })) as Snapshot;
    await commitNow({ operation: "WRITE", add: [file("c")], isBlindAppend: true });
    const start = { operation: "SET", metadata: { configuration: TRACKED }, reads: READS_NOTHING, dataChange: false };
    for (const before of [full, empty])
      await expect(commit(store, before, start)).rejects.toMatchObject({ code: "DELTA_CONCURRENT_APPEND" });
  });

  it("does not begin behind a removal, whose rows would come back", async () => {
    const { store, commitNow } = await newTable();
    const before = await snapshotOf(store);
    await commitNow({ operation: "DELETE", remove: [await fileNamed(store, "a")] });
    const start = { operation: "SET", metadata: { configuration: TRACKED }, reads: READS_NOTHING };
    await expect(commit(store, before, start)).rejects.toMatchObject({ code: "DELTA_CONCURRENT_DELETE_READ" });
  });

  it("gives ids where it is supported and not enabled, none where it is suspended", async () => {
    const { store, commitNow } = await newTable({ "delta.feature.rowTracking": "supported" });
    expect(idsOf(await snapshotOf(store))).toEqual({ a: [0n, 1n], b: [5n, 1n] });
    expect((await linesOf(store, 1n))[0].commitInfo.tags).toBeUndefined();
    await commitNow({ operation: "SET", metadata: { configuration: { "delta.rowTrackingSuspended": "true" } } });
    await commitNow({ operation: "WRITE", add: [file("c")] });
    expect(idsOf(await snapshotOf(store))).toMatchObject({ c: [undefined, undefined] });
    const both = { "delta.rowTrackingSuspended": "true", ...TRACKED };
    await expect(commitNow({ operation: "SET", metadata: { configuration: both } })).rejects.toMatchObject({
      code: "DELTA_ROW_TRACKING_ILLEGAL_PROPERTY_COMBINATION",
    });
  });

  it("needs to know how many rows a file holds", async () => {
    const { commitNow } = await newTable(TRACKED);
    await expect(commitNow({ operation: "WRITE", add: [{ path: "c", size: 1 }] })).rejects.toMatchObject({
      code: "DELTA_ROW_ID_ASSIGNMENT_WITHOUT_STATS",
    });
  });

  it("takes the ids that files bring, and gives none of them again", async () => {
    const { store, commitNow } = await newTable(TRACKED);
    const adopted = file("z", { baseRowId: 40n, defaultRowCommitVersion: 0n });
    await commitNow({ operation: "RESTORE", add: [adopted, file("c")] });
    expect(idsOf(await snapshotOf(store))).toMatchObject({ z: [40n, 0n], c: [45n, 2n] });
    expect((await snapshotOf(store)).domains.get("delta.rowTracking")).toBe('{"rowIdHighWaterMark":49}');
  });
});

describe("in-commit timestamps", () => {
  const TIMES = { "delta.enableInCommitTimestamps": "true" };
  const times = async (store: Store, ...versions: bigint[]) =>
    Promise.all(versions.map(async (v) => (await linesOf(store, v))[0].commitInfo.inCommitTimestamp));

  it("grow though the clock stands, also behind commits of others", async () => {
    const { store } = await newTable(TIMES);
    const before = await snapshotOf(store);
    for (const path of ["c", "d", "e"])
      await commit(store, before, { operation: "WRITE", add: [file(path)], isBlindAppend: true }, { now: () => 900 });
    expect(await times(store, 0n, 1n, 2n, 3n, 4n)).toEqual([1000, 1001, 1002, 1003, 1004]);
    expect((await snapshotOf(store)).timestamp).toBe(1004);
    expect((await snapshotOf(store)).metadata.configuration).toEqual(TIMES);
  });

  it("tell where they begin on a table with commits, later than the file before", async () => {
    const { store, commitNow } = await newTable();
    const before = await snapshotOf(store);
    await commitNow({ operation: "WRITE", add: [file("c")], isBlindAppend: true });
    // Version 2 was another writer's, at 1002 by the rule that files' times grow.
    const change = {
      operation: "SET",
      metadata: { configuration: TIMES },
      reads: READS_NOTHING,
    };
    expect(await commit(store, before, change, { now: () => 900 })).toEqual({ version: 3n });
    expect(await times(store, 1n, 3n)).toEqual([undefined, 1003]);
    const enabled = {
      ...TIMES,
      "delta.inCommitTimestampEnablementVersion": "3",
      "delta.inCommitTimestampEnablementTimestamp": "1003",
    };
    expect((await snapshotOf(store)).metadata.configuration).toEqual(enabled);
    await commitNow({ operation: "SET", metadata: { configuration: { ...TIMES, k: "v" } } });
    expect((await snapshotOf(store)).metadata.configuration).toEqual({ ...enabled, k: "v" });
    await commitNow({ operation: "SET", metadata: { configuration: {} } });
    expect((await snapshotOf(store)).metadata.configuration).toEqual({});
    expect(await times(store, 5n)).toEqual([undefined]);
  });
});

describe("metadata domains", () => {
  it("are set and removed, with what they were, and bring their features", async () => {
    const { store, commitNow } = await newTable();
    await commitNow({ operation: "X", domains: new Map([["d", "1"]]) });
    expect((await snapshotOf(store)).protocol).toMatchObject({ minReaderVersion: 1, minWriterVersion: 7 });
    expect((await snapshotOf(store)).domains).toEqual(new Map([["d", "1"]]));
    await commitNow({
      operation: "X",
      domains: new Map([
        ["d", undefined],
        ["none", undefined],
      ]),
    });
    expect((await linesOf(store, 3n)).slice(1)).toEqual([
      { domainMetadata: { domain: "d", configuration: "1", removed: true } },
    ]);
    await expect(commitNow({ operation: "X", domains: new Map([["delta.rowTracking", "{}"]]) })).rejects.toMatchObject({
      code: "DELTA_DOMAIN_METADATA_NOT_SUPPORTED",
    });
  });

  it("of clustering ask every new file for statistics, and no partitions", async () => {
    const { store, commitNow } = await newTable();
    const clustering = new Map([["delta.clustering", '{"clusteringColumns":[["id"]]}']]);
    await commitNow({ operation: "CLUSTER BY", domains: clustering });
    expect((await snapshotOf(store)).protocol.writerFeatures).toEqual(
      expect.arrayContaining(["clustering", "domainMetadata"]),
    );
    await expect(commitNow({ operation: "WRITE", add: [file("c")] })).rejects.toMatchObject({
      code: "DELTA_CLUSTERING_COLUMN_MISSING_STATS",
    });
    const withCount = file("c", { stats: '{"numRecords":5,"nullCount":{"id":5}}' });
    expect(await commitNow({ operation: "WRITE", add: [withCount] })).toEqual({ version: 3n });
    const partitioned = { operation: "WRITE", remove: "all", metadata: { partitionColumns: ["id"] } } as const;
    await expect(commitNow(partitioned)).rejects.toMatchObject({ code: "DELTA_CLUSTER_BY_WITH_PARTITIONED_BY" });
  });
});

describe("definitions", () => {
  it("state partition values by physical names", async () => {
    const store = memoryStore();
    const definition = {
      schema: ID_SCHEMA,
      partitionColumns: ["id"],
      configuration: { "delta.columnMapping.mode": "name" },
    };
    await createTable(store, T, definition, { operation: "CREATE TABLE" });
    const snapshot = await snapshotOf(store);
    const name = String(snapshot.schema.fields[0]?.metadata["delta.columnMapping.physicalName"]);
    expect(name).toMatch(new RegExp(`^col-${UUID}$`));
    const append = (column: string): Change => ({
      operation: "WRITE",
      add: [file("c", { partitionValues: { [column]: "1" } })],
    });
    await expect(commit(store, snapshot, append("id"))).rejects.toThrow(`the partition columns [${name}]`);
    expect(await commit(store, snapshot, append(name))).toEqual({ version: 1n });
  });

  it("are partitioned anew only when every file goes", async () => {
    const { store, commitNow } = await newTable();
    const metadata = { partitionColumns: ["id"] };
    const add = [file("c", { partitionValues: { id: "1" } })];
    await expect(commitNow({ operation: "WRITE", metadata, add })).rejects.toThrow(
      "partition columns of files that stay",
    );
    await commitNow({ operation: "WRITE", metadata, add, remove: "all" });
    expect((await snapshotOf(store)).metadata.partitionColumns).toEqual(["id"]);
  });

  it("do not store what only raises the protocol", async () => {
    const { store } = await newTable({
      "delta.feature.vacuumProtocolCheck": "supported",
      "delta.minWriterVersion": "3",
    });
    const { metadata, protocol } = await snapshotOf(store);
    expect(metadata.configuration).toEqual({});
    expect(protocol).toMatchObject({ minReaderVersion: 3, readerFeatures: ["vacuumProtocolCheck"] });
  });
});

describe("files of other tables", () => {
  it("have absolute paths in a clone", async () => {
    const store = memoryStore();
    const add = [file("/source/a b"), file("s3://bucket/p=1%202/c")];
    await createTable(store, T, { schema: ID_SCHEMA }, { operation: "CLONE", add });
    expect((await linesOf(store, 0n)).slice(3).map((line) => line.add.path)).toEqual([
      "file:/source/a%20b",
      "s3://bucket/p=1%25202/c",
    ]);
    expect((await snapshotOf(store)).files.map(({ path }) => path)).toEqual(add.map(({ path }) => path));
  });
});
