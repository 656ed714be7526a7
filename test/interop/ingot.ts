import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../packages/ingot/bin/ingot.js", import.meta.url));

/** Runs the product's command line as a user does; answers with standard output. */
export function ingot(command: string, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [BIN, command, ...args], (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`ingot ${command} ${args.join(" ")} (exit ${error.code}): ${stderr}${stdout}`));
    });
  });
}

/** The Delta tables below a folder, by table name. */
export async function findDeltaTables(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const logs = entries.filter((entry) => entry.isDirectory() && entry.name === "_delta_log");
  return new Map(logs.map((log) => [basename(log.parentPath), log.parentPath]));
}
