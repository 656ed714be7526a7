// What the processes that this one has started have used, as Linux tells it.
import { readdirSync, readFileSync } from "node:fs";

/** CPU seconds and the highest memory so far of the process that this one has started, as Linux tells them. */
export function usage(): { cpu: number; peak: number } {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid, stat: read(`/proc/${pid}/stat`).replace(/^.*\)/s, "").trim().split(" ") }))
    .filter(({ stat }) => Number(stat[1]) === process.pid);
  const TICKS = 100;
  const cpu = children.reduce((sum, { stat }) => sum + (Number(stat[11]) + Number(stat[12])) / TICKS, 0);
  const peaks = children.map(({ pid }) => Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0));
  return { cpu, peak: Math.round(Math.max(0, ...peaks) / 1024) };
}

/** Empty for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
