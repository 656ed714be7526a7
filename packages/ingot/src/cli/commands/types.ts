import { IngotError, throwAll } from "../../model/error.js";
import { type EnvironmentFile, readEnvironmentFile, writeEnvironmentFile } from "../environment-file.js";
import type { Io, ProjectOptions } from "../io.js";
import { openProject } from "../open-project.js";
import { displayPath } from "../report-error.js";

export interface TypesOptions extends ProjectOptions {
  /** Write nothing: fail where the file is not what the definitions give. */
  readonly check?: boolean;
}

/** `ingot types`: tells the compiler the columns of the project's tables, in `ingot-env.d.ts`. Needs no run before it. */
export async function types(options: TypesOptions, io: Io): Promise<number> {
  const project = await openProject(options, io);
  try {
    const file = await readEnvironmentFile(project);
    if (options.check === true) refuseOld(file, io);
    else writeEnvironmentFile(file);
    const { path, exists, made, differences } = file;
    if (options.json === true) {
      io.stdout.write(`${JSON.stringify({ file: path, tables: [...made.tables.keys()], differences })}\n`);
      return 0;
    }
    if (exists) for (const difference of differences) io.stderr.write(`It was old: ${difference}.\n`);
    io.stdout.write(`${displayPath(path, io.cwd)}: the columns of ${[...made.tables.keys()].join(", ")}\n`);
    return 0;
  } finally {
    await project.engine.close();
  }
}

function refuseOld({ path, differences }: EnvironmentFile, io: Io): void {
  const error = (difference: string) =>
    new IngotError("TYPES_OUT_OF_DATE", `${displayPath(path, io.cwd)} is old: ${difference}`, {
      object: path,
      hint: "Write it again with `ingot types`, and commit it.",
    });
  throwAll(differences.map(error));
}
