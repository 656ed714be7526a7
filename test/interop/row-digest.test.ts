import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DuckdbSession } from "../../packages/ingot/src/engine/duckdb/duckdb-session.js";
import { sqlText } from "../../packages/ingot/src/model/position.js";
import { compileParsed } from "../../packages/ingot/src/sql/compile.js";
import { parseSchema } from "../../packages/ingot/src/sql/ddl-types.js";
import { parseQuery } from "../../packages/ingot/src/sql/parse/parse-query.js";
import { quoteString } from "../../packages/ingot/src/sql/quote.js";
import { rowDigest } from "../../packages/ingot/src/sql/row-digest.js";
import { describeWith } from "./peer.js";
import { type Spark, SparkError, startSpark } from "./spark.js";

/** A type as DDL, and a literal of it. */
interface Value {
  readonly type: string;
  readonly sql: string;
}

/** A type with a generator of its literals; every value may be NULL. */
interface Kind {
  readonly type: string;
  readonly sql: fc.Arbitrary<string>;
}

const cast = (type: string, texts: fc.Arbitrary<string>): Kind => ({
  type,
  sql: texts.map((text) => `CAST(${quoteString(text)} AS ${type})`),
});
const digits = (most: bigint) => fc.oneof(fc.constantFrom(0n, most, -most), fc.bigInt({ min: -most, max: most }));
const scaled = (n: bigint, scale: number) => {
  const text = (n < 0n ? -n : n).toString().padStart(scale + 1, "0");
  return `${n < 0n ? "-" : ""}${text.slice(0, text.length - scale)}.${text.slice(text.length - scale)}`;
};
const day = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true });
const text = fc.oneof(
  fc.constantFrom("", ";", "~", "1:a", "größe", "e\u0301", "😀😀", "\u0000", " \n", "[1:x]", "\uffff"),
  fc.string({ unit: "binary", maxLength: 6 }),
);

const ATOMIC: readonly Kind[] = [
  cast("BOOLEAN", fc.constantFrom("true", "false")),
  cast("TINYINT", digits(127n).map(String)),
  cast("INT", digits(2147483647n).map(String)),
  cast("BIGINT", digits(9223372036854775807n).map(String)),
  cast(
    "DECIMAL(5,2)",
    digits(99999n).map((n) => scaled(n, 2)),
  ),
  cast(
    "DECIMAL(38,18)",
    digits(10n ** 38n - 1n).map((n) => scaled(n, 18)),
  ),
  cast("DECIMAL(38,0)", digits(10n ** 38n - 1n).map(String)),
  cast(
    "DOUBLE",
    fc.oneof(
      fc.constantFrom("-0.0", "NaN", "Infinity", "-Infinity", "4.9E-324"),
      fc.double({ noNaN: true }).map(String),
    ),
  ),
  cast("FLOAT", fc.oneof(fc.constantFrom("-0.0", "NaN", "1.4E-45"), fc.float({ noNaN: true }).map(String))),
  { type: "STRING", sql: text.map(quoteString) },
  { type: "BINARY", sql: fc.uint8Array({ maxLength: 5 }).map((bytes) => `X'${Buffer.from(bytes).toString("hex")}'`) },
  cast(
    "DATE",
    day.map((d) => d.toISOString().slice(0, 10)),
  ),
  cast(
    "TIMESTAMP",
    day.map((d) => d.toISOString()),
  ),
  cast(
    "TIMESTAMP_NTZ",
    day.map((d) => d.toISOString().replace("Z", "")),
  ),
];

const orNull = ({ type, sql }: Kind): fc.Arbitrary<string> =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(`CAST(NULL AS ${type})`) }, { weight: 6, arbitrary: sql });

/** A type of some depth, with one value of it. */
const kinds: fc.Arbitrary<Kind> = fc.letrec<{ kind: Kind }>((tie) => ({
  kind: fc.oneof(
    { maxDepth: 2, depthIdentifier: "kind" },
    { weight: 3, arbitrary: fc.constantFrom(...ATOMIC) },
    { weight: 1, arbitrary: tie("kind").map(arrayOf) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...ATOMIC.filter((k) => !/^(FLOAT|DOUBLE)/.test(k.type))), tie("kind"))
        .map(([k, v]) => mapOf(k, v)),
    },
    { weight: 1, arbitrary: fc.array(tie("kind"), { minLength: 1, maxLength: 3 }).map(structOf) },
  ),
})).kind;

function arrayOf(element: Kind): Kind {
  const type = `ARRAY<${element.type}>`;
  const sql = fc.array(orNull(element), { maxLength: 3 }).map((items) => `CAST(array(${items.join(", ")}) AS ${type})`);
  return { type, sql };
}

function mapOf(key: Kind, value: Kind): Kind {
  const type = `MAP<${key.type}, ${value.type}>`;
  const entries = fc.uniqueArray(fc.tuple(key.sql, orNull(value)), { maxLength: 3, selector: ([k]) => k });
  return { type, sql: entries.map((list) => `CAST(map(${list.flat().join(", ")}) AS ${type})`) };
}

function structOf(fields: readonly Kind[]): Kind {
  const names = ["b", "A", "c d"];
  const type = `STRUCT<${fields.map((f, i) => `\`${names[i]}\`: ${f.type}`).join(", ")}>`;
  const sql = fc
    .tuple(...fields.map(orNull))
    .map(
      (values) =>
        `CAST(named_struct(${values.map((v, i) => `${quoteString(names[i] ?? "")}, ${v}`).join(", ")}) AS ${type})`,
    );
  return { type, sql };
}

const value: fc.Arbitrary<Value> = kinds.chain((kind) => orNull(kind).map((sql) => ({ type: kind.type, sql })));
const rows = fc.array(value, { minLength: 1, maxLength: 4 });

/** The digest of a row of these values, as a query of Spark SQL. */
function digestQuery(row: readonly Value[]): string {
  const columns = parseSchema(row.map(({ type }, i) => `\`C ${i}\` ${type}`).join(", "));
  return `SELECT ${rowDigest(columns)} AS d FROM (SELECT ${row.map(({ sql }, i) => `${sql} AS \`C ${i}\``).join(", ")})`;
}

(await describeWith("spark"))("the digest of a row", () => {
  const folder = mkdtempSync(join(tmpdir(), "ingot-test-"));
  const session = new DuckdbSession(folder);
  let spark: Spark;
  beforeAll(async () => {
    spark = await startSpark();
  }, 240_000);
  afterAll(async () => {
    await spark.stop();
    await session.close();
    rmSync(folder, { recursive: true });
  });

  it("is the same in Spark and in DuckDB, whatever the types and values", async () => {
    const queries = fc.sample(rows, { numRuns: 200, seed: 20261001 }).map(digestQuery);
    const theirs = await spark.runAll(queries.map((query) => [query]));
    for (const [i, query] of queries.entries()) {
      const answer = theirs[i];
      if (answer === undefined || answer instanceof SparkError) throw answer ?? new Error("no answer");
      const { duckdb } = compileParsed(parseQuery(sqlText(query)), new Map());
      const own = await session.use(new AbortController().signal, async (c) =>
        (await c.runAndReadAll(duckdb)).getRows(),
      );
      expect(own, query).toEqual(answer.rows);
    }
  }, 240_000);
});
