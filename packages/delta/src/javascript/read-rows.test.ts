import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { commit } from "../commit/transaction.js";
import { writeDeletionVectors } from "../files/deletion-vector-file.js";
import { mayMatch } from "../files/prune.js";
import { commitPath } from "../log/log-files.js";
import type { DataType } from "../schema/schema.js";
import { writeCheckpoint } from "../snapshot/write-checkpoint.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "../testing/memory-store.js";
import { gatherRows, stateOf, tableOf } from "../testing/test-table.js";
import { deleteRows } from "./delete-rows.js";
import { readRows } from "./read-rows.js";
import { appendRows } from "./write-rows.js";

/** Written by Spark 2.4: golden table `data-reader-date-types-UTC` of delta-io/delta (Apache-2.0). */
const SPARK_INT96 =
  "UEFSMRUEFRgVHEwVAhUEAAAMLAD8UpSxGgAA4oQlABUAFRAVFCwVAhUEFQYVCBwYDAD8UpSxGgAA4oQlABgMAPxSlLEaAADihCUAFgAoDAD8UpSxGgAA4oQlABgMAPxSlLEaAADihCUAAAAACBwCAAAAAwEAAxUAFRQVGCwVAhUAFQYVCBwYBFZHAAAYBFZHAAAWACgEVkcAABgEVkcAAAAAAAokAgAAAAMBVkcAABUCGTxIDHNwYXJrX3NjaGVtYRUEABUGJQIYCXRpbWVzdGFtcAAVAiUCGARkYXRlJQwAFgIZHBksJggcFQYZNQgEBhkYCXRpbWVzdGFtcBUCFgIW3AEW5AEmCDwYDAD8UpSxGgAA4oQlABgMAPxSlLEaAADihCUAFgAoDAD8UpSxGgAA4oQlABgMAPxSlLEaAADihCUAABksFQQVBBUCABUAFQQVAgAAACbsARwVAhk1CAAGGRgEZGF0ZRUCFgIWbhZyJuwBPBgEVkcAABgEVkcAABYAKARWRwAAGARWRwAAABkcFQAVABUCAAAAFsoCFgIAGRwYKW9yZy5hcGFjaGUuc3Bhcmsuc3FsLnBhcnF1ZXQucm93Lm1ldGFkYXRhGJ4BeyJ0eXBlIjoic3RydWN0IiwiZmllbGRzIjpbeyJuYW1lIjoidGltZXN0YW1wIiwidHlwZSI6InRpbWVzdGFtcCIsIm51bGxhYmxlIjp0cnVlLCJtZXRhZGF0YSI6e319LHsibmFtZSI6ImRhdGUiLCJ0eXBlIjoiZGF0ZSIsIm51bGxhYmxlIjp0cnVlLCJtZXRhZGF0YSI6e319XX0AGEpwYXJxdWV0LW1yIHZlcnNpb24gMS4xMC4xIChidWlsZCBhODlkZjhmOTkzMmI2ZWY2NjMzZDA2MDY5ZTUwYzliNzk3MGJlYmQxKRksHAAAHAAAABYCAABQQVIx";

/** Puts a file into an empty table as if another writer had written it. */
async function addFile(store: Store, table: string, bytes: Uint8Array, rows = 1): Promise<void> {
  await store.putIfAbsent(`${table}/file.parquet`, bytes);
  const add = [{ path: "file.parquet", size: bytes.length, stats: `{"numRecords":${rows}}` }];
  await commit(store, await stateOf(store, table), { operation: "WRITE", add, isBlindAppend: true });
}

function parquetOf(
  elements: readonly SchemaElement[],
  columns: Readonly<Record<string, unknown[]>>,
  options: Partial<ConstructorParameters<typeof ParquetWriter>[0]> = {},
): Uint8Array {
  const writer = new ByteWriter();
  const names = Object.keys(columns);
  const schema = [{ name: "root", num_children: names.length }, ...elements];
  const file = new ParquetWriter({ writer, schema, statistics: false, ...options });
  file.write({ columnData: names.map((name) => ({ name, data: columns[name] ?? [] })) });
  file.finish();
  return writer.getBytes();
}

/** The value of a table's only column in a file of one row. */
async function readOne(type: DataType | DataType["kind"], elements: readonly SchemaElement[], value: unknown) {
  const store = memoryStore();
  const table = await tableOf(store, { c: type });
  await addFile(store, table, parquetOf(elements, { [elements[0]?.name ?? ""]: [value] }));
  const [row] = await gatherRows(readRows(store, await stateOf(store, table)));
  return row?.["c"];
}

const c = (element: Omit<SchemaElement, "name">): SchemaElement[] => [
  { name: "c", repetition_type: "OPTIONAL", ...element },
];
const decimal = (precision: number, scale: number): DataType => ({ kind: "decimal", precision, scale });
const timestamp = (unit: "MILLIS" | "MICROS" | "NANOS") =>
  c({ type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit } });

describe("types of a file", () => {
  it("INT96 of Spark is a timestamp", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { timestamp: "timestamp", date: "date" });
    await addFile(store, table, Buffer.from(SPARK_INT96, "base64"));
    expect(await gatherRows(readRows(store, await stateOf(store, table)))).toEqual([
      { timestamp: "2020-01-01T08:09:10.000000Z", date: "2020-01-01" },
    ]);
  });

  /** The pairs of the protocol's section "Type Widening". */
  it.each<[DataType | DataType["kind"], SchemaElement[], unknown, unknown]>([
    ["long", c({ type: "INT32" }), -5, -5n],
    ["double", c({ type: "INT32" }), 7, 7],
    ["double", c({ type: "FLOAT" }), 0.25, 0.25],
    [decimal(20, 2), c({ type: "INT32" }), 7, "7.00"],
    [decimal(20, 0), c({ type: "INT64" }), 9007199254740993n, "9007199254740993"],
    [decimal(10, 3), c({ type: "INT32", converted_type: "DECIMAL", precision: 4, scale: 1 }), -15n, "-1.500"],
    ["timestamp_ntz", c({ type: "INT32", converted_type: "DATE" }), -1, "1969-12-31T00:00:00.000000"],
  ])("%j is read from a narrower one", async (type, elements, stored, value) => {
    expect(await readOne(type, elements, stored)).toBe(value);
  });

  it.each<[DataType | DataType["kind"], SchemaElement[], unknown, unknown]>([
    ["timestamp", timestamp("MILLIS"), -1n, "1969-12-31T23:59:59.999000Z"],
    ["timestamp", timestamp("MICROS"), -1n, "1969-12-31T23:59:59.999999Z"],
    ["timestamp", timestamp("NANOS"), -1n, "1969-12-31T23:59:59.999999Z"],
    [
      decimal(38, 2),
      c({ type: "FIXED_LEN_BYTE_ARRAY", type_length: 3, converted_type: "DECIMAL", precision: 6, scale: 2 }),
      -1234n,
      "-12.34",
    ],
    ["binary", c({ type: "BYTE_ARRAY" }), new Uint8Array([0xff, 0]), new Uint8Array([0xff, 0])],
    ["string", c({ type: "BYTE_ARRAY" }), new Uint8Array([0xef, 0xbb, 0xbf, 0x61]), "\ufeffa"],
    ["long", c({ type: "INT32", converted_type: "UINT_32" }), 4294967295, 4294967295n],
  ])("%j is read exactly", async (type, elements, stored, value) => {
    expect(await readOne(type, elements, stored)).toEqual(value);
  });

  it.each<[DataType | DataType["kind"], SchemaElement[], unknown]>([
    ["integer", c({ type: "INT64" }), 1n],
    ["long", c({ type: "INT32", converted_type: "DATE" }), 1],
    ["string", c({ type: "INT32" }), 1],
    ["float", c({ type: "DOUBLE" }), 1],
    [decimal(3, 0), c({ type: "INT32", converted_type: "DECIMAL", precision: 9, scale: 0 }), 12345n],
    [decimal(9, 1), c({ type: "INT32", converted_type: "DECIMAL", precision: 9, scale: 2 }), 101n],
  ])("%j is refused where a value could be lost: %j", async (type, elements, stored) => {
    await expect(readOne(type, elements, stored)).rejects.toMatchObject({
      code: "DELTA_TABLE_UNREADABLE",
      path: "/t/file.parquet",
    });
  });
});

describe("readRows", () => {
  it("gives the chosen columns, files and rows", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { a: "integer", b: "string", p: "date" }, { partitionColumns: ["p"] });
    await appendRows(store, table, [
      { a: 1, b: "x", p: "2024-05-01" },
      { a: 2, b: "y", p: null },
    ]);
    const snapshot = await stateOf(store, table);
    expect(await gatherRows(readRows(store, snapshot, { columns: ["p", "a"] }))).toEqual([
      { p: "2024-05-01", a: 1 },
      { p: null, a: 2 },
    ]);
    expect(await gatherRows(readRows(store, snapshot, { columns: ["p"], where: ({ p }) => p === null }))).toEqual([
      { p: null },
    ]);
    expect(await gatherRows(readRows(store, snapshot, { files: snapshot.files.slice(1), columns: ["a"] }))).toEqual([
      { a: 2 },
    ]);
    await expect(gatherRows(readRows(store, snapshot, { columns: ["A"] }))).rejects.toMatchObject({
      code: "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
    });
  });

  it("reads a column that the file lacks as NULL, and one whose name differs in case", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { c: "integer", later: "string" });
    await addFile(store, table, parquetOf([{ name: "C", type: "INT32", repetition_type: "REQUIRED" }], { C: [1] }));
    expect(await gatherRows(readRows(store, await stateOf(store, table)))).toEqual([{ c: 1, later: null }]);
  });

  it("leaves deleted rows out, in every row group", async () => {
    const store = memoryStore();
    const configuration = { "delta.enableDeletionVectors": "true" };
    const table = await tableOf(store, { id: "integer" }, { configuration });
    // More than one row group.
    await appendRows(
      store,
      table,
      Array.from({ length: 2500 }, (_, id) => ({ id })),
    );
    await deleteRows(store, table, ({ id }) => Number(id) % 1000 === 999);
    await deleteRows(store, table, ({ id }) => id === 0);
    const snapshot = await stateOf(store, table);
    expect(snapshot.files).toHaveLength(1);
    const ids = (await gatherRows(readRows(store, snapshot))).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 2500 }, (_, id) => id).filter((id) => id !== 0 && id % 1000 !== 999));
  });

  it("refuses a vector that hides rows which the file does not have", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer" }, { configuration: { "delta.enableDeletionVectors": "true" } });
    await addFile(store, table, parquetOf([{ ...c({ type: "INT32" })[0], name: "id" }], { id: [1, 2] }), 10);
    const [deletionVector] = await writeDeletionVectors(store, table, [Float64Array.of(1, 5)]);
    const snapshot = await stateOf(store, table);
    const mask = snapshot.files.map((file) => ({ file, deletionVector }));
    await commit(store, snapshot, { operation: "DELETE", mask });
    await expect(gatherRows(readRows(store, await stateOf(store, table)))).rejects.toMatchObject({
      code: "DELTA_TABLE_UNREADABLE",
      message: expect.stringContaining("the file has no row 5"),
    });
  });

  it("reads a partition value that is missing as NULL, whatever the column is called", async () => {
    const store = memoryStore();
    const columns = Object.fromEntries(["id", "constructor"].map((name) => [name, "integer"] as const));
    const table = await tableOf(store, columns, { partitionColumns: ["constructor"] });
    const bytes = parquetOf([{ ...c({ type: "INT32" })[0], name: "id" }], { id: [1] });
    await store.putIfAbsent(`${table}/file.parquet`, bytes);
    const add = {
      path: "file.parquet",
      partitionValues: {},
      size: bytes.length,
      modificationTime: 1,
      dataChange: true,
    };
    await store.putIfAbsent(commitPath(table, 1n), `${JSON.stringify({ add })}\n`);
    await writeCheckpoint(store, table, { version: 1n });
    for (const version of [0n, 1n]) {
      const snapshot = await stateOf(store, table, version);
      const condition = { kind: "compare", column: ["constructor"], operator: "=", value: 1 } as const;
      expect(snapshot.files.filter(mayMatch(condition, snapshot))).toHaveLength(Number(version));
      expect(await gatherRows(readRows(store, snapshot))).toEqual(version === 0n ? [] : [{ id: 1, constructor: null }]);
    }
  });

  it("names the file that is missing or damaged", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer" });
    await addFile(store, table, new TextEncoder().encode("no Parquet file at all"));
    const unreadable = { code: "DELTA_TABLE_UNREADABLE", path: "/t/file.parquet", version: 1n };
    await expect(gatherRows(readRows(store, await stateOf(store, table)))).rejects.toMatchObject(unreadable);
    await store.delete("/t/file.parquet");
    await expect(gatherRows(readRows(store, await stateOf(store, table)))).rejects.toMatchObject(unreadable);
  });

  it("names a codec that is not at hand", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { c: "integer" });
    const compressors = { LZO: (input: Uint8Array) => input };
    await addFile(store, table, parquetOf(c({ type: "INT32" }), { c: [1] }, { codec: "LZO", compressors }));
    await expect(gatherRows(readRows(store, await stateOf(store, table)))).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_FEATURES_FOR_READ",
      message: expect.stringContaining("LZO"),
    });
  });

  it("refuses old dates of a file in which Spark counted by the Julian calendar", async () => {
    const kvMetadata = [{ key: "org.apache.spark.legacyDateTime", value: "" }];
    const elements = c({ type: "INT32", converted_type: "DATE" });
    for (const [day, date] of [
      [-141_427, "1582-10-15"],
      [-141_428, undefined],
    ] as const) {
      const store = memoryStore();
      const table = await tableOf(store, { c: "date" });
      await addFile(store, table, parquetOf(elements, { c: [day] }, { kvMetadata }));
      const rows = gatherRows(readRows(store, await stateOf(store, table)));
      if (date !== undefined) expect(await rows).toEqual([{ c: date }]);
      else await expect(rows).rejects.toMatchObject({ code: "DELTA_UNSUPPORTED_FEATURES_FOR_READ" });
    }
  });

  it("refuses a file without field ids where columns are found by them", async () => {
    const store = memoryStore();
    const configuration = { "delta.columnMapping.mode": "id" };
    const table = await tableOf(store, { c: "integer" }, { configuration });
    await addFile(store, table, parquetOf(c({ type: "INT32" }), { c: [1] }));
    await expect(gatherRows(readRows(store, await stateOf(store, table)))).rejects.toMatchObject({
      message: expect.stringContaining("it has no field ids"),
    });
  });

  it("gives row ids only where the table has them", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer" });
    const rows = readRows(store, await stateOf(store, table), { rowIds: true });
    await expect(gatherRows(rows)).rejects.toMatchObject({ code: "DELTA_OPERATION_NOT_ALLOWED" });
  });
});
