// The crash test of bench/hourly.mjs: the same project over small batches, killed at random moments and run again, beside
// an undisturbed one over the same files. After each batch the two have the same rows in bronze, silver, the table beside
// silver and the quarantine, or the batch is bad.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { INGOT } from "./measure.mjs";
import { runStep } from "./worker.mjs";

/** So often a batch is killed before it is let run to its end: recovery is killed, too. */
const MOST_A_BATCH = 8;
/** Shares of a whole run's time: Node starts before the first, and behind the last most runs have ended. */
const [FIRST, LAST] = [0.2, 0.9];

/**
 * @param {{folder: string, worker: string, documents: number, kills: number, prepare: (project: string) => void,
 *   say: (text: string) => void}} options `prepare` writes the project's files
 * @returns {Promise<{kills: number, batches: number, finished: number, tables: string[], bad: string[]}>} `finished`: runs
 *   that ended before they were killed; `tables`: what was compared
 */
export async function runKills({ folder, worker, documents, kills, prepare, say }) {
  const [disturbed, undisturbed] = ["disturbed", "undisturbed"].map((name) => join(folder, name));
  for (const project of [disturbed, undisturbed]) prepare(project);
  const deliver = (batch) => {
    const file = `batch-${String(batch).padStart(4, "0")}.parquet`;
    const made = join(folder, file);
    mkdirSync(folder, { recursive: true });
    runStep(worker, "small", made, { documents, batch });
    for (const project of [disturbed, undisturbed]) copyFileSync(made, join(project, "landing", file));
  };
  const result = { kills: 0, batches: 0, finished: 0, tables: [], bad: [] };
  for (let batch = 0; result.kills < kills; batch += 1) {
    deliver(batch);
    const whole = (await run(undisturbed)).seconds;
    for (let i = 0; i < MOST_A_BATCH && result.kills < kills; i += 1) {
      const { killed } = await run(disturbed, whole * (FIRST + (LAST - FIRST) * Math.random()));
      if (!killed) {
        result.finished += 1;
        break;
      }
      result.kills += 1;
    }
    await run(disturbed);
    const { tables, differences } = runStep(worker, "compare", disturbed, { other: undisturbed });
    result.batches += 1;
    result.tables = tables;
    result.bad.push(...differences.map((what) => `batch ${batch}: ${what}`));
    say(`batch ${batch + 1}: ${result.kills} kills, ${result.bad.length} differences`);
  }
  return result;
}

/** One `ingot run`; with `limit` killed after so many seconds, unless it ends before. */
async function run(project, limit) {
  const started = performance.now();
  const child = spawn(process.execPath, [INGOT, "run"], { cwd: project, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const timer = limit === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), limit * 1000);
  const [code, signal] = await once(child, "close");
  clearTimeout(timer);
  if (signal === null && code !== 0) throw new Error(`ingot run ended with ${code}: ${stderr}`);
  return { killed: signal === "SIGKILL", seconds: (performance.now() - started) / 1000 };
}
