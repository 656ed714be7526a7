// One step of bench/sql.mjs in a process of its own: start | translate FOLDER | tpch FOLDER RUNS. Prints JSON.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { registerHostFunctions } from "../packages/ingot/src/engine/duckdb/host-functions.js";
import type { Field } from "../packages/ingot/src/model/data-type.js";
import { IngotError } from "../packages/ingot/src/model/error.js";
import { sqlText } from "../packages/ingot/src/model/position.js";
import { compileParsed } from "../packages/ingot/src/sql/compile.js";
import { parseSchema, parseType } from "../packages/ingot/src/sql/ddl-types.js";
import { parseQuery } from "../packages/ingot/src/sql/parse/parse-query.js";
import { SESSION_SETUP } from "../packages/ingot/src/sql/session.js";
import { sparkTypeOf } from "../test/sql/canonical.js";
import { readCorpus } from "../test/sql/corpus.js";

const [step, ...args] = process.argv.slice(2);
const steps = { start, translate, tpch };
process.stdout.write(JSON.stringify(await steps[step as keyof typeof steps](...(args as [string, string]))));

type Tables = ReadonlyMap<string, readonly Field[]>;

function translateQuery(text: string, tables: Tables) {
  const parsed = parseQuery(sqlText(text));
  const schemas = new Map<string, readonly Field[]>();
  for (const relation of parsed.relations) {
    const fields = relation.kind === "table" ? tables.get(relation.name.join(".").toLowerCase()) : undefined;
    if (fields !== undefined) schemas.set(relation.id, fields);
  }
  return compileParsed(parsed, schemas);
}

/** Seconds of a process until its first query is translated, and what a database needs before it runs one. */
async function start() {
  const tables: Tables = new Map([["t", parseSchema("a INT, b DECIMAL(10,2), c STRING")]]);
  translateQuery("SELECT upper(c) AS c, sum(b) / count(*) AS mean FROM t WHERE a > 1 GROUP BY c", tables);
  const translator_s = performance.now() / 1000;
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const before = performance.now();
  await prepare(connection);
  return { translator_s, session_s: (performance.now() - before) / 1000 };
}

async function prepare(connection: DuckDBConnection): Promise<void> {
  registerHostFunctions(connection);
  await connection.run(["SET TimeZone = 'UTC'", ...SESSION_SETUP].join(";"));
}

async function connect(): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await prepare(connection);
  return connection;
}

async function readTables(connection: DuckDBConnection): Promise<Map<string, Field[]>> {
  const names = (await connection.runAndReadAll("SELECT table_name FROM duckdb_tables()")).getRows();
  const tables = new Map<string, Field[]>();
  for (const [name] of names) {
    const result = await connection.run(`FROM "${name}" LIMIT 0`);
    const types = result.columnTypes();
    const fields = result.columnNames().map((column, i) => {
      const type = types[i];
      return { name: column, type: parseType(type === undefined ? "void" : sparkTypeOf(type)), nullable: true };
    });
    tables.set(String(name).toLowerCase(), fields);
  }
  return tables;
}

/** All queries of the fixtures, again and again in one process: milliseconds of a query once the code is warm. */
async function translate(folder: string) {
  const ROUNDS = 5;
  const work: { readonly sql: string; readonly tables: Tables }[] = [];
  for (const file of readdirSync(folder)) {
    const corpus = readCorpus(join(folder, file));
    const connection = await connect();
    await connection.run(corpus.setups.get("default")?.duckdb ?? "");
    const tables = await readTables(connection);
    for (const { sql, setup } of corpus.cases) if (setup === "default") work.push({ sql, tables });
  }
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, { sql, tables }] of work.entries()) {
      const before = performance.now();
      try {
        translateQuery(sql, tables);
      } catch (error) {
        if (!(error instanceof IngotError)) throw error;
      }
      times[i] = Math.min(times[i] ?? Number.POSITIVE_INFINITY, performance.now() - before);
    }
  times.sort((a, b) => a - b);
  const at = (part: number) => Number((times[Math.floor((times.length - 1) * part)] ?? 0).toFixed(3));
  return { queries: work.length, median_ms: at(0.5), p99_ms: at(0.99), most_ms: at(1) };
}

/** Seconds of each query of TPC-H as DuckDB's SQL and through the translator, best of some runs in turn. */
async function tpch(folder: string, runs: string) {
  const { tables, queries } = JSON.parse(readFileSync(join(folder, "queries.json"), "utf8")) as {
    tables: string[];
    queries: string[];
  };
  const connection = await connect();
  for (const name of tables)
    await connection.run(`CREATE TABLE "${name}" AS FROM read_parquet('${join(folder, `${name}.parquet`)}')`);
  const schemas = await readTables(connection);
  const found: ({ query: number } & Record<"own" | "translated", number>)[] = [];
  for (const [i, text] of queries.entries()) {
    const { duckdb, reads } = translateQuery(text, schemas);
    for (const { id, ...read } of reads)
      if (read.kind === "table")
        await connection.run(`CREATE OR REPLACE TEMP VIEW "${id}" AS FROM "${read.name.join(".")}"`);
    const best = { own: Number.POSITIVE_INFINITY, translated: Number.POSITIVE_INFINITY };
    for (let run = 0; run < Number(runs); run++)
      for (const [side, sql] of [
        ["own", text],
        ["translated", duckdb],
      ] as const) {
        const before = performance.now();
        await connection.runAndReadAll(sql);
        best[side] = Math.min(best[side], (performance.now() - before) / 1000);
      }
    found.push({ query: i + 1, ...best });
  }
  const sum = (side: "own" | "translated") => found.reduce((total, q) => total + q[side], 0);
  const ratio = (own: number, translated: number) => Number((translated / own).toFixed(2));
  return {
    duckdb_s: Number(sum("own").toFixed(3)),
    translated_s: Number(sum("translated").toFixed(3)),
    ratio: ratio(sum("own"), sum("translated")),
    queries: found.map(({ query, own, translated }) => ({
      query,
      duckdb_s: Number(own.toFixed(3)),
      translated_s: Number(translated.toFixed(3)),
      ratio: ratio(own, translated),
    })),
  };
}
