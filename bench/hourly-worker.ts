// One step of bench/hourly.mjs that is not measured: makes landing files, checks silver against them, compares projects.
import { mkdirSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { DuckdbEngine } from "../packages/ingot/src/engine/duckdb/duckdb-engine.js";
import type { Field } from "../packages/ingot/src/model/data-type.js";
import { baseRows, batchRows, COMPANIES, KEYS, LINES, SCHEMA, YEARS } from "./sap-documents.js";

const FILE_ROWS = 500_000;

/** As an extractor delivers them: dates and amounts that must prove themselves are texts. */
const DELIVERED = "* REPLACE (strftime(BUDAT, '%Y%m%d') AS BUDAT, DMBTR::VARCHAR AS DMBTR)";

type Connection = Awaited<ReturnType<DuckDBInstance["connect"]>>;

/** The table's first rows, as changes that insert. */
async function initial(
  connection: Connection,
  folder: string,
  { documents, companies = COMPANIES }: { documents: number; companies?: number },
) {
  mkdirSync(folder, { recursive: true });
  const rows = documents * LINES * YEARS.length * companies;
  const files: string[] = [];
  for (let first = 0; first < rows; first += FILE_ROWS) {
    const file = join(folder, `initial-${String(files.length).padStart(4, "0")}.parquet`);
    await copy(
      connection,
      `SELECT 'I' AS op, * FROM (${baseRows(first, Math.min(rows, first + FILE_ROWS), documents)})`,
      file,
    );
    files.push(file);
  }
  return { rows, files };
}

async function batch(
  connection: Connection,
  file: string,
  { companies = COMPANIES, ...shape }: Parameters<typeof batchRows>[0] & { companies?: number },
) {
  const own = `SELECT * FROM (${batchRows(shape)}) WHERE BUKRS < '${1000 + companies * 10}'`;
  return { rows: await copy(connection, own, file) };
}

/** A few changes anywhere in the table: some of them delete, come late, or have no key. */
async function small(connection: Connection, file: string, { documents, batch }: { documents: number; batch: number }) {
  const rows = documents * LINES * YEARS.length * COMPANIES;
  const h = `hash(BUKRS, GJAHR, BELNR, BUZEI, ${batch})`;
  const changed = `* REPLACE ((${batch + 1} - (${h} % 3)::BIGINT) AS CHG_SEQ, 'batch ${batch}' AS SGTXT,
    CASE WHEN ${h} % 50 > 0 THEN MANDT END AS MANDT)`;
  const query = `SELECT CASE WHEN ${h} % 7 = 0 THEN 'D' ELSE 'U' END AS op, ${changed}
    FROM (${baseRows(0, rows, documents)}) WHERE ${h} % 11 = 0`;
  return { rows: await copy(connection, query, file) };
}

/** Which tables of two projects differ, but for what names a run or a moment. */
async function compare(_: Connection, project: string, { other }: { other: string }) {
  const differences: string[] = [];
  const tables = tablesOf(project);
  if (tables.join() !== tablesOf(other).join()) differences.push(`the tables are ${tables.join(", ")}`);
  for (const table of tables) {
    const [own, theirs] = [await digest(project, table), await digest(other, table)];
    if (own !== theirs) differences.push(`${table}: ${own}, and undisturbed ${theirs}`);
  }
  return { tables, differences };
}

/** Folders of the tables of the pipeline, from `storage`. */
function tablesOf(project: string): string[] {
  const storage = join(project, "storage");
  return readdirSync(storage, { recursive: true, encoding: "utf8" })
    .filter((path) => basename(path) === "_delta_log" && /bseg/.test(path))
    .map(dirname)
    .sort();
}

const OF_A_RUN =
  /^(_quarantine_id|_run_id|quarantined_at|_resolved_at|_resolved_run|_source_file|__ingot_batch|__ingot_planned)$/;

async function digest(project: string, table: string): Promise<string> {
  const location = join(project, "storage", table);
  const engine = new DuckdbEngine(join(project, "storage"));
  const state = await engine.describe(location);
  if (state === undefined) throw new Error(`${location} is gone`);
  const names = state.schema.map(({ name }) => name).filter((name) => !OF_A_RUN.test(name));
  await engine.close();
  const row = names.map((name) => `"${name}"`).join(", ");
  return (
    await readSummary(project, location, `count(*)::VARCHAR AS n, sum(hash(${row})::HUGEINT)::VARCHAR AS h`)
  ).join(" ");
}

async function copy(connection: Connection, query: string, file: string): Promise<number> {
  await connection.run(`COPY (SELECT ${DELIVERED} FROM (${query})) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`);
  const counted = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM '${file}'`);
  return Number(counted.getRows()[0]?.[0]);
}

/** Silver must be the newest change of each key, deletes left out. */
async function check(connection: Connection, project: string, { files }: { files: string[] }) {
  const names = SCHEMA.fields.map(({ name }) => name);
  const summary = `count(*)::VARCHAR AS n, sum(hash(${names.join(", ")})::HUGEINT)::VARCHAR AS h`;
  const list = files.map((file) => `'${file}'`).join(", ");
  const keys = KEYS.join(", ");
  const expected = await connection.runAndReadAll(
    `WITH newest AS (SELECT ${keys}, max(CHG_SEQ) AS CHG_SEQ FROM read_parquet([${list}]) GROUP BY ${keys}),
       live AS (SELECT * REPLACE (strptime(BUDAT, '%Y%m%d')::DATE AS BUDAT, DMBTR::DECIMAL(23,2) AS DMBTR)
         FROM read_parquet([${list}]) SEMI JOIN newest USING (${keys}, CHG_SEQ) WHERE op <> 'D')
     SELECT ${summary} FROM live`,
  );
  const [rows, hash] = expected.getRows()[0] ?? [];
  const found = await readSummary(project, join(project, "storage/warehouse/default/silver_bseg"), summary);
  return { rows: Number(found[0]), wrong: found[0] === rows && found[1] === hash ? 0 : 1 };
}

/** The one row of a summary with the columns `n` and `h`. */
async function readSummary(project: string, location: string, summary: string): Promise<readonly unknown[]> {
  const engine = new DuckdbEngine(join(project, "storage"));
  const state = await engine.describe(location);
  if (state === undefined) throw new Error(`${location} is gone`);
  const text: Field["type"] = { kind: "string" };
  const at = { file: "bench.sql", line: 1, column: 1 };
  const query = {
    reads: [{ id: "r0", kind: "table", at } as never],
    schema: ["n", "h"].map((name) => ({ name, type: text, nullable: true })),
    duckdb: `SELECT ${summary} FROM "r0"`,
    deterministic: true,
    preservesRows: false,
  };
  const inputs = new Map([["r0", { kind: "snapshot", location, version: state.version } as const]]);
  const { rows } = await engine.query({ query: query as never, inputs }, { signal: new AbortController().signal });
  await engine.close();
  return rows[0] ?? [];
}

const steps = { initial, batch, check, small, compare };
const [, , step = "", path = "", options = "{}"] = process.argv;
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const run = steps[step as keyof typeof steps] as (c: Connection, path: string, options: unknown) => Promise<unknown>;
console.log(JSON.stringify(await run(connection, path, JSON.parse(options))));
