// What rules cost: the hourly batch of bench/hourly.mjs, without rules and with ten, each as an `ingot run` in a process of
// its own. The two take turns over the same files, so that they meet the same machine.
//   node bench/rules.mjs [--rows 2200000] [--batches 8] [--kind quarantine|warn]
// Prints one JSON object; `cost` is the median of the batches' quotients less one.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { INGOT, machine, median, root } from "./measure.mjs";
import { bundle, runStep } from "./worker.mjs";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "2200000" },
    batches: { type: "string", default: "8" },
    kind: { type: "string", default: "quarantine" },
  },
});

/** Of the kinds that finance asks for; every row of the batches passes. */
const RULES = [
  "MANDT IS NOT NULL AND BUKRS IS NOT NULL AND BELNR IS NOT NULL",
  "try_cast(DMBTR AS DECIMAL(15,2)) IS NOT NULL",
  "try_to_date(BUDAT, 'yyyyMMdd') IS NOT NULL",
  "try_cast(GJAHR AS INT) BETWEEN 1990 AND 2100",
  "length(BUKRS) = 4",
  "SHKZG IN ('S', 'H')",
  "length(PSWSL) = 3",
  "BUZEI RLIKE '^[0-9]{3}$'",
  "HKONT IS NOT NULL AND length(HKONT) <= 10",
  "CHG_SEQ >= 0",
];
const ACTION = values.kind === "warn" ? "" : " ON VIOLATION QUARANTINE ROW";

const documents = Math.round(Number(values.rows) / 800);
const folder = mkdtempSync(join(tmpdir(), "ingot-rules-"));
const landing = join(folder, "landing");
const worker = await bundle("bench/hourly-worker.ts");

try {
  runStep(worker, "initial", landing, { documents });
  const projects = [0, RULES.length].map((count) => ({ count, path: makeProject(count) }));
  for (const { path } of projects) run(path);
  const batches = [];
  for (let batch = 0; batch < Number(values.batches); batch++) {
    const file = join(landing, `batch-${String(batch).padStart(4, "0")}.parquet`);
    runStep(worker, "batch", file, { documents, batch, scattered: true });
    // Who is first pays for the file's pages.
    const order = batch % 2 === 0 ? projects : [...projects].reverse();
    const used = new Map(order.map(({ count, path }) => [count, run(path)]));
    for (const { path } of projects)
      if (existsSync(join(path, "storage/warehouse/default/bseg_checked_quarantine"))) throw new Error("a rule failed");
    batches.push({ none: used.get(0), ten: used.get(RULES.length) });
  }
  const cost = (name) => round(median(batches.map(({ none, ten }) => ten[name] / none[name])) - 1);
  console.log(
    JSON.stringify({
      bench: "rules",
      machine: machine(),
      rows: documents * 800,
      kind: values.kind,
      batches,
      cost: { cpu: cost("cpu_s"), wall: cost("wall_s") },
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeProject(count) {
  const path = join(folder, `rules-${count}`);
  mkdirSync(join(path, "transformations"), { recursive: true });
  symlinkSync(landing, join(path, "landing"));
  writeFileSync(
    join(path, "ingot.yml"),
    "name: rules\nstorage: storage\nlibraries:\n  - glob: {include: transformations/**}\n",
  );
  const rules = RULES.slice(0, count).map((rule, i) => `CONSTRAINT rule_${i} EXPECT (${rule})${ACTION}`);
  const sql = readFileSync(`${root}bench/hourly.sql`, "utf8").replace(
    /bseg_checked \([\s\S]*?\n\) AS/,
    () => `bseg_checked ${rules.length === 0 ? "" : `(${rules.join(", ")}) `}AS`,
  );
  writeFileSync(join(path, "transformations/bseg.sql"), sql);
  return path;
}

/** One `ingot run` of a project. */
function run(cwd) {
  const usage = join(folder, "usage.json");
  const started = performance.now();
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["--import", `${root}bench/usage-hook.mjs`, INGOT, "run"],
    {
      cwd,
      encoding: "utf8",
      env: { ...process.env, INGOT_BENCH_USAGE: usage },
    },
  );
  const wall_s = round((performance.now() - started) / 1000);
  if (status !== 0) throw new Error(`ingot run ended with ${status}: ${stdout}${stderr}`);
  return { wall_s, cpu_s: round(JSON.parse(readFileSync(usage, "utf8")).cpu_s) };
}

function round(value) {
  return Number(value.toFixed(3));
}
