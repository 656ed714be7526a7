import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readActions } from "../log/log.js";
import { formatSchema, type StructType } from "../schema/schema.js";
import { readHistory } from "../snapshot/history.js";
import { localStore } from "../store/local-store.js";
import {
  add,
  ID_SCHEMA,
  metaData,
  PROTOCOL,
  pathsOf,
  remove,
  snapshotOf,
  temporaryFolder,
  writeLog,
} from "../testing/test-log.js";
import { field, struct } from "../testing/test-schema.js";
import { filesBetween, restore } from "./restore.js";

const STATS = '{"numRecords":10}';
const VECTOR = {
  storageType: "u",
  pathOrInlineDv: "ab^-aqEH.-t@S}K{vb[*k^",
  offset: 4,
  sizeInBytes: 40,
  cardinality: 6,
};
const VECTOR_FILE = "ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin";
const VECTORS = {
  protocol: {
    minReaderVersion: 3,
    minWriterVersion: 7,
    readerFeatures: ["deletionVectors"],
    writerFeatures: ["deletionVectors"],
  },
};
const TWO_COLUMNS: StructType = {
  kind: "struct",
  fields: [...ID_SCHEMA.fields, { name: "name", type: { kind: "string" }, nullable: true, metadata: {} }],
};

async function touch(table: string, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(table, path)), { recursive: true });
    await writeFile(join(table, path), "");
  }
}

describe("restore", () => {
  test("brings back files, schema and properties, and names what it did as Spark does", async () => {
    const table = await temporaryFolder();
    const configuration = { "delta.appendOnly": "false" };
    await writeLog(table, [
      [PROTOCOL, metaData({ configuration }), add("a.parquet", { size: 10 }), add("b.parquet", { size: 20 })],
      [remove("a.parquet", { size: 10 }), add("c.parquet", { size: 40 })],
      [metaData({ schemaString: formatSchema(TWO_COLUMNS), configuration: { other: "x" } })],
      [{ txn: { appId: "flow", version: 7 } }],
    ]);
    await touch(table, "a.parquet", "b.parquet", "c.parquet");
    const result = await restore(localStore, table, { version: 0n });
    expect(result).toEqual({
      version: 4n,
      metrics: {
        tableSizeAfterRestore: 30,
        numOfFilesAfterRestore: 2,
        numRemovedFiles: 1,
        numRestoredFiles: 1,
        removedFilesSize: 40,
        restoredFilesSize: 10,
      },
    });
    const snapshot = await snapshotOf(table);
    expect(pathsOf(snapshot)).toEqual(["a.parquet", "b.parquet"]);
    expect(snapshot.schema).toEqual(ID_SCHEMA);
    expect(snapshot.metadata.configuration).toEqual(configuration);
    expect(snapshot.transactions.get("flow")).toBe(7n);
    const [entry] = await readHistory(localStore, table);
    expect(entry?.operation).toBe("RESTORE");
    expect(entry?.operationParameters).toEqual(new Map([["version", "0"]]));
    expect(entry?.operationMetrics.get("numRestoredFiles")).toBe("1");
  });

  test("gives a file its older deletion vector, or none, in one remove and one add", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [
      [
        VECTORS,
        metaData({ configuration: { "delta.enableDeletionVectors": "true" } }),
        add("a.parquet", { stats: STATS }),
      ],
      [remove("a.parquet"), add("a.parquet", { stats: STATS, deletionVector: VECTOR })],
    ]);
    await touch(table, "a.parquet", VECTOR_FILE);
    await restore(localStore, table, { version: 0n });
    expect((await snapshotOf(table)).files).toMatchObject([{ path: "a.parquet", deletionVector: undefined }]);
    await restore(localStore, table, { version: 1n });
    const [file] = (await snapshotOf(table)).files;
    expect(file?.deletionVector).toEqual({ ...VECTOR, cardinality: 6n });
    const actions = await readActions(localStore, table, 3n);
    expect(
      actions.flatMap((action) => ("add" in action || "remove" in action ? [Object.keys(action)[0]] : [])),
    ).toEqual(["remove", "add"]);
  });

  test("never lowers the protocol, and keeps clustering as a feature without columns", async () => {
    const table = await temporaryFolder();
    const protocol = { minReaderVersion: 1, minWriterVersion: 7, writerFeatures: ["clustering", "domainMetadata"] };
    const domain = {
      domain: "delta.clustering",
      configuration: '{"clusteringColumns":[["id"]],"domainName":"delta.clustering"}',
      removed: false,
    };
    await writeLog(table, [
      [PROTOCOL, metaData()],
      [{ protocol }, { domainMetadata: domain }],
    ]);
    await restore(localStore, table, { version: 0n });
    const snapshot = await snapshotOf(table);
    expect(snapshot.protocol.writerFeatures).toEqual(expect.arrayContaining(["clustering", "domainMetadata"]));
    expect(JSON.parse(snapshot.domains.get("delta.clustering") ?? "")).toEqual({
      clusteringColumns: [],
      domainName: "delta.clustering",
    });
    await restore(localStore, table, { version: 1n });
    expect((await snapshotOf(table)).domains.get("delta.clustering")).toBe(domain.configuration);
  });

  test("leads back behind a column mapping and a widened type", async () => {
    const table = await temporaryFolder();
    const schemaString = formatSchema(struct(field("id", "integer")));
    const change = { fromType: "integer", toType: "long" };
    const widened = field("id", "long", {
      metadata: {
        "delta.columnMapping.id": 1,
        "delta.columnMapping.physicalName": "id",
        "delta.typeChanges": [change],
      },
    });
    const features = ["columnMapping", "typeWidening"];
    const protocol = { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: features, writerFeatures: features };
    const configuration = { "delta.columnMapping.mode": "name", "delta.columnMapping.maxColumnId": "1" };
    await writeLog(table, [
      [PROTOCOL, metaData({ schemaString }), add("a.parquet")],
      [{ protocol }, metaData({ schemaString: formatSchema(struct(widened)), configuration })],
    ]);
    await restore(localStore, table, { version: 0n });
    expect((await snapshotOf(table)).schema).toEqual(struct(field("id", "integer")));
    expect((await snapshotOf(table)).metadata.configuration).toEqual({});
    await restore(localStore, table, { version: 1n });
    expect((await snapshotOf(table)).schema).toEqual(struct(widened));
  });

  test("gives deleted rows back to a table that writes no deletion vectors any more", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [
      [VECTORS, metaData(), add("a.parquet", { stats: STATS })],
      [remove("a.parquet"), add("a.parquet", { stats: STATS, deletionVector: VECTOR })],
    ]);
    await touch(table, "a.parquet", VECTOR_FILE);
    await restore(localStore, table, { version: 0n });
    await restore(localStore, table, { version: 1n });
    expect((await snapshotOf(table)).files[0]?.deletionVector?.cardinality).toBe(6n);
  });

  test("names the file that is gone, and writes nothing", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [
      [VECTORS, metaData(), add("p=1/a%20b.parquet", { stats: STATS, deletionVector: VECTOR })],
      [remove("p=1/a%20b.parquet", { deletionVector: VECTOR })],
    ]);
    await touch(table, "p=1/a b.parquet", VECTOR_FILE);
    await rm(join(table, VECTOR_FILE));
    await expect(restore(localStore, table, { version: 0n })).rejects.toMatchObject({
      code: "DELTA_FILE_NOT_FOUND",
      path: join(table, VECTOR_FILE),
    });
    await rm(join(table, "p=1/a b.parquet"));
    await expect(restore(localStore, table, { version: 0n })).rejects.toMatchObject({
      path: join(table, "p=1/a b.parquet"),
      message: expect.stringContaining("and 1 more is gone"),
    });
    expect((await snapshotOf(table)).version).toBe(1n);
  });

  test("refuses the newest version and one that is not there", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [[PROTOCOL, metaData()]]);
    await expect(restore(localStore, table, { version: 0n })).rejects.toMatchObject({
      code: "DELTA_CANNOT_RESTORE_TABLE_VERSION",
    });
    await expect(restore(localStore, table, { version: 5n })).rejects.toMatchObject({
      code: "DELTA_VERSION_NOT_FOUND",
    });
  });
});

test("files of both versions stay, whatever the order", () => {
  const file = (path: string): never => ({ path, partitionValues: {}, size: 1 }) as never;
  const [a, b, c] = [file("a"), file("b"), file("c")];
  expect(filesBetween({ files: [a, b] }, { files: [c, b] })).toEqual({ add: [c], remove: [a], mask: [] });
});
