import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import { afterAll, expect } from "vitest";
import type { Io } from "../../packages/ingot/src/cli/io.js";
import { main } from "../../packages/ingot/src/cli/main.js";
import type { RunEvent } from "../../packages/ingot/src/model/event.js";
import type { Position } from "../../packages/ingot/src/model/position.js";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder that is removed when the tests of the file are done. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ingot-e2e-")));
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

/** Makes projects side by side in one temporary folder: call it once in a test file, then once a project. */
export function projectMaker(): (files: Readonly<Record<string, string | Uint8Array>>) => string {
  const root = temporaryFolder();
  let count = 0;
  return (files) => writeProject(join(root, `project-${++count}`), { "ingot.yml": SPEC, ...files });
}

/** `read_files` over `landing/`, whose CSV files have the header `id,v`. */
export const LANDING =
  "read_files('landing', format => 'csv', header => true, enforceSchema => false, schema => 'id BIGINT, v STRING')";

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

export interface Refusal {
  readonly code: number;
  readonly errors: readonly {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly at?: string;
  }[];
}

/** How a command fails: its exit code and its errors as `--json` tells them, places as `file:line:column` from `cwd`. */
export async function refusal(cwd: string, ...args: readonly string[]): Promise<Refusal> {
  const { code, stdout } = await ingot([...args, "--json"], { cwd });
  const told = JSON.parse(stdout) as { errors: { code: string; message: string; hint?: string; at?: Position }[] };
  const place = ({ file, line, column }: Position) =>
    `${isAbsolute(file) ? relative(cwd, file) : file}:${line}:${column}`;
  const errors = told.errors.map(({ at, ...error }) => (at === undefined ? error : { ...error, at: place(at) }));
  return { code, errors };
}

/** All files below a folder of the project, sorted; none where it is not there. */
export function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((e) => e.isFile())
      .map((e) => relative(folder, join(e.parentPath, e.name)))
      .sort();
  } catch {
    return [];
  }
}

/** What a project's `storage/` holds beside caches, as {@link filesBelow}. */
export function storedFiles(folder: string): string[] {
  return filesBelow(join(folder, "storage")).filter((file) => !file.startsWith("_cache/"));
}

/** A run that has to come to its end; gives what it tells people. */
export async function run(cwd: string, ...args: readonly string[]): Promise<string> {
  const { code, stderr } = await ingot(["run", ...args], { cwd });
  expect(code, stderr).toBe(0);
  return stderr;
}

/** Rows of a query, as `--json` gives them. */
export async function rows(cwd: string, query: string): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await ingot(["query", query, "--json"], { cwd });
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { rows: Record<string, unknown>[] }).rows;
}

/** Rows of a query, each as one text of its values. */
export async function texts(cwd: string, query: string): Promise<string[]> {
  return (await rows(cwd, query)).map((row) => Object.values(row).map(String).join(" "));
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
