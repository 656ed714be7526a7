// One step of bench/hourly.mjs that is not measured: makes landing files, and checks silver against them.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { DuckdbEngine } from "../packages/ingot/src/engine/duckdb/duckdb-engine.js";
import type { Field } from "../packages/ingot/src/model/data-type.js";
import { baseRows, batchRows, COMPANIES, KEYS, LINES, SCHEMA, YEARS } from "./sap-documents.js";

const FILE_ROWS = 500_000;

/** As an extractor delivers them: dates and amounts that must prove themselves are texts. */
const DELIVERED = "* REPLACE (strftime(BUDAT, '%Y%m%d') AS BUDAT, DMBTR::VARCHAR AS DMBTR)";

type Connection = Awaited<ReturnType<DuckDBInstance["connect"]>>;

/** The table's first rows, as changes that insert. */
async function initial(connection: Connection, folder: string, { documents }: { documents: number }) {
  mkdirSync(folder, { recursive: true });
  const rows = documents * LINES * YEARS.length * COMPANIES;
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

async function batch(connection: Connection, file: string, shape: Parameters<typeof batchRows>[0]) {
  return { rows: await copy(connection, batchRows(shape), file) };
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
  const found = await silver(project, summary);
  return { rows: Number(found[0]), wrong: found[0] === rows && found[1] === hash ? 0 : 1 };
}

async function silver(project: string, summary: string): Promise<readonly unknown[]> {
  const location = join(project, "storage/warehouse/default/silver_bseg");
  const engine = new DuckdbEngine(join(project, "storage"));
  const state = await engine.describe(location);
  if (state === undefined) throw new Error("there is no silver table");
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

const steps = { initial, batch, check };
const [, , step = "", path = "", options = "{}"] = process.argv;
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const run = steps[step as keyof typeof steps] as (c: Connection, path: string, options: unknown) => Promise<unknown>;
console.log(JSON.stringify(await run(connection, path, JSON.parse(options))));
