import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { deltalake } from "../../scripts/peers.mjs";
import type { Relation } from "./relation.js";

/** What a reader makes of a table: its rows, or why it reads none. */
export type Reading = Relation | { readonly error: string };

/** What delta-rs reads in these table folders, in their order. Throws for the first that it cannot read. */
export async function readDelta(...tables: readonly string[]): Promise<Relation[]> {
  return (await tryDelta(tables)).map((reading, i) => {
    if ("error" in reading) throw new Error(`delta-rs cannot read ${tables[i]}: ${reading.error}`);
    return reading;
  });
}

/** What delta-rs reads in these table folders, in their order. */
export async function tryDelta(tables: readonly string[]): Promise<Reading[]> {
  return JSON.parse(await runPython("read_delta.py", tables, ""));
}

/** What DuckDB's delta extension reads in these table folders, in their order. */
export async function tryDuckdb(tables: readonly string[]): Promise<Reading[]> {
  return JSON.parse(await runPython("read_duckdb.py", tables, ""));
}

/**
 * The change feeds of these tables from a version on, as delta-rs reads them: the table's columns, `_change_type`,
 * `_commit_version`.
 */
export async function tryDeltaChanges(tables: readonly string[], from: number): Promise<Reading[]> {
  return JSON.parse(await runPython("read_changes.py", [String(from), ...tables], ""));
}

/** Appends rows to a table by delta-rs; `schema`, a Delta schema as JSON text, makes the table. */
export async function appendDelta(table: string, rows: Relation["rows"], schema?: string): Promise<void> {
  await runPython("append_delta.py", schema === undefined ? [table] : [table, schema], JSON.stringify(rows));
}

/** Operations of delta-rs on a table, one commit each; see operate_delta.py. */
export async function operateDelta(table: string, ...steps: readonly object[]): Promise<void> {
  await runPython("operate_delta.py", [table], JSON.stringify(steps));
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
