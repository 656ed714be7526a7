import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import type { Io } from "../../packages/ingot/src/cli/io.js";
import { main } from "../../packages/ingot/src/cli/main.js";
import type { RunEvent } from "../../packages/ingot/src/model/event.js";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder that is removed when the tests of the file are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ingot-e2e-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files below a folder and gives it. */
export function writeProject(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** A spec over `transformations/`. */
export const SPEC = "name: test\nstorage: storage\nlibraries:\n  - glob: {include: transformations/**}\n";

/** Runs a command line in this process, on its real code path, with its streams caught. */
export async function ingot(args: readonly string[], io: Partial<Io> & { readonly cwd: string }): Promise<Outcome> {
  let [stdout, stderr] = ["", ""];
  const stream = (write: (text: string) => void) => ({ write, isTTY: false, columns: 120, rows: 40 });
  const world: Io = {
    stdout: stream((text) => {
      stdout += text;
    }),
    stderr: stream((text) => {
      stderr += text;
    }),
    env: {},
    clock: () => new Date(),
    user: "tester",
    onInterrupt: () => () => {},
    readStdin: async () => "",
    ...io,
  };
  const code = await main(args, world, "0.0.0-test");
  return { code, stdout, stderr };
}

/** Rows of a query, as `--json` gives them. */
export async function rows(cwd: string, query: string): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await ingot(["query", query, "--json"], { cwd });
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { rows: Record<string, unknown>[] }).rows;
}

/** The events of a run, as `--json-stream` gives them. */
export async function events(cwd: string, ...args: readonly string[]): Promise<{ code: number; events: RunEvent[] }> {
  const { code, stdout } = await ingot(["run", "--json-stream", ...args], { cwd });
  return {
    code,
    events: stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as RunEvent),
  };
}
