import { printStatements } from "../sql/print-statements.js";
import type { Io, ProjectOptions } from "./io.js";
import type { OpenProject } from "./open-project.js";

/**
 * `--explain`: all that a project declares as the text of one `.sql` file, which declares the same. It shows what loops,
 * helpers and templates of TypeScript came to; what a run would refuse is shown too.
 */
export function explainProject({ definitions, spec }: OpenProject, { json }: ProjectOptions, io: Io): number {
  const statements = printStatements(definitions, { catalog: spec.catalog, schema: spec.schema });
  io.stdout.write(json === true ? `${JSON.stringify({ statements })}\n` : statements);
  return 0;
}
