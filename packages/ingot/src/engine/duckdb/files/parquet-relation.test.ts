import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatType } from "../../../model/data-type.js";
import type { ParquetRead } from "../../../model/file-read.js";
import { FILE_DEFAULTS } from "./test-reads.js";
import { TestFiles } from "./test-relation.js";

const files = new TestFiles();
beforeAll(() => files.open());
afterAll(() => files.close());

function parquetRead(more: Partial<ParquetRead> = {}): ParquetRead {
  return { ...FILE_DEFAULTS, path: files.folder, format: "parquet", ...more };
}

async function parquet(query: string): Promise<Buffer> {
  const path = join(files.folder, "_made.parquet");
  await files.query(`COPY (${query}) TO '${path}' (FORMAT parquet)`);
  return readFileSync(path);
}

describe("types as they are", () => {
  it.each([
    ["tinyint", "7::TINYINT", "7"],
    ["smallint", "200::UTINYINT", "200"],
    ["int", "40000::USMALLINT", "40000"],
    ["bigint", "3000000000::UINTEGER", "3000000000"],
    ["decimal(20,0)", "18446744073709551615::UBIGINT", "18446744073709551615"],
    ["decimal(5,2)", "1.50::DECIMAL(5,2)", "1.50"],
    [
      "decimal(38,18)",
      "12345678901234567890.123456789012345678::DECIMAL(38,18)",
      "12345678901234567890.123456789012345678",
    ],
    ["timestamp", "TIMESTAMPTZ '2026-01-02 03:04:05.678901+00'", "2026-01-02 03:04:05.678901+00"],
    ["timestamp_ntz", "TIMESTAMP '2026-01-02 03:04:05.678901'", "2026-01-02 03:04:05.678901"],
    ["date", "DATE '0001-01-01'", "0001-01-01"],
    ["string", "'é'", "é"],
    ["binary", "'\\xFF'::BLOB", "\\xFF"],
    ["array<struct<a:int,b:string>>", "[{'a': 1, 'b': 'x'}]", "[{'a': 1, 'b': x}]"],
    ["map<string,int>", "MAP {'k': 1}", "{k=1}"],
  ])("%s", async (type, sql, text) => {
    const { rows, files: found } = await files.read(
      { "t.parquet": await parquet(`SELECT ${sql} AS v`) },
      parquetRead(),
      "SELECT v::VARCHAR FROM ?",
    );
    expect(found[0]?.fields?.map((field) => formatType(field.type))).toEqual([type]);
    expect(rows).toEqual([[text]]);
  });

  it("refuses a list whose layout DuckDB reads otherwise", async () => {
    const content = readFileSync("test/fixtures/files/spark-parquet-single.parquet");
    await expect(files.read({ "l.parquet": content }, parquetRead())).rejects.toMatchObject({
      code: "NOT_SUPPORTED",
      message: expect.stringContaining("the column list has the type LIST of structs of one field"),
    });
  });

  it.each([
    ["UUID", "'123e4567-e89b-12d3-a456-426614174000'::UUID"],
    ["TIME", "TIME '12:00:00'"],
    ["TIMESTAMP", "TIMESTAMP_NS '2026-01-01 00:00:00.123456789'"],
  ])("refuses %s as Spark does", async (type, sql) => {
    await expect(files.read({ "u.parquet": await parquet(`SELECT ${sql} AS v`) }, parquetRead())).rejects.toMatchObject(
      {
        code: "NOT_SUPPORTED",
        message: expect.stringMatching(new RegExp(`column v has the type .*${type}`)),
      },
    );
  });
});

it("reads files of different columns and types in one batch", async () => {
  const contents = {
    "a.parquet": await parquet("SELECT 1::INT AS Id, 'x' AS s, 'hides nothing' AS file_row_number"),
    "b.parquet": await parquet("SELECT 2.50::DECIMAL(5,2) AS d, 5000000000::BIGINT AS id FROM range(2)"),
  };
  const schema = ["id bigint", "s string", "d decimal(7,2)"].map((text) => {
    const [name = "", kind = ""] = text.split(" ");
    const type = kind.startsWith("decimal")
      ? ({ kind: "decimal", precision: 7, scale: 2 } as const)
      : { kind: kind as "string" };
    return { name, type, nullable: true };
  });
  const { rows, records } = await files.read(
    contents,
    parquetRead({ schema }),
    'SELECT id, s, d, "_metadata.row_number", _metadata.file_name FROM ?',
  );
  expect(rows).toEqual([
    ["1", "x", null, "1", "a.parquet"],
    ["5000000000", null, "2.50", "1", "b.parquet"],
    ["5000000000", null, "2.50", "2", "b.parquet"],
  ]);
  expect(records).toBe(3);
});

it("numbers the records of one large file in their order", async () => {
  const content = { "l.parquet": await parquet("SELECT range AS id, hash(range) AS h FROM range(300000)") };
  expect(content["l.parquet"].length).toBeGreaterThan(1 << 20);
  const { rows } = await files.read(
    content,
    parquetRead(),
    'SELECT count(*)::INTEGER, bool_and(id = place AND id + 1 = n) FROM (SELECT id, "_metadata.row_number" AS n, row_number() OVER () - 1 AS place FROM ?)',
  );
  expect(rows).toEqual([[300_000, true]]);
});

it("rescues a value that its column does not hold, and one that has no column", async () => {
  const schema = [
    { name: "id", type: { kind: "int" }, nullable: true },
    { name: "_rescued", type: { kind: "string" }, nullable: true },
  ] as const;
  const content = { "r.parquet": await parquet("SELECT 12345678901::BIGINT AS id, 1.5::DOUBLE AS x") };
  const { rows } = await files.read(content, parquetRead({ schema, rescuedDataColumn: "_rescued" }));
  expect(rows[0]?.[0]).toBeNull();
  expect(JSON.parse(String(rows[0]?.[1]))).toEqual({
    id: "12345678901",
    x: "1.5",
    _file_path: `file:${files.folder}/r.parquet`,
  });
  await expect(files.read(content, parquetRead({ schema: schema.slice(0, 1) }))).rejects.toMatchObject({
    code: "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE",
  });
});

it.each([
  ["cut short", (whole: Buffer) => whole.subarray(0, whole.length - 20)],
  ["without its end", (whole: Buffer) => whole.subarray(0, 20)],
  ["no Parquet", () => Buffer.from("a,b\n1,2\n")],
])("says that a file is %s", async (_, damage) => {
  const content = { "d.parquet": damage(await parquet("SELECT 1 AS v")) };
  await expect(files.read(content, parquetRead())).rejects.toMatchObject({ code: "FILE_CORRUPT" });
});

interface SparkAnswer {
  readonly types: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}
const answers = JSON.parse(readFileSync("test/fixtures/files/spark-parquet.json", "utf8")) as Record<
  string,
  SparkAnswer
>;

// Spark's JSON leaves nulls of structs out, DuckDB's does not; what they hold is the same.
const withoutNulls = (json: string | null) =>
  json === null ? null : JSON.stringify(JSON.parse(json), (_, value) => (isObject(value) ? dropNulls(value) : value));
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const dropNulls = (value: object) => Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));

it.each(["plain", "legacy", "micros"])("reads what Spark wrote, and as Spark does: %s", async (layout) => {
  const { types, rows } = answers[layout] as SparkAnswer;
  const content = readFileSync(`test/fixtures/files/spark-parquet-${layout}.parquet`);
  const texts =
    "i8,i16,i32,i64,f32,f64,d4,d38,d15,s,hex(bin),b,day,epoch_us(ts),ntz,to_json(list),to_json(m),to_json(st)";
  const columns = texts.split(",").map((text) => `(${text})::VARCHAR`);
  const found = await files.read({ "s.parquet": content }, parquetRead(), `SELECT ${columns.join(", ")} FROM ?`);
  expect(found.files[0]?.fields?.map(({ type }) => formatType(type))).toEqual(types);
  const comparable = (row: readonly unknown[]) =>
    row.map((value, i) => {
      const text = value === null ? null : String(value);
      if (i === 4 || i === 5) return text === null ? null : Number(text.replace("inf", "Infinity"));
      return i >= 15 ? withoutNulls(text) : text;
    });
  expect(found.rows.map(comparable)).toEqual(rows.map(comparable));
});

it("refuses columns that differ by case alone", async () => {
  const made = (await parquet("SELECT 1 AS x1, 2 AS x2")).toString("latin1").replaceAll("x2", "X1");
  await expect(files.read({ "c.parquet": Buffer.from(made, "latin1") }, parquetRead())).rejects.toMatchObject({
    code: "COLUMN_ALREADY_EXISTS",
  });
});
