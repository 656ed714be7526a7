import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DuckdbSession } from "../engine/duckdb/duckdb-session.js";
import { sqlText } from "../model/position.js";
import { compileParsed } from "./compile.js";
import { parseSchema } from "./ddl-types.js";
import { parseQuery } from "./parse/parse-query.js";
import { rowDigest } from "./row-digest.js";

const folder = mkdtempSync(join(tmpdir(), "ingot-test-"));
const session = new DuckdbSession(folder);
afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true });
});

const sha = (text: string) => createHash("sha256").update(text).digest("hex");

/** The digest of one row, whose columns have these types and values. */
async function digest(row: Readonly<Record<string, readonly [type: string, value: string]>>): Promise<unknown> {
  const columns = parseSchema(
    Object.entries(row)
      .map(([name, [type]]) => `\`${name}\` ${type}`)
      .join(", "),
  );
  const values = Object.entries(row).map(([name, [type, value]]) => `CAST(${value} AS ${type}) AS \`${name}\``);
  const query = `SELECT ${rowDigest(columns)} AS d FROM (SELECT ${values.join(", ")})`;
  const { duckdb } = compileParsed(parseQuery(sqlText(query)), new Map());
  return session.use(new AbortController().signal, async (c) => (await c.runAndReadAll(duckdb)).getRows()[0]?.[0]);
}

describe("the digest of a row", () => {
  // The canonical texts are written by hand from the table above `rowDigest`.
  it.each([
    ["BOOLEAN", "true", "1:atrue;"],
    ["TINYINT", "-128", "1:a-128;"],
    ["BIGINT", "-9223372036854775808", "1:a-9223372036854775808;"],
    ["DECIMAL(38,18)", "'0'", "1:a0.000000000000000000;"],
    ["DECIMAL(38,0)", "'-99999999999999999999999999999999999999'", "1:a-99999999999999999999999999999999999999;"],
    ["DOUBLE", "'-0.0'", "1:a0.0;"],
    ["DOUBLE", "'NaN'", "1:aNaN;"],
    ["DOUBLE", "1e300", "1:a1.0E300;"],
    ["FLOAT", "'0.1'", "1:a0.1;"],
    ["STRING", "''", "1:a0:"],
    ["STRING", "'a;b'", "1:a3:a;b"],
    ["STRING", "'größe 😀'", "1:a7:größe 😀"],
    ["BINARY", "X'00FF'", "1:a00FF;"],
    ["DATE", "'1582-10-04'", "1:a1582-10-04;"],
    ["TIMESTAMP", "'1969-12-31 23:59:59.999999Z'", "1:a-1;"],
    ["TIMESTAMP_NTZ", "'2026-10-01 12:00:00.50'", "1:a2026-10-01 12:00:00.5;"],
    ["ARRAY<STRING>", "array('x', NULL, '')", "1:a3[1:x~0:]"],
    ["ARRAY<INT>", "array()", "1:a0[]"],
    ["ARRAY<ARRAY<INT>>", "array(array(1), NULL, array(NULL))", "1:a3[1[1;]~1[~]]"],
    ["MAP<STRING, INT>", "map('b', 2, 'a', NULL)", "1:a2{1:a~1:b2;}"],
    ["STRUCT<y: INT, X: STRING>", "named_struct('y', 1, 'X', 'v')", "1:a(1:x1:v1:y1;)"],
    ["STRUCT<y: INT>", "named_struct('y', NULL)", "1:a()"],
    ["STRUCT<y: INT>", "NULL", ""],
    ["ARRAY<STRUCT<m: MAP<INT, DOUBLE>>>", "array(named_struct('m', map(1, -0D)))", "1:a1[(1:m1{1;0.0;})]"],
    ["STRING", "NULL", ""],
  ])("%s %s", async (type, value, text) => {
    expect(await digest({ a: [type, value] })).toBe(sha(text));
  });

  it("does not depend on the order and the case of columns, nor on those that are NULL", async () => {
    const expected = sha("1:a1;3:b c1:x");
    expect(await digest({ a: ["INT", "1"], "b c": ["STRING", "'x'"] })).toBe(expected);
    expect(await digest({ "B c": ["STRING", "'x'"], late: ["DATE", "NULL"], A: ["INT", "1"] })).toBe(expected);
  });

  it("tells rows apart that joined texts would not", async () => {
    const rows = [
      { a: ["STRING", "'x'"], b: ["STRING", "'yz'"] },
      { a: ["STRING", "'xy'"], b: ["STRING", "'z'"] },
      { a: ["STRING", "'x1:b2:yz'"] },
      { a: ["STRING", "NULL"], b: ["STRING", "''"] },
      { a: ["STRING", "''"], b: ["STRING", "NULL"] },
    ] as const;
    const digests = await Promise.all(rows.map((row) => digest(row)));
    expect(new Set(digests).size).toBe(rows.length);
  });

  it("takes wide tables", async () => {
    const names = Array.from({ length: 1500 }, (_, i) => `c${String(i).padStart(4, "0")}`);
    const row = Object.fromEntries(names.map((name) => [name, ["INT", "1"] as const]));
    expect(await digest(row)).toBe(sha(names.map((name) => `5:${name}1;`).join("")));
  });
});
