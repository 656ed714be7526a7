import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readDelta } from "./deltalake.js";
import { describeWith } from "./peer.js";
import { type Spark, SparkError, startSpark } from "./spark.js";

const ALL_TYPES = `
  SELECT true AS boolean, 127Y AS tinyint, -32768S AS smallint, 2147483647 AS int, 9223372036854775807L AS bigint,
    0.1F AS float, 0.1D AS double, 1.10BD AS decimal, CAST('-12345678901234567890.123456789' AS DECIMAL(38,9)) AS wide,
    'é' AS string, X'00FF' AS binary, DATE '2024-02-29' AS date,
    TIMESTAMP '2026-10-01 09:15:00.000001' AS timestamp, TIMESTAMP_NTZ '1582-10-15 00:00:00' AS timestamp_ntz,
    named_struct('a', 1L, 'b', CAST(NULL AS STRING)) AS struct, array(1.5BD, NULL) AS array, map('k', DATE '2026-01-01') AS map`;

const ALL_COLUMNS = [
  { name: "boolean", type: "boolean" },
  { name: "tinyint", type: "tinyint" },
  { name: "smallint", type: "smallint" },
  { name: "int", type: "int" },
  { name: "bigint", type: "bigint" },
  { name: "float", type: "float" },
  { name: "double", type: "double" },
  { name: "decimal", type: "decimal(3,2)" },
  { name: "wide", type: "decimal(38,9)" },
  { name: "string", type: "string" },
  { name: "binary", type: "binary" },
  { name: "date", type: "date" },
  { name: "timestamp", type: "timestamp" },
  { name: "timestamp_ntz", type: "timestamp_ntz" },
  { name: "struct", type: "struct<a:bigint,b:string>" },
  { name: "array", type: "array<decimal(2,1)>" },
  { name: "map", type: "map<string,date>" },
];

const ALL_VALUES = [
  true,
  127,
  -32768,
  2147483647,
  "9223372036854775807",
  Math.fround(0.1),
  0.1,
  "1.10",
  "-12345678901234567890.123456789",
  "é",
  "00FF",
  "2024-02-29",
  "2026-10-01 09:15:00.000001",
  "1582-10-15 00:00:00",
  { a: "1", b: null },
  ["1.5", null],
  [["k", "2026-01-01"]],
];

const describeSpark = await describeWith("spark", "deltalake");

describeSpark("Spark's driver", () => {
  let spark: Spark;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ingot-interop-"));
    spark = await startSpark();
  }, 120_000);

  afterAll(async () => {
    await spark?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 30_000);

  it("sends every type exactly", async () => {
    expect(await spark.sql(ALL_TYPES)).toEqual({ columns: ALL_COLUMNS, rows: [ALL_VALUES] });
  });

  it("sends what JSON numbers cannot hold as text", async () => {
    const { rows } = await spark.sql("SELECT double('NaN'), float('-Infinity'), CAST(1e3 AS DECIMAL(10,0)), 1e-7BD");
    expect(rows).toEqual([["NaN", "-Infinity", "1000", "0.0000001"]]);
  });

  it("refuses what it cannot send exactly", async () => {
    await expect(spark.sql("SELECT parse_json('1')")).rejects.toThrow(/no JSON form for .*VariantVal/);
    await expect(spark.sql("SELECT named_struct('a', 1, 'a', 2)")).rejects.toThrow(/two fields of one name/);
  });

  it("sends intervals as microseconds and as months", async () => {
    const { rows } = await spark.sql("SELECT INTERVAL '1' DAY, INTERVAL '-1-2' YEAR TO MONTH");
    expect(rows).toEqual([["us:86400000000", "mo:-14"]]);
  });

  it("passes Spark's errors on, and goes on", async () => {
    const error = await spark.sql("SELECT 1 / 0").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SparkError);
    expect(error).toMatchObject({ condition: "DIVIDE_BY_ZERO", sqlState: "22012" });
    expect((await spark.sql("SELECT 1")).rows).toEqual([[1]]);
  });

  it("writes a table that delta-rs reads the same", async () => {
    const path = join(folder, "all_types");
    await spark.sql(`CREATE TABLE delta.\`${path}\` USING delta AS ${ALL_TYPES}`);
    expect(await readDelta(path)).toEqual([{ columns: ALL_COLUMNS, rows: [ALL_VALUES] }]);
  });
});
