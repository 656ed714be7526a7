import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { deltalake } from "../../scripts/peers.mjs";
import type { Relation } from "./relation.js";

/** What delta-rs reads in these table folders, in their order. */
export async function readDelta(...tables: readonly string[]): Promise<Relation[]> {
  return JSON.parse(await runPython("read_delta.py", tables, ""));
}

/** Appends rows to a table by delta-rs; `schema`, a Delta schema as JSON text, makes the table. */
export async function appendDelta(table: string, rows: Relation["rows"], schema?: string): Promise<void> {
  await runPython("append_delta.py", schema === undefined ? [table] : [table, schema], JSON.stringify(rows));
}

async function runPython(script: string, args: readonly string[], input: string): Promise<string> {
  const peer = await deltalake();
  if ("missing" in peer) throw new Error(peer.missing);
  const file = fileURLToPath(new URL(script, import.meta.url));
  return new Promise((resolve, reject) => {
    // -B: no compiled files in the tree.
    const child = execFile(peer.python, ["-B", file, ...args], { maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${script} ${args.join(" ")}: ${stderr || error.message}`));
    });
    child.stdin?.end(input);
  });
}
