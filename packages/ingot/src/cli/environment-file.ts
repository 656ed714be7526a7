import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSpec } from "../config/spec.js";
import { compareEnvironments, type Environment, printEnvironment, readEnvironment } from "../define/environment.js";
import { knownTables } from "../graph/known-tables.js";
import { readIfThere } from "../run/atomic-file.js";
import { formatDdlType } from "../sql/ddl-types.js";
import { type OpenProject, selectionOf } from "./open-project.js";

/** What the compiler knows of a project, beside its definitions. */
export interface EnvironmentFile {
  readonly path: string;
  /** Whether the file is there. */
  readonly exists: boolean;
  /** What the definitions give. */
  readonly made: Environment;
  /** What the file says otherwise; all of it where there is no file. */
  readonly differences: readonly string[];
}

/** Analyses the definitions of a project, and looks into its `ingot-env.d.ts`. Writes nothing but caches. */
export async function readEnvironmentFile(project: OpenProject): Promise<EnvironmentFile> {
  const graph = await project.graph(selectionOf(project));
  project.saveCache();
  const tables = [...(await knownTables(graph, project.context))]
    .map(([name, fields]) => [name, new Map(fields.map((f) => [f.name, formatDdlType(f.type)]))] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  // Keys that --set alone gives are no part of the project.
  const { configuration } = await readSpec(project.spec.file);
  const made = { tables: new Map(tables), configuration: new Set(Object.keys(configuration)) };
  const path = join(project.spec.root, "ingot-env.d.ts");
  const text = await readIfThere(path);
  return {
    path,
    exists: text !== undefined,
    made,
    differences: compareEnvironments(readEnvironment(text ?? ""), made),
  };
}

/** Brings the file up to date. One that says the same in other words, as after a formatter, stays as it is. */
export function writeEnvironmentFile({ path, exists, made, differences }: EnvironmentFile): void {
  if (!exists || differences.length > 0) writeFileSync(path, printEnvironment(made));
}
