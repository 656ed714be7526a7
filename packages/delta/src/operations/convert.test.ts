import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { readHistory } from "../snapshot/history.js";
import { localStore } from "../store/local-store.js";
import { metaData, PROTOCOL, snapshotOf, temporaryFolder, writeLog } from "../testing/test-log.js";
import { field, struct } from "../testing/test-schema.js";
import { convertToDelta } from "./convert.js";

type Written = Parameters<typeof parquetWriteBuffer>[0];

async function writeParquet(
  path: string,
  columnData: Written["columnData"],
  options: Partial<Written> = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, new Uint8Array(parquetWriteBuffer({ columnData, ...options })));
}

function ids(...data: readonly (number | null)[]): Written["columnData"] {
  return [{ name: "id", data: [...data], type: "INT32", nullable: true }];
}

describe("convertToDelta", () => {
  test("makes a table of files where they are, with the statistics of their footers", async () => {
    const table = await temporaryFolder();
    await writeParquet(join(table, "a.parquet"), ids(3, null, -1));
    await writeParquet(join(table, "deep/b.snappy.parquet"), ids(7));
    await writeFile(join(table, "_SUCCESS"), "");
    await writeFile(join(table, ".a.parquet.crc"), "");
    const configuration = { "delta.appendOnly": "true" };
    expect(await convertToDelta(localStore, table, { configuration })).toEqual({
      version: 0n,
      metrics: { numConvertedFiles: 2 },
    });
    const snapshot = await snapshotOf(table);
    expect(snapshot.schema).toEqual(struct(field("id", "integer")));
    expect(snapshot.metadata.configuration).toEqual(configuration);
    expect(snapshot.files.map(({ path, stats }) => [path, JSON.parse(stats ?? "")])).toEqual([
      ["a.parquet", { numRecords: 3, minValues: { id: -1 }, maxValues: { id: 3 }, nullCount: { id: 1 } }],
      ["deep/b.snappy.parquet", { numRecords: 1, minValues: { id: 7 }, maxValues: { id: 7 }, nullCount: { id: 0 } }],
    ]);
    const [entry] = await readHistory(localStore, table);
    expect(entry?.operation).toBe("CONVERT");
    expect(Object.fromEntries(entry?.operationParameters ?? [])).toEqual({
      numFiles: "2",
      partitionedBy: "[]",
      collectStats: "true",
      sourceFormat: "parquet",
    });
    expect(entry?.operationMetrics.get("numConvertedFiles")).toBe("2");
  });

  test("takes bounds over all row groups, exactly, and none where the footer does not tell", async () => {
    const table = await temporaryFolder();
    const optional = { repetition_type: "OPTIONAL" } as const;
    const schema: Written["schema"] = [
      { name: "root", num_children: 5 },
      { name: "long", type: "INT64", ...optional },
      { name: "amount", type: "INT64", converted_type: "DECIMAL", precision: 18, scale: 2, ...optional },
      { name: "day", type: "INT32", converted_type: "DATE", ...optional },
      {
        name: "at",
        type: "INT64",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
        ...optional,
      },
      { name: "ratio", type: "DOUBLE", ...optional },
    ];
    const columnData: Written["columnData"] = [
      { name: "long", data: [9_007_199_254_740_993n, -5n, 4n] },
      { name: "amount", data: [1.25, -0.01, 12.5] },
      { name: "day", data: [new Date("2024-02-29"), new Date("1969-12-31"), null] },
      { name: "at", data: [1n, -1_500n, 1_700_000_000_123_456n] },
      { name: "ratio", data: [0.5, 1.5, 2.5] },
    ];
    await writeParquet(join(table, "a.parquet"), columnData, { schema, rowGroupSize: 1 });
    await convertToDelta(localStore, table);
    const snapshot = await snapshotOf(table);
    expect(snapshot.schema).toEqual(
      struct(
        field("long", "long"),
        field("amount", "decimal(18,2)"),
        field("day", "date"),
        field("at", "timestamp"),
        field("ratio", "double"),
      ),
    );
    // 1,500 microseconds before the epoch lie between two milliseconds: the lower bound is the earlier one.
    expect(snapshot.files[0]?.stats).toBe(
      '{"numRecords":3,' +
        '"minValues":{"long":-5,"amount":-0.01,"day":"1969-12-31","at":"1969-12-31T23:59:59.998Z"},' +
        '"maxValues":{"long":9007199254740993,"amount":12.50,"day":"2024-02-29","at":"2023-11-14T22:13:20.124Z"},' +
        '"nullCount":{"long":0,"amount":0,"day":1,"at":0,"ratio":0}}',
    );
  });

  test("reads partition values from the folders", async () => {
    const table = await temporaryFolder();
    await writeParquet(join(table, "year=2024/_what=a%3Ab c/x.parquet"), ids(1));
    await writeParquet(join(table, "year=007/_what=__HIVE_DEFAULT_PARTITION__/x.parquet"), ids(2));
    const partitionColumns = struct(field("Year", "integer"), field("_what", "string"));
    await convertToDelta(localStore, table, { partitionColumns });
    const snapshot = await snapshotOf(table);
    expect(snapshot.schema.fields.map(({ name }) => name)).toEqual(["id", "Year", "_what"]);
    expect(snapshot.metadata.partitionColumns).toEqual(["Year", "_what"]);
    expect(snapshot.files.map(({ path, partitionValues }) => [path, partitionValues])).toEqual([
      ["year=007/_what=__HIVE_DEFAULT_PARTITION__/x.parquet", { Year: "7", _what: null }],
      ["year=2024/_what=a%3Ab c/x.parquet", { Year: "2024", _what: "a:b c" }],
    ]);
  });

  test("refuses folders that are not the partition columns", async () => {
    const table = await temporaryFolder();
    await writeParquet(join(table, "day=2024-02-30/x.parquet"), ids(1));
    for (const [partitionColumns, code] of [
      [struct(), "DELTA_UNEXPECTED_NUM_PARTITION_COLUMNS_FROM_FILE_NAME"],
      [struct(field("month", "integer")), "DELTA_UNEXPECTED_PARTITION_COLUMN_FROM_FILE_NAME"],
      [struct(field("day", "date")), "DELTA_FAILED_CAST_PARTITION_VALUE"],
      [struct(field("day", "integer")), "DELTA_FAILED_CAST_PARTITION_VALUE"],
    ] as const)
      await expect(convertToDelta(localStore, table, { partitionColumns })).rejects.toMatchObject({
        code,
        path: join(table, "day=2024-02-30/x.parquet"),
      });
    await convertToDelta(localStore, table, { partitionColumns: struct(field("day", "string")) });
  });

  test("puts the columns of all files together, and refuses two types of one column", async () => {
    const table = await temporaryFolder();
    await writeParquet(join(table, "a.parquet"), ids(1));
    await writeParquet(join(table, "b.parquet"), [{ name: "name", data: ["x"], type: "STRING" }, ...ids(2)]);
    await writeParquet(join(table, "c.parquet"), [{ name: "id", data: [1n], type: "INT64" }]);
    await expect(convertToDelta(localStore, table)).rejects.toMatchObject({
      code: "DELTA_FAILED_TO_MERGE_FIELDS",
      message: expect.stringMatching(/column id is long in c\.parquet and integer before/),
    });
    await writeParquet(join(table, "c.parquet"), ids(3));
    await convertToDelta(localStore, table);
    expect((await snapshotOf(table)).schema).toEqual(struct(field("id", "integer"), field("name", "string")));
  });

  test("knows lists, maps and structs, in three levels and as older writers made them", async () => {
    const table = await temporaryFolder();
    const schema: Written["schema"] = [
      { name: "root", num_children: 3 },
      { name: "l", num_children: 1, repetition_type: "OPTIONAL", converted_type: "LIST" },
      { name: "list", num_children: 1, repetition_type: "REPEATED" },
      { name: "element", type: "INT64", repetition_type: "OPTIONAL" },
      { name: "m", num_children: 1, repetition_type: "OPTIONAL", converted_type: "MAP" },
      { name: "key_value", num_children: 2, repetition_type: "REPEATED" },
      { name: "key", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
      { name: "value", type: "DOUBLE", repetition_type: "OPTIONAL" },
      { name: "s", num_children: 1, repetition_type: "OPTIONAL" },
      { name: "b", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
    ];
    const columnData = [
      { name: "l", data: [[1n]] },
      { name: "m", data: [{ a: 1 }] },
      { name: "s", data: [{ b: new Uint8Array([1]) }] },
    ];
    await writeParquet(join(table, "a.parquet"), columnData, { schema });
    await convertToDelta(localStore, table);
    expect((await snapshotOf(table)).schema).toEqual(
      struct(
        field("l", { kind: "array", element: { kind: "long" }, containsNull: true }),
        field("m", { kind: "map", key: { kind: "string" }, value: { kind: "double" }, valueContainsNull: true }),
        field("s", struct(field("b", "binary"))),
      ),
    );
  });

  test("refuses what is no folder of Parquet files, before anything is written", async () => {
    const table = await temporaryFolder();
    await expect(convertToDelta(localStore, table)).rejects.toMatchObject({ code: "DELTA_EMPTY_DIRECTORY" });
    await writeParquet(join(table, "a.parquet"), ids(1));
    await writeFile(join(table, "notes.txt"), "these are rows that would be missed");
    await expect(convertToDelta(localStore, table)).rejects.toMatchObject({
      code: "DELTA_CONVERT_NON_PARQUET_TABLE",
      path: join(table, "notes.txt"),
    });
    await expect(
      convertToDelta(localStore, table, { configuration: { "delta.columnMapping.mode": "name" } }),
    ).rejects.toMatchObject({ code: "DELTA_CONVERSION_UNSUPPORTED_COLUMN_MAPPING" });
    expect((await localStore.list(table)).map(({ name }) => name).sort()).toEqual(["a.parquet", "notes.txt"]);
  });

  test("refuses a type and a name that Delta does not have", async () => {
    const table = await temporaryFolder();
    const time: Written["schema"] = [
      { name: "root", num_children: 1 },
      { name: "t", type: "INT64", logical_type: { type: "TIME", isAdjustedToUTC: true, unit: "MICROS" } },
    ];
    await writeParquet(join(table, "a.parquet"), [{ name: "t", data: [1n] }], { schema: time });
    await expect(convertToDelta(localStore, table)).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_DATA_TYPES",
      message: expect.stringContaining("the column t is TIME"),
    });
    await writeParquet(join(table, "a.parquet"), [{ name: "two words", data: [1], type: "INT32" }]);
    await expect(convertToDelta(localStore, table)).rejects.toMatchObject({
      code: "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES",
    });
  });

  test("refuses a table", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [[PROTOCOL, metaData()]]);
    await expect(convertToDelta(localStore, table)).rejects.toMatchObject({ code: "DELTA_TABLE_ALREADY_EXISTS" });
  });
});
