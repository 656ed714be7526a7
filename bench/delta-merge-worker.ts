// One step of bench/delta-merge.mjs in a process of its own, so that its memory and CPU seconds are its own.
import { linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTable, fileLayout, localStore, type NewFile, readSnapshot } from "@ingot/delta";
import { duckdbTable } from "../packages/ingot/src/engine/duckdb/delta/duckdb-table.js";
import { type WrittenFile, writeFiles } from "../packages/ingot/src/engine/duckdb/delta/write-files.js";
import { DuckdbSession } from "../packages/ingot/src/engine/duckdb/duckdb-session.js";
import { baseRows, batchRows, COMPANIES, KEYS, LINES, SCHEMA, YEARS } from "./sap-documents.js";

type Connection = Parameters<Parameters<DuckdbSession["use"]>[1]>[0];

const FILE_ROWS = 500_000;

/** Writes the base table's files, which all tables of the bench share. */
async function data(connection: Connection, folder: string, { documents }: { documents: number }) {
  const layout = fileLayout({ table: folder, schema: SCHEMA, metadata: { configuration: {}, partitionColumns: [] } });
  const rows = documents * LINES * YEARS.length * COMPANIES;
  const written: WrittenFile[] = [];
  for (let first = 0; first < rows; first += FILE_ROWS) {
    const query = baseRows(first, Math.min(rows, first + FILE_ROWS), documents);
    written.push(...(await writeFiles(connection, layout, query)));
  }
  writeFileSync(join(folder, "files.json"), JSON.stringify(written.map(({ file }) => file)));
  return { rows, files: written.length, bytes: written.reduce((sum, { file }) => sum + file.size, 0) };
}

/** Makes a table of the base table's files. */
async function create(_connection: Connection, folder: string, { from, feed }: { from: string; feed: boolean }) {
  mkdirSync(folder, { recursive: true });
  const add: NewFile[] = JSON.parse(readFileSync(join(from, "files.json"), "utf8"));
  for (const { path } of add) linkSync(join(from, path), join(folder, path));
  const configuration = {
    "delta.enableDeletionVectors": "true",
    "delta.enableRowTracking": "true",
    ...(feed ? { "delta.enableChangeDataFeed": "true" } : {}),
  };
  const columns = KEYS.slice(0, 4).map((key) => [key]);
  await createTable(
    localStore,
    folder,
    { schema: SCHEMA, configuration },
    {
      operation: "CREATE TABLE AS SELECT",
      add: add.map((file) => ({ ...file, clusteringProvider: "liquid" })),
      domains: new Map([
        ["delta.clustering", JSON.stringify({ clusteringColumns: columns, domainName: "delta.clustering" })],
      ]),
    },
  );
  return {};
}

/** Writes a batch as Parquet, for us and for peers. */
async function batch(connection: Connection, file: string, shape: Parameters<typeof batchRows>[0]) {
  await connection.run(`COPY (${batchRows(shape)}) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`);
  const counted = await connection.runAndReadAll(
    `SELECT count(*)::INTEGER, count(DISTINCT (${KEYS.join(", ")}))::INTEGER FROM '${file}'`,
  );
  const [rows, keys] = counted.getRows()[0] ?? [];
  if (rows !== keys) throw new Error(`${rows} changes have ${keys} keys`);
  return { rows };
}

/** Merges a batch that is in memory already; only the merge is measured. */
async function merge(connection: Connection, folder: string, { file }: { file: string }) {
  await connection.run(`CREATE TEMP TABLE batch AS FROM '${file}'`);
  const table = duckdbTable(connection, localStore, folder);
  const wall = performance.now();
  const cpu = process.cpuUsage();
  const { rows } = await table.merge({
    source: { table: "batch" },
    keys: KEYS,
    matched: [
      { kind: "delete", condition: "s.op = 'D'" },
      { kind: "update", set: "*" },
    ],
    notMatched: [{ values: "*", condition: "s.op <> 'D'" }],
  });
  const used = process.cpuUsage(cpu);
  return {
    wall_s: seconds(performance.now() - wall),
    cpu_s: seconds((used.user + used.system) / 1000),
    peak_mib: Math.round(process.resourceUsage().maxRSS / 1024),
    written_bytes: await bytesOfNewest(folder),
    rows,
  };
}

/** Bytes of the data and change files that the newest version brought. */
async function bytesOfNewest(folder: string): Promise<number> {
  const snapshot = await readSnapshot(localStore, folder);
  const log = join(folder, "_delta_log", `${String(snapshot?.version).padStart(20, "0")}.json`);
  const actions = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const paths = new Set<string>(actions.flatMap(({ add, cdc }) => (add ?? cdc)?.path ?? []));
  const before = await readSnapshot(localStore, folder, { version: (snapshot?.version ?? 1n) - 1n });
  for (const file of before?.files ?? []) paths.delete(file.uri);
  return [...paths].reduce((sum, path) => sum + statSync(join(folder, decodeURIComponent(path))).size, 0);
}

/** What no merge can do without: the sorted write of the batch and one scan of the keys. */
async function floor(connection: Connection, folder: string, { file }: { file: string }) {
  await connection.run(`CREATE TEMP TABLE batch AS FROM '${file}'`);
  const snapshot = await readSnapshot(localStore, folder);
  const paths = snapshot?.files.map(({ path }) => `'${join(folder, path)}'`).join(", ");
  const cpu = process.cpuUsage();
  await connection.run(`SELECT ${KEYS.map((key) => `max(${key})`).join(", ")} FROM read_parquet([${paths}])`);
  const scanned = process.cpuUsage(cpu);
  await connection.run(
    `COPY (SELECT * EXCLUDE op FROM batch WHERE op <> 'D' ORDER BY ${KEYS.join(", ")}) TO '${file}.floor'
     (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, WRITE_BLOOM_FILTER false)`,
  );
  const all = process.cpuUsage(cpu);
  const total = (all.user + all.system) / 1000;
  return { key_scan_cpu_s: seconds((scanned.user + scanned.system) / 1000), cpu_s: seconds(total) };
}

function seconds(milliseconds: number): number {
  return Number((milliseconds / 1000).toFixed(2));
}

const steps = { data, create, batch, merge, floor };
const [, , step = "", path = "", options = "{}"] = process.argv;
const session = new DuckdbSession(join(process.env["BENCH_TMP"] ?? "", "spill"));
const run = steps[step as keyof typeof steps] as (
  connection: Connection,
  path: string,
  options: unknown,
) => Promise<unknown>;
const result = await session.use(new AbortController().signal, (connection) =>
  run(connection, path, JSON.parse(options)),
);
await session.close();
console.log(JSON.stringify(result));
