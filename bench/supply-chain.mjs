// The supply chain from files to gold: extracts of the generator at a scale through all tables of examples/supply-chain. Each load is one
// `ingot run`, in a process of its own, as a user starts it: all files new; nothing new; a newer extract of purchase order items.
//   node bench/supply-chain.mjs [--scale small|medium|lines of accounting] [--json]
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { INGOT, machine, root } from "./measure.mjs";

const { values } = parseArgs({
  options: { scale: { type: "string", default: "small" }, json: { type: "boolean", default: false } },
});
const folder = mkdtempSync(join(tmpdir(), "ingot-supply-chain-"));
const landing = join(folder, "data/truth");

try {
  cpSync(`${root}examples/supply-chain`, folder, { recursive: true, filter: (path) => !path.endsWith("/storage") });
  const settings = JSON.parse(readFileSync(join(folder, "config.json"), "utf8"));
  writeFileSync(
    join(folder, "config.json"),
    JSON.stringify({ ...settings, bronze_source_relative_path: "data/truth" }),
  );
  const parameters = join(folder, "settings/report_parameters.csv");
  writeFileSync(parameters, readFileSync(parameters, "utf8").replaceAll(/2026-..-..,,/g, "2025-01-02,EUR,"));
  // Nothing is in transit, and the file says so.
  const tables = settings.bronze_tables.filter((name) => name !== "MARCH").join(",");
  const data = ["--out", join(folder, "data"), "--changes", "plain", "--batches", "1", "--scale", values.scale];
  const generated = measure(["sap", "generate", ...data, "--tables", tables]);
  writeFileSync(join(landing, "MARCH.csv"), "MANDT,MATNR,WERKS,LFGJA,LFMON\n");
  const items = readFileSync(join(landing, "EKPO.csv"), "utf8").split("\n").length - 2;
  const first = measure(["run"]);
  const unchanged = measure(["run"]);
  const item = readFileSync(join(landing, "EKPO.csv"), "utf8").trimEnd().split("\n").at(-1);
  appendFileSync(join(landing, "EKPO.csv"), `${item}\n`);
  const newer = measure(["run"]);
  const result = {
    bench: "supply-chain",
    machine: machine(),
    scale: values.scale,
    items,
    generated,
    first,
    unchanged,
    newer,
  };
  if (values.json) console.log(JSON.stringify(result));
  else
    for (const name of ["generated", "first", "unchanged", "newer"])
      console.log(
        `${name.padEnd(10)} ${result[name].wall_s} s, CPU ${result[name].cpu_s} s, ${result[name].peak_mb} MB`,
      );
} finally {
  rmSync(folder, { recursive: true, force: true });
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
