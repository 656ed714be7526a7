import { readFile } from "node:fs/promises";
import type { Definitions } from "../model/definition.js";
import { IngotError, throwAll } from "../model/error.js";
import { parseSqlFile } from "../sql/sql-file.js";
import { type LoadOptions, loadDefinitions } from "./load.js";

export interface ProjectFiles extends Omit<LoadOptions, "files"> {
  /** Absolute paths. */
  readonly sqlFiles: readonly string[];
  readonly tsFiles: readonly string[];
}

/**
 * All that a project's `.sql` and `.ts` files declare: one namespace, in any file order.
 *
 * @throws IngotError the faults of all files, as one
 */
export async function loadDefinitionsOf({ sqlFiles, tsFiles, ...options }: ProjectFiles): Promise<Definitions> {
  const errors: IngotError[] = [];
  const loaded: Definitions[] = [];
  const attempt = async (load: () => Promise<Definitions>): Promise<void> => {
    try {
      loaded.push(await load());
    } catch (error) {
      if (!(error instanceof IngotError)) throw error;
      errors.push(error);
    }
  };
  for (const file of sqlFiles) await attempt(() => readSqlFile(file, options));
  await attempt(async () => (await loadDefinitions({ ...options, files: tsFiles })).definitions);
  throwAll(errors);
  return {
    datasets: loaded.flatMap((part) => part.datasets),
    flows: loaded.flatMap((part) => part.flows),
    externals: loaded.flatMap((part) => part.externals),
    notices: loaded.flatMap((part) => part.notices),
  };
}

async function readSqlFile(
  file: string,
  { configuration, defaults }: Omit<LoadOptions, "files">,
): Promise<Definitions> {
  const text = await readFile(file, "utf8");
  return parseSqlFile({ file, text, configuration, defaults }).definitions;
}
