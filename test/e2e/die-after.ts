import { expect } from "vitest";
import { startIngot } from "./child.js";

/** A module for `node --import`: kills the process after the `count`-th call that gives a matching path its final name, or opens it. */
function killAfter(pattern: string, count: number): string {
  const code = `
    import fs from "node:fs/promises";
    import { syncBuiltinESMExports } from "node:module";
    let left = ${count};
    for (const name of ["link", "rename", "open"]) {
      const original = fs[name];
      fs[name] = async (...args) => {
        const result = await original(...args);
        if (new RegExp(${JSON.stringify(pattern)}).test(name === "open" ? args[0] : args[1]) && --left === 0)
          process.kill(process.pid, "SIGKILL");
        return result;
      };
    }
    syncBuiltinESMExports();`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** Runs a project in a process that dies right after the `count`-th matching path got its final name, or was opened. */
export async function dieAfter(
  pattern: string,
  folder: string,
  args: readonly string[] = [],
  count = 1,
): Promise<void> {
  await dieIn(["run", ...args], pattern, folder, count);
}

/** The same of another command. */
export async function dieIn(command: readonly string[], pattern: string, folder: string, count = 1): Promise<void> {
  const { signal, stderr } = await startIngot(command, folder, ["--import", killAfter(pattern, count)]).done;
  expect(signal, stderr).toBe("SIGKILL");
}
