// Hourly batches of 208,000 changes merged into a table of 5 M rows × 38 columns of SAP types: without change feed, with
// one, and with one where all changes are recent. Each merge in a process of its own. Prints JSON.
//   node bench/delta-merge.mjs [--batches=3] [--rows=5] [--modes=plain,feed,recent] [--deltalake] [--spark] [--keep=FOLDER]
// --rows: millions; 50 needs some 3 GB of disk. --keep: a folder whose table and batches are used again.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { flag, machine, median, root } from "./measure.mjs";
import { bundle, runStep } from "./worker.mjs";

const batches = Number(flag("batches", 3));
const millions = Number(flag("rows", 5));
const documents = 1250 * millions;
const kept = flag("keep", undefined);
const folder = kept ?? mkdtempSync(join(tmpdir(), "ingot-bench-"));
mkdirSync(folder, { recursive: true });

const worker = await bundle("bench/delta-merge-worker.ts");

const MODES = {
  plain: { feed: false, scattered: true },
  feed: { feed: true, scattered: true },
  recent: { feed: true, scattered: false },
};
const data = join(folder, `data-${millions}m`);
if (!existsSync(join(data, "files.json"))) run("data", data, { documents });
const modes = {};
for (const mode of flag("modes", "plain,feed,recent").split(",")) modes[mode] = measureMode(MODES[mode], mode);
const peers = {
  ...(process.argv.includes("--deltalake") ? { deltalake: await mergeByDeltalake() } : {}),
  ...(process.argv.includes("--spark") ? { spark: await mergeBySpark() } : {}),
};
console.log(
  JSON.stringify(
    { bench: "delta-merge", machine: machine(), rows: millions * 1_000_000, columns: 38, modes, ...peers },
    null,
    2,
  ),
);
if (kept === undefined) rmSync(folder, { recursive: true, force: true });

function measureMode({ feed, scattered }, mode) {
  const table = join(folder, `table-${mode}-${millions}m`);
  rmSync(table, { recursive: true, force: true });
  run("create", table, { from: data, feed });
  const merges = [];
  for (let batch = 0; batch < batches; batch++) {
    const file = batchFile(scattered, batch);
    merges.push(run("merge", table, { file }));
  }
  const of = (name) => median(merges.map((merge) => merge[name]));
  return {
    median: {
      wall_s: of("wall_s"),
      cpu_s: of("cpu_s"),
      peak_mib: Math.max(...merges.map((m) => m.peak_mib)),
      written_bytes: of("written_bytes"),
    },
    floor: run("floor", table, { file: batchFile(scattered, 0) }),
    merges,
  };
}

function batchFile(scattered, batch) {
  const file = join(folder, `batch-${scattered ? "mixed" : "recent"}-${millions}m-${batch}.parquet`);
  if (!existsSync(file)) run("batch", file, { documents, batch, scattered });
  return file;
}

function run(step, path, options) {
  return runStep(worker, step, path, options, { BENCH_TMP: folder });
}

/** Without vectors and change feed, which delta-rs does not write in a merge. */
async function mergeByDeltalake() {
  const { deltalake } = await import("../scripts/peers.mjs");
  const peer = await deltalake();
  if ("missing" in peer) return peer;
  const table = join(folder, `table-deltalake-${millions}m`);
  rmSync(table, { recursive: true, force: true });
  const script = `${root}bench/merge_deltalake.py`;
  const python = (...args) => {
    const { stdout, stderr, status } = spawnSync(peer.python, ["-B", script, table, ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(`delta-rs ended with ${status}: ${stderr}`);
    return stdout;
  };
  python(...dataFiles());
  const keys = "MANDT,BUKRS,GJAHR,BELNR,BUZEI";
  return Array.from({ length: batches }, (_, batch) => JSON.parse(python("--merge", batchFile(true, batch), keys)));
}

async function mergeBySpark() {
  const { sparkJars } = await import("../scripts/peers.mjs");
  const peer = await sparkJars();
  if ("missing" in peer) return peer;
  const { mergeOnSpark } = await import(await bundle("bench/delta-merge-spark.ts", `${root}test/interop/spark.ts`));
  const table = join(folder, `table-spark-${millions}m`);
  rmSync(table, { recursive: true, force: true });
  const files = Array.from({ length: batches }, (_, batch) => batchFile(true, batch));
  return mergeOnSpark(table, dataFiles(), files, true);
}

function dataFiles() {
  return JSON.parse(readFileSync(join(data, "files.json"), "utf8")).map(({ path }) => join(data, path));
}
