import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { registerHostFunctions } from "../../packages/ingot/src/engine/duckdb/host-functions.js";
import type { Field } from "../../packages/ingot/src/model/data-type.js";
import { formatType } from "../../packages/ingot/src/model/data-type.js";
import { IngotError } from "../../packages/ingot/src/model/error.js";
import { sqlText } from "../../packages/ingot/src/model/position.js";
import { compileParsed } from "../../packages/ingot/src/sql/compile.js";
import { parseSchema } from "../../packages/ingot/src/sql/ddl-types.js";
import { parseQuery } from "../../packages/ingot/src/sql/parse/parse-query.js";
import { conditionOf } from "../../packages/ingot/src/sql/run-condition.js";
import { SESSION_SETUP } from "../../packages/ingot/src/sql/session.js";
import { canonical, doubleText, sparkTypeOf } from "./canonical.js";

/**
 * Spark 4.2's own answers: 381 queries of a study (`fixtures/sql/corpus.json`, which says how values are written), and
 * one by one the clauses and operators with their edges (`clauses.json`), and the functions with theirs (`functions.json`).
 */
interface Case {
  readonly id: string;
  readonly sql: string;
  readonly usage: "equality" | "parse-only";
  readonly expect?: string;
  readonly ordered?: boolean;
  readonly session: { readonly timeZone: string };
  readonly schema?: readonly { readonly name: string; readonly type: string }[];
  readonly rows?: readonly (readonly unknown[])[];
  readonly error?: { readonly condition: string | null };
}
interface Corpus {
  readonly setups: { readonly default: { readonly duckdb: string } };
  readonly cases: readonly Case[];
}

function read(name: string) {
  return JSON.parse(readFileSync(new URL(`../fixtures/sql/${name}`, import.meta.url), "utf8"));
}
const corpus = read("corpus.json") as Corpus;

/** Columns that Spark itself leaves open, by case: they are compared for their type only. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  // Two employees share the salary: Spark takes either name.
  "agg-004": ["a", "b"],
};

const TABLES: Readonly<Record<string, string>> = {
  t_num:
    "id INT, i INT, l BIGINT, s SMALLINT, b TINYINT, f FLOAT, d DOUBLE, dcm DECIMAL(10,2), dec2 DECIMAL(18,6), bo BOOLEAN",
  t_str: "id INT, s STRING, n STRING, matnr STRING, csv STRING, js STRING",
  t_ts: "id INT, d DATE, ts TIMESTAMP, ntz TIMESTAMP_NTZ, ds STRING, tss STRING",
  t_nest:
    "id INT, arr ARRAY<INT>, sarr ARRAY<STRING>, m MAP<STRING,INT>, st STRUCT<a:INT,b:STRING>, ast ARRAY<STRUCT<k:STRING,v:INT>>",
  emp: "id INT, name STRING, dept STRING, salary DECIMAL(10,2), mgr INT, hired DATE",
  dept: "dept STRING, dname STRING, loc STRING",
  mara: "matnr STRING, mtart STRING, meins STRING, ersda STRING",
  vbak: "vbeln STRING, erdat STRING, erzet STRING, kunnr STRING, netwr DECIMAL(15,2), waerk STRING",
  vbap: "vbeln STRING, posnr STRING, matnr STRING, kwmeng DECIMAL(15,3), netwr DECIMAL(15,2)",
  kna1: "kunnr STRING, name1 STRING, land1 STRING",
  cdc: "id INT, op STRING, seq BIGINT, val STRING, ts TIMESTAMP",
  sales: "yr INT, q STRING, region STRING, amt DECIMAL(12,2), qty INT",
};

async function connect() {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run("SET TimeZone='UTC'");
  registerHostFunctions(connection);
  for (const statement of [...corpus.setups.default.duckdb.split(";\n"), ...SESSION_SETUP])
    if (statement.trim() !== "") await connection.run(statement);
  return connection;
}
type Connection = Awaited<ReturnType<typeof connect>>;

/** What differs from Spark, or undefined where nothing does; a refusal before the run is thrown. */
async function difference(connection: Connection, test: Case): Promise<string | undefined> {
  const parsed = parseQuery(sqlText(test.sql));
  const schemas = new Map<string, readonly Field[]>();
  for (const relation of parsed.relations) {
    const ddl = relation.kind === "table" ? TABLES[relation.name.join(".").toLowerCase()] : undefined;
    if (ddl !== undefined) schemas.set(relation.id, parseSchema(ddl));
  }
  const compiled = compileParsed(parsed, schemas);
  if (test.usage === "parse-only") return undefined;
  await connection.run(`SET TimeZone='${test.session.timeZone}'`);
  for (const relation of compiled.reads)
    if (relation.kind === "table")
      await connection.run(`CREATE OR REPLACE TEMP VIEW "${relation.id}" AS FROM "${relation.name.at(-1)}"`);
  try {
    const result = await connection.runAndReadAll(compiled.duckdb);
    if (test.error !== undefined) return `Spark raises ${test.error.condition}, this gives rows`;
    const types = result.columnTypes();
    const names = JSON.stringify(compiled.schema.map((f) => f.name));
    const sparkNames = JSON.stringify(test.schema?.map((c) => c.name));
    if (names !== sparkNames) return `names ${names}, Spark ${sparkNames}`;
    if (
      JSON.stringify(result.columnNames()) !== sparkNames &&
      new Set(compiled.schema.map((f) => f.name.toLowerCase())).size === compiled.schema.length
    )
      return `DuckDB's names ${result.columnNames()}`;
    const inferred = JSON.stringify(compiled.schema.map((f) => formatType(f.type)));
    const sparkTypes = JSON.stringify(test.schema?.map((c) => c.type));
    if (inferred !== sparkTypes) return `types ${inferred}, Spark ${sparkTypes}`;
    // DuckDB gives a column of bare NULLs a type of its own.
    const actual = JSON.stringify(types.map((t, i) => (test.schema?.[i]?.type === "void" ? "void" : sparkTypeOf(t))));
    const stored = sparkTypes?.replace(/"interval [a-z ]+"/g, '"interval"');
    if (actual !== stored) return `DuckDB's types ${actual}, Spark ${sparkTypes}`;
    const open = OPEN[test.id] ?? [];
    const isOpen = (i: number) => open.includes(compiled.schema[i]?.name ?? "");
    const isDouble = (i: number) => /^(double|float)$/.test(test.schema?.[i]?.type ?? "");
    const line = (row: readonly unknown[]) =>
      JSON.stringify(
        row.map((value, i) => (isOpen(i) ? "open" : isDouble(i) && value !== null ? doubleText(Number(value)) : value)),
      );
    const rows = result.getRows().map((row) => line(row.map((value, i) => canonical(value, types[i]))));
    const expected = (test.rows ?? []).map(line);
    if (test.ordered !== true) {
      rows.sort();
      expected.sort();
    }
    return rows.join("\n") === expected.join("\n")
      ? undefined
      : `rows\n${rows.join("\n")}\nSpark\n${expected.join("\n")}`;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const condition = test.error?.condition;
    // An error of Java, or one that Spark has no name for.
    if (test.error !== undefined && (condition === null || condition?.startsWith("_LEGACY"))) return undefined;
    if (condition === undefined || condition === null) return `fails: ${message}\n${compiled.duckdb}`;
    const raised = conditionOf(message);
    // Ingot knows conditions without their subclass.
    return raised === condition.split(".")[0] ? undefined : `raises ${raised}, Spark ${condition}: ${message}`;
  }
}

describe("Spark's answers", () => {
  // What once was equal is not to be refused later.
  it.each([
    { file: "corpus.json", least: 343 },
    { file: "clauses.json", least: 356 },
    { file: "functions.json", least: 1119 },
  ])("$file: gives the same, or refuses before it runs", async ({ file, least }) => {
    const connection = await connect();
    const verdicts = {
      equal: [] as string[],
      /** Neither Spark nor Ingot takes them. */
      rejected: [] as string[],
      parsed: [] as string[],
      refused: [] as string[],
      different: [] as string[],
    };
    for (const test of (read(file) as Pick<Corpus, "cases">).cases) {
      try {
        const found = await difference(connection, test);
        if (test.usage === "parse-only") verdicts.parsed.push(test.id);
        else if (found === undefined) verdicts.equal.push(test.id);
        else verdicts.different.push(`${test.id} ${test.sql}\n  ${found}`);
      } catch (error) {
        if (!(error instanceof IngotError)) throw error;
        verdicts[test.error === undefined ? "refused" : "rejected"].push(test.id);
      }
    }
    const { equal, rejected, parsed, refused, different } = verdicts;
    process.stdout.write(
      `${file}: ${equal.length} equal, ${rejected.length} that Spark refuses too, ${parsed.length} without an answer of Spark, ${refused.length} refused, ${different.length} different\n`,
    );
    expect(different).toEqual([]);
    expect(equal.length).toBeGreaterThanOrEqual(least);
  });
});
