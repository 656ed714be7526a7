// A CSV file of 5 M rows × 38 columns of SAP types, each field as text into a bronze table; beside it DuckDB's own
// read_csv and COPY to Parquet of the same bytes. Each in a process of its own. Prints JSON.
//   node bench/files.mjs [--rows=5] [--runs=3] [--quoted] [--spark]
// --rows: millions. --quoted: every field stands in quotes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { flag, machine, median, root } from "./measure.mjs";
import { bundle, runStep } from "./worker.mjs";

const rows = Math.round(Number(flag("rows", 5)) * 1_000_000);
const runs = Number(flag("runs", 3));
const quoted = process.argv.includes("--quoted");
const folder = mkdtempSync(join(tmpdir(), "ingot-bench-"));
const worker = await bundle("bench/files-worker.ts");
const file = join(folder, "items.csv");
try {
  const { bytes } = run("data", { rows, quoted });
  // In turn, so that both meet the same load.
  const pairs = Array.from({ length: runs }, () => [measure("ingot"), measure("duckdb")]);
  const [ingot, duckdb] = [0, 1].map((side) => summary(pairs.map((pair) => pair[side])));
  const ratio = Number((ingot.wall_s / duckdb.wall_s).toFixed(2));
  const spark = process.argv.includes("--spark") ? { spark: await copyBySpark() } : {};
  const result = {
    bench: "files",
    machine: machine(),
    rows,
    columns: 38,
    bytes,
    quoted,
    ingot,
    duckdb,
    ratio,
    ...spark,
  };
  console.log(JSON.stringify(result, null, 2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measure(step) {
  for (const name of ["bronze", "storage", "peer.parquet"])
    rmSync(join(folder, name), { recursive: true, force: true });
  return run(step, { folder });
}

function summary(results) {
  const of = (name) => median(results.map((result) => result[name]));
  return {
    wall_s: of("wall_s"),
    cpu_s: of("cpu_s"),
    peak_mib: Math.max(...results.map((r) => r.peak_mib)),
    runs: results,
  };
}

function run(step, options) {
  return runStep(worker, step, file, options);
}

async function copyBySpark() {
  const { sparkJars } = await import("../scripts/peers.mjs");
  const peer = await sparkJars();
  if ("missing" in peer) return peer;
  const { copyOnSpark } = await import(await bundle("bench/files-spark.ts", `${root}test/interop/spark.ts`));
  return copyOnSpark(file, join(folder, "spark"));
}
