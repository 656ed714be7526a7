import { IngotError, throwAll } from "../../model/error.js";
import { readEnvironmentFile, writeEnvironmentFile } from "../environment-file.js";
import type { Io, ProjectOptions } from "../io.js";
import { openProject } from "../open-project.js";
import { displayPath } from "../report-error.js";
import { findTypeErrors } from "../type-check.js";

/**
 * `ingot check`: the checks of a dry run and those of the TypeScript compiler, all faults together. The compiler sees
 * the columns of the tables as they are, so `ingot-env.d.ts` is brought up to date before.
 */
export async function check(options: ProjectOptions, io: Io): Promise<number> {
  const project = await openProject(options, io);
  const errors: IngotError[] = [];
  try {
    const file = await readEnvironmentFile(project);
    writeEnvironmentFile(file);
    if (file.differences.length > 0)
      io.stderr.write(`${displayPath(file.path, io.cwd)} was old and is written again.\n`);
  } catch (error) {
    if (!(error instanceof IngotError)) throw error;
    errors.push(error);
  } finally {
    await project.engine.close();
  }
  throwAll([...errors, ...(await findTypeErrors(project.spec))]);
  const { datasets, flows } = project.definitions;
  if (options.json === true) io.stdout.write(`${JSON.stringify({ state: "COMPLETED" })}\n`);
  else io.stdout.write(`No fault in ${datasets.length} datasets and ${flows.length} flows.\n`);
  return 0;
}
