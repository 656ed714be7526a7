// One step of bench/files.mjs in a process of its own, so that its memory and CPU seconds are its own.
import { statSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { DuckdbEngine } from "../packages/ingot/src/engine/duckdb/duckdb-engine.js";
import { CSV_DEFAULTS } from "../packages/ingot/src/graph/test-builders.js";
import type { CsvRead } from "../packages/ingot/src/model/file-read.js";
import { inspectFile } from "../packages/ingot/src/sources/files/inspect-file.js";
import { sourceColumns } from "../packages/ingot/src/sources/files/source-columns.js";
import { quoteName } from "../packages/ingot/src/sql/lower/lower-text.js";
import { baseRows, COMPANIES, LINES, YEARS } from "./sap-documents.js";

/** Writes the CSV file. */
async function data(path: string, { rows, quoted }: { rows: number; quoted: boolean }) {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const documents = Math.ceil(rows / (LINES * YEARS.length * COMPANIES));
  const quotes = quoted ? ", FORCE_QUOTE *" : "";
  await connection.run(`COPY (${baseRows(0, rows, documents)}) TO '${path}' (FORMAT csv, HEADER${quotes})`);
  return { bytes: statSync(path).size };
}

/** Looks at the file and writes each field as text into a bronze table, as a run does. */
async function ingot(path: string, { folder }: { folder: string }) {
  const read: CsvRead = {
    ...CSV_DEFAULTS,
    ...{ path, format: "csv", header: true, escape: '"', schemaEvolutionMode: "addNewColumns" },
    rescuedDataColumn: "_rescued_data",
  };
  const started = performance.now();
  const file = await inspectFile(path, read);
  const inspected = performance.now();
  const { columns } = sourceColumns(read, undefined, [file]);
  const at = { file: "bench.sql", line: 1, column: 1 };
  const query = {
    reads: [{ id: "r0", kind: "files", files: read, stream: true, at } as const],
    schema: columns,
    duckdb: `SELECT ${columns.map(({ name }) => quoteName(name)).join(", ")} FROM "r0"`,
    deterministic: true,
    preservesRows: true,
  };
  const engine = new DuckdbEngine(join(folder, "storage"));
  const bound = {
    query: query as never,
    inputs: new Map([["r0", { kind: "files", read, columns, files: [file] } as const]]),
  };
  const { parts } = await engine.write(
    {
      target: { location: join(folder, "bronze"), name: "bronze", schema: columns, properties: {} },
      mode: "append",
      parts: [{ bound, transaction: { appId: "bench", version: 0n }, expectedRows: file.records }],
      note: "bench",
    },
    new AbortController().signal,
  );
  await engine.close();
  return {
    rows: parts[0]?.rows,
    inspect_s: seconds(inspected - started),
    write_s: seconds(performance.now() - inspected),
  };
}

/** DuckDB's own reader, told what the file is, and its writer, with the compression that Ingot's tables have. */
async function duckdb(path: string, { folder }: { folder: string }) {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(
    `COPY (SELECT * FROM read_csv('${path}', header = true, all_varchar = true))
     TO '${join(folder, "peer.parquet")}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1)`,
  );
  return {};
}

const seconds = (milliseconds: number) => Number((milliseconds / 1000).toFixed(2));

const STEPS: Readonly<Record<string, (path: string, options: never) => Promise<object>>> = { data, ingot, duckdb };
const [, , step = "", path = "", options = "{}"] = process.argv;
const wall = performance.now();
const cpu = process.cpuUsage();
const result = await STEPS[step]?.(path, JSON.parse(options) as never);
const used = process.cpuUsage(cpu);
console.log(
  JSON.stringify({
    wall_s: seconds(performance.now() - wall),
    cpu_s: seconds((used.user + used.system) / 1000),
    peak_mib: Math.round(process.resourceUsage().maxRSS / 1024),
    ...result,
  }),
);
