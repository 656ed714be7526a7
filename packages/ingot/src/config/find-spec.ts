import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { IngotError } from "../model/error.js";

/** Names of a spec, ours and Spark's. */
export const SPEC_NAMES = ["ingot.yml", "ingot.yaml", "spark-pipeline.yml", "spark-pipeline.yaml"] as const;

/**
 * The spec of a command: the file that was named, else the one found in the folder or above it.
 *
 * @throws IngotError PIPELINE_SPEC_FILE_DOES_NOT_EXIST, PIPELINE_SPEC_FILE_NOT_FOUND, MULTIPLE_PIPELINE_SPEC_FILES_FOUND
 */
export function findSpec(options: { readonly spec?: string; readonly project?: string; readonly cwd: string }): string {
  if (options.spec !== undefined) {
    const file = resolve(options.cwd, options.spec);
    if (!isFile(file)) {
      throw new IngotError("PIPELINE_SPEC_FILE_DOES_NOT_EXIST", `There is no spec ${file}`, {
        hint: "Check --spec, or leave it out: the spec is then found upward from the working folder.",
      });
    }
    return file;
  }
  const start = resolve(options.cwd, options.project ?? ".");
  if (options.project !== undefined && !(existsSync(start) && statSync(start).isDirectory())) {
    throw new IngotError("PIPELINE_SPEC_FILE_NOT_FOUND", `There is no folder ${start}`, { hint: "Check --project." });
  }
  for (let folder = start; ; folder = dirname(folder)) {
    const found = specsIn(folder);
    if (found.length > 1) {
      throw new IngotError(
        "MULTIPLE_PIPELINE_SPEC_FILES_FOUND",
        `${folder} holds more than one spec: ${found.join(", ")}`,
        {
          hint: "Keep one of them, or name one with --spec.",
        },
      );
    }
    if (found[0] !== undefined) return join(folder, found[0]);
    // A folder that was named is meant as it stands: a spec above it is another project's.
    if (options.project !== undefined || dirname(folder) === folder) break;
  }
  throw new IngotError(
    "PIPELINE_SPEC_FILE_NOT_FOUND",
    `No ${SPEC_NAMES[0]} or ${SPEC_NAMES[2]} in ${start}${options.project === undefined ? " or above it" : ""}`,
    {
      hint: "Make a project with `ingot init NAME`, or name one with --project DIR or --spec FILE.",
    },
  );
}

function specsIn(folder: string): string[] {
  return SPEC_NAMES.filter((name) => isFile(join(folder, name)));
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
