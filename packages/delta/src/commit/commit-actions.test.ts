import { describe, expect, it } from "vitest";
import { memoryStore } from "../testing/memory-store.js";
import { ID_SCHEMA } from "../testing/test-log.js";
import { file, fileNamed, linesOf, newTable, snapshotOf, stats, vector } from "../testing/two-files.js";
import type { Change } from "./change.js";
import { commit, createTable } from "./transaction.js";

const T = "/t";
const UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
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
