// Runs a program as a user would and measures it: wall and CPU of the whole process tree, median of several runs.
import { spawnSync } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const INGOT = `${root}packages/ingot/bin/ingot.js`;

/** The value of `--name=value` on the command line. */
export const flag = (name, otherwise) =>
  process.argv.find((a) => a.startsWith(`--${name}=`))?.split("=")[1] ?? otherwise;

/** @returns {{wall_s: number, cpu_s: number, runs: number}} medians, in seconds */
export function measure(args, { runs = 5, before = () => {} } = {}) {
  const walls = [];
  const cpu = [];
  for (let i = 0; i < runs; i++) {
    before();
    const script = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>/dev/null';
    const { stderr, status } = spawnSync("bash", ["-c", script, "bash", process.execPath, ...args], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`);
    const [wall = 0, user = 0, system = 0] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
    walls.push(wall);
    cpu.push(user + system);
  }
  return { wall_s: median(walls), cpu_s: median(cpu), runs };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** What a figure is worth depends on what else the machine did. */
export function machine() {
  return {
    node: process.versions.node,
    cores: cpus().length,
    cpu: cpus()[0]?.model,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    load_1m: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}
