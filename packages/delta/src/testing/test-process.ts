import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const run = promisify(execFile);

/** Makes a program of a TypeScript text that may import this folder's files; gives its path. */
export async function buildProgram(folder: string, source: string): Promise<string> {
  const outfile = join(folder, "program.mjs");
  await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  return outfile;
}

/** Runs a command to its end; rejects with its output when it fails. */
export async function runCommand(command: string, args: readonly string[]): Promise<string> {
  return (await run(command, args)).stdout;
}
