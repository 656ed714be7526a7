// One step of bench/sql.mjs in a process of its own: start | translate FOLDER | tpch FOLDER {"runs"}. Prints JSON.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { IngotError } from "../packages/ingot/src/model/error.js";
import { parseSchema } from "../packages/ingot/src/sql/ddl-types.js";
import { readCorpus } from "../test/sql/corpus.js";
import { type Tables, translate as translateQuery } from "../test/sql/translate.js";

const [step = "", folder = "", options = "{}"] = process.argv.slice(2);
const steps = { start, translate, tpch };
process.stdout.write(JSON.stringify(await steps[step as keyof typeof steps](folder, JSON.parse(options))));

/** What needs DuckDB, which is loaded after the translator was measured. */
function embedded() {
  return import("../test/sql/embedded.js");
}

/** Seconds of a process until its first query is translated, and what a database needs before it runs one. */
async function start() {
  const tables = new Map([["t", parseSchema("a INT, b DECIMAL(10,2), c STRING")]]);
  translateQuery("SELECT upper(c) AS c, sum(b) / count(*) AS mean FROM t WHERE a > 1 GROUP BY c", tables);
  const translator_s = performance.now() / 1000;
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const { prepare } = await embedded();
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const before = performance.now();
  await prepare(connection);
  return { translator_s, session_s: (performance.now() - before) / 1000 };
}

/** All queries of the fixtures, again and again in one process: milliseconds of a query once the code is warm. */
async function translate(folder: string) {
  const ROUNDS = 5;
  const { makeDatabase } = await embedded();
  const work: { readonly sql: string; readonly tables: Tables }[] = [];
  for (const file of readdirSync(folder)) {
    const corpus = readCorpus(join(folder, file));
    const { tables } = await makeDatabase("default", corpus.setups.get("default"));
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
async function tpch(folder: string, { runs }: { readonly runs: number }) {
  const { tables, queries } = JSON.parse(readFileSync(join(folder, "queries.json"), "utf8")) as {
    tables: string[];
    queries: string[];
  };
  const { bindReads, connect, readTables } = await embedded();
  const connection = await connect();
  for (const name of tables)
    await connection.run(`CREATE TABLE "${name}" AS FROM read_parquet('${join(folder, `${name}.parquet`)}')`);
  const schemas = await readTables(connection);
  const found: ({ query: number } & Record<"own" | "translated", number>)[] = [];
  for (const [i, text] of queries.entries()) {
    const compiled = translateQuery(text, schemas);
    await bindReads(connection, compiled);
    const best = { own: Number.POSITIVE_INFINITY, translated: Number.POSITIVE_INFINITY };
    for (let run = 0; run < runs; run++)
      for (const [side, sql] of [
        ["own", text],
        ["translated", compiled.duckdb],
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
