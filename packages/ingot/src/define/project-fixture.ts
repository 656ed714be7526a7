import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { IngotError } from "../model/error.js";
import { formatName } from "../model/name.js";
import { type LoadedDefinitions, type LoadOptions, loadDefinitions } from "./load.js";

const projects: string[] = [];

/** For tests: a folder with these files. */
export function writeProject(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "ingot-test-"));
  projects.push(root);
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return root;
}

/** For tests: takes the folders away again. */
export function removeProjects(): void {
  for (const root of projects.splice(0)) rmSync(root, { recursive: true });
}

/** For tests: loads files of a folder; the rest of the folder is helpers. */
export function loadFiles(
  root: string,
  files: readonly string[],
  options: Partial<LoadOptions> = {},
): Promise<LoadedDefinitions> {
  const absolute = files.map((file) => join(root, file));
  const defaults = { catalog: "main", schema: "shop" };
  return loadDefinitions({ root, files: absolute, configuration: {}, defaults, ...options });
}

/** For tests: the errors of a load, each as `CODE file:line:column`. */
export async function errorsOf(root: string, load: Promise<unknown>): Promise<string[]> {
  const error = await load.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return [];
  if (!(error instanceof IngotError)) throw error;
  return [error, ...error.others].map(({ code, at }) => {
    return at === undefined ? code : `${code} ${at.file.slice(root.length + 1)}:${at.line}:${at.column}`;
  });
}

export function datasetNames({ definitions }: LoadedDefinitions): string[] {
  return definitions.datasets.map((dataset) => formatName(dataset.name));
}
