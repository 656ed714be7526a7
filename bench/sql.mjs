// The translator: its start, milliseconds a query over all fixtures, and TPC-H through it beside the same queries as
// DuckDB's own SQL; the ratio of their times is the price of Spark's exactness. Prints JSON.
//   node bench/sql.mjs [--sf=1] [--runs=3]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { installOnce } from "../scripts/peers.mjs";
import { machine, median, root } from "./measure.mjs";

const flag = (name, otherwise) => process.argv.find((a) => a.startsWith(`--${name}=`))?.split("=")[1] ?? otherwise;
const scaleFactor = Number(flag("sf", 1));
const runs = Number(flag("runs", 3));

/** DuckDB with the generator of TPC-H's tables. */
const PACKAGES = ["duckdb==1.5.5", "duckdb-extension-tpch==1.5.5"];

const bundles = mkdtempSync(join(root, "node_modules/.bench-sql-"));
const folder = mkdtempSync(join(tmpdir(), "ingot-bench-"));
try {
  const worker = join(bundles, "worker.mjs");
  await build({
    entryPoints: [`${root}bench/sql-worker.ts`],
    outdir: bundles,
    outExtension: { ".js": ".mjs" },
    entryNames: "worker",
    bundle: true,
    // What the worker imports later is loaded later.
    splitting: true,
    platform: "node",
    format: "esm",
    conditions: ["source"],
    external: ["@duckdb/node-api", "hyparquet"],
    logLevel: "error",
  });
  const start = Array.from({ length: 7 }, () => run(process.execPath, worker, "start"));
  const result = {
    bench: "sql",
    machine: machine(),
    start: {
      goal_s: 0.3,
      translator_s: median(start.map((s) => s.translator_s)),
      session_s: median(start.map((s) => s.session_s)),
    },
    translation: { goal_ms: 5, ...run(process.execPath, worker, "translate", `${root}test/fixtures/sql`) },
    tpch: { goal_ratio: 1.15, scale_factor: scaleFactor, ...(await tpch(worker)) },
  };
  console.log(JSON.stringify(result, null, 2));
} finally {
  rmSync(bundles, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}

async function tpch(worker) {
  const home = await installOnce("tpch", PACKAGES.join("\n"), async (draft) => {
    call("python3", "-m", "venv", draft);
    call(join(draft, "bin/python"), "-m", "pip", "install", "--no-input", "--quiet", ...PACKAGES);
  });
  call(join(home, "bin/python"), `${root}bench/tpch_data.py`, folder, String(scaleFactor));
  return run(process.execPath, worker, "tpch", folder, String(runs));
}

function run(command, ...args) {
  return JSON.parse(call(command, ...args));
}

function call(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}: ${error?.message ?? stderr}`);
  return stdout;
}
