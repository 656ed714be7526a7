// The supply chain from files to gold: extracts of the generator at a scale through all tables of examples/supply-chain. Each load is one
// `ingot run`, in a process of its own, as a user starts it: all files new; nothing new; a newer extract of purchase order items.
// --peers: beside it Spark, which runs the same statements. Prints one JSON line.
//   node bench/supply-chain.mjs [--scale small|medium|lines of accounting] [--data FOLDER] [--peers]
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { INGOT, machine, root } from "./measure.mjs";
import { bundle } from "./worker.mjs";

const { values } = parseArgs({
  options: {
    scale: { type: "string", default: "small" },
    // Of a run before, to be measured once more: what `ingot sap generate` has written.
    data: { type: "string" },
    peers: { type: "boolean", default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), "ingot-supply-chain-"));
const landing = join(folder, "landing");

try {
  cpSync(`${root}examples/supply-chain`, folder, { recursive: true, filter: (path) => !path.endsWith("/storage") });
  const parameters = join(folder, "settings/report_parameters.csv");
  writeFileSync(parameters, readFileSync(parameters, "utf8").replaceAll(/2026-..-..,,/g, "2025-01-02,EUR,"));
  const generated = values.data === undefined ? generate(join(folder, "data")) : undefined;
  takeExtracts(join(values.data ?? join(folder, "data"), "truth"));
  const items = readFileSync(join(landing, "EKPO.csv"), "utf8").split("\n").length - 2;
  const first = measure(["run"]);
  const unchanged = measure(["run"]);
  const item = readFileSync(join(landing, "EKPO.csv"), "utf8").trimEnd().split("\n").at(-1);
  appendFileSync(join(landing, "EKPO.csv"), `${item}\n`);
  const newer = measure(["run"]);
  const spark = values.peers ? await measureSpark() : undefined;
  const result = {
    bench: "supply-chain",
    machine: machine(),
    scale: values.scale,
    items,
    generated,
    first,
    unchanged,
    newer,
    spark,
  };
  console.log(JSON.stringify(result));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function generate(data) {
  const tables = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")).bronze_tables.join(",");
  const options = ["--out", data, "--changes", "plain", "--batches", "1", "--scale", values.scale];
  return measure(["sap", "generate", ...options, "--tables", tables]);
}

/** In the place of the example's own. The one that gets a newer version is a copy. */
function takeExtracts(truth) {
  for (const name of readdirSync(landing)) rmSync(join(landing, name));
  for (const name of readdirSync(truth).filter((name) => name.endsWith(".csv")))
    if (name === "EKPO.csv") cpSync(join(truth, name), join(landing, name));
    else symlinkSync(join(truth, name), join(landing, name));
}

async function measureSpark() {
  const { sparkJars } = await import("../scripts/peers.mjs");
  const jars = await sparkJars();
  if ("missing" in jars) return jars;
  measure(["export", "databricks", "--out", "bundle"]);
  const { runOnSpark } = await import(await bundle("bench/supply-chain-spark.ts", `${root}test/interop/spark.ts`));
  return runOnSpark(join(folder, "bundle"), folder, landing);
}

/** One command, in a process of its own. */
function measure(command) {
  const usage = join(folder, "usage.json");
  const started = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", `${root}bench/usage-hook.mjs`, INGOT, ...command],
    {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1e9,
      env: { ...process.env, INGOT_BENCH_USAGE: usage },
    },
  );
  if (status !== 0) throw new Error(stderr.slice(-2000));
  const wall_s = (performance.now() - started) / 1000;
  const { cpu_s, peak_mb } = JSON.parse(readFileSync(usage, "utf8"));
  return { wall_s: Number(wall_s.toFixed(1)), cpu_s: Number(cpu_s.toFixed(1)), peak_mb: Math.round(peak_mb) };
}
