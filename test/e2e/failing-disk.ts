import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

/** A fault of the disk: the `nth` call that gives a file its final name, or opens one, fails; before or after it is done. */
export interface DiskFault {
  readonly nth: number;
  readonly isDone: boolean;
}

const CALLS = ["link", "rename", "open"] as const;

/**
 * Does some work while the disk fails once, among the calls on matching paths; undefined: it does not. Whether it failed.
 */
export async function withDiskFault(
  pattern: RegExp,
  fault: DiskFault | undefined,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const originals = Object.fromEntries(CALLS.map((name) => [name, fs[name]]));
  const patched = fs as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  let left = fault?.nth ?? Number.POSITIVE_INFINITY;
  let failed = false;
  for (const name of CALLS) {
    const original = originals[name] as unknown as (...args: unknown[]) => Promise<unknown>;
    patched[name] = async (...args) => {
      const isIt = pattern.test(String(name === "open" ? args[0] : args[1])) && --left === 0;
      if (!isIt) return original(...args);
      failed = true;
      if (fault?.isDone === true && name !== "open") await original(...args);
      throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
    };
  }
  syncBuiltinESMExports();
  try {
    await work();
    return failed;
  } finally {
    Object.assign(fs, originals);
    syncBuiltinESMExports();
  }
}
