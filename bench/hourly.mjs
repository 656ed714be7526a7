// A day of an SAP table: 5 M line items × 38 columns in silver, then hourly batches of 208,000 changes from landing
// Parquet through bronze (change feed, deletion vectors) and three finance checks with quarantine into silver by AUTO
// CDC. Each batch is one `ingot run`, in a process of its own, as a user starts it.
//   npm run bench:hourly -- [--rows 5000000] [--batches 24] [--recent] [--peers] [--json]
//   npm run bench:hourly -- --kills 200 [--rows 8000] [--json]
// --recent: all changes are of recent documents. --peers: the same steps on Spark + Delta, and delta-rs' merge alone,
// over the same files. --kills: no measure, but a crash test over small batches (hourly-kills.mjs). --json: one JSON object, as the last line, and nothing else.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { INGOT, machine, median, root } from "./measure.mjs";
import { bundle, runStep } from "./worker.mjs";

const { values } = parseArgs({
  options: {
    rows: { type: "string" },
    kills: { type: "string" },
    batches: { type: "string", default: "24" },
    recent: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
/** 20 company codes, 8 years, 5 lines a document. */
const documents = Math.round(Number(values.rows ?? (values.kills === undefined ? 5_000_000 : 8000)) / 800);
const rows = documents * 800;
const folder = mkdtempSync(join(tmpdir(), "ingot-hourly-"));
const worker = await bundle("bench/hourly-worker.ts");
const say = (text) => {
  if (!values.json) console.log(text);
};

try {
  if (values.kills === undefined) await measureDay();
  else await crash();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function crash() {
  const { runKills } = await import("./hourly-kills.mjs");
  const options = { folder, worker, documents, kills: Number(values.kills), prepare: writeProject, say };
  const { bad, ...done } = await runKills(options);
  console.log(
    JSON.stringify({ bench: "hourly-kills", machine: machine(), rows, ...done, bad: bad.length, differences: bad }),
  );
  if (bad.length > 0) process.exitCode = 1;
}

async function measureDay() {
  writeProject(folder);
  const files = runStep(worker, "initial", join(folder, "landing"), { documents }).files;
  say(`${rows.toLocaleString("en-US")} rows in ${files.length} landing files`);
  const initial = run();
  say(line("initial load", initial));
  const batches = [];
  for (let batch = 0; batch < Number(values.batches); batch++) {
    const file = join(folder, "landing", `batch-${String(batch).padStart(4, "0")}.parquet`);
    const { rows: changes } = runStep(worker, "batch", file, { documents, batch, scattered: !values.recent });
    files.push(file);
    batches.push({ changes, landing_mb: mb(statSync(file).size), ...run() });
    say(line(`batch ${batch + 1}`, batches.at(-1)));
  }
  const unchanged = run();
  say(line("nothing new", unchanged));
  const check = runStep(worker, "check", folder, { files });
  if (check.wrong > 0) throw new Error(`silver differs from the changes in ${check.wrong} rows`);
  say(`${check.rows.toLocaleString("en-US")} rows in silver, equal to the changes applied one by one`);
  const peers = values.peers ? await measurePeers(files) : {};
  const of = (name) => round(median(batches.map((batch) => batch[name])));
  const result = {
    bench: "hourly",
    machine: machine(),
    rows,
    columns: 38,
    recent: values.recent,
    initial,
    batches,
    median: { wall_s: of("wall_s"), cpu_s: of("cpu_s"), peak_mb: Math.max(...batches.map((b) => b.peak_mb)) },
    day: { wall_s: round(sum(batches, "wall_s")), cpu_s: round(sum(batches, "cpu_s")) },
    unchanged,
    ...peers,
  };
  console.log(JSON.stringify(result));
}

/** One `ingot run` of the project. */
function run() {
  const usage = join(folder, "usage.json");
  const hook = `${root}bench/usage-hook.mjs`;
  const started = performance.now();
  const { status, stderr, stdout } = spawnSync(process.execPath, ["--import", hook, INGOT, "run"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, INGOT_BENCH_USAGE: usage },
  });
  const wall = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`ingot run ended with ${status}: ${stdout}${stderr}`);
  const used = JSON.parse(readFileSync(usage, "utf8"));
  return Object.fromEntries(Object.entries({ wall_s: wall, ...used }).map(([name, value]) => [name, round(value)]));
}

function writeProject(project) {
  for (const name of ["landing", "transformations"]) mkdirSync(join(project, name), { recursive: true });
  writeFileSync(
    join(project, "ingot.yml"),
    "name: hourly\nstorage: storage\nlibraries:\n  - glob: {include: transformations/**}\n",
  );
  writeFileSync(join(project, "transformations/bseg.sql"), readFileSync(`${root}bench/hourly.sql`));
}

/** Spark by the same steps, delta-rs by its merge, over the same files. */
async function measurePeers(files) {
  const { deltalake, sparkJars } = await import("../scripts/peers.mjs");
  const initial = files.filter((file) => !file.includes("batch-"));
  const changes = files.filter((file) => file.includes("batch-"));
  const jars = await sparkJars();
  const spark =
    "missing" in jars
      ? jars
      : await (await import(await bundle("bench/hourly-spark.ts", `${root}test/interop/spark.ts`))).runOnSpark(
          join(folder, "spark"),
          initial,
          changes,
        );
  const wheel = await deltalake();
  return { spark, deltalake: "missing" in wheel ? wheel : mergeByDeltalake(wheel.python, initial, changes) };
}

function mergeByDeltalake(python, initial, changes) {
  const table = join(folder, "deltalake");
  const script = (...args) => {
    const { stdout, stderr, status } = spawnSync(python, ["-B", `${root}bench/merge_deltalake.py`, table, ...args], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`delta-rs ended with ${status}: ${stderr}`);
    return stdout;
  };
  script(...initial);
  return changes.map((file) => JSON.parse(script("--merge", file, "MANDT,BUKRS,GJAHR,BELNR,BUZEI")));
}

function line(name, { wall_s, cpu_s, peak_mb, read_mb, written_mb }) {
  return `${name}: ${wall_s} s, ${cpu_s} CPU s, peak ${peak_mb} MB, ${read_mb} MB read, ${written_mb} MB written`;
}

function sum(list, name) {
  return list.reduce((total, item) => total + item[name], 0);
}

function round(value) {
  return Number(value.toFixed(2));
}

function mb(bytes) {
  return round(bytes / 2 ** 20);
}
