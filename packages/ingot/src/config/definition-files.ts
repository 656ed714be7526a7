import { existsSync, readdirSync, statSync } from "node:fs";
import { extname, join, relative, resolve } from "node:path";
import { IngotError } from "../model/error.js";
import type { Position } from "../model/position.js";
import type { YamlMap } from "./yaml.js";

/** TypeScript files that stand among definitions and are none. One that is named by itself is meant. */
const NOT_DEFINITIONS = /\.(d|test|spec)\.ts$/;

/**
 * The definitions files that `libraries` names, sorted. Spark's rule: an entry is `glob: {include: …}` with a plain
 * file, or a folder and `/**`, which means every file below it.
 *
 * @throws IngotError PIPELINE_SPEC_INVALID_GLOB_PATTERN, PIPELINE_UNSUPPORTED_DEFINITIONS_FILE_EXTENSION
 */
export function definitionFiles(map: YamlMap, root: string): string[] {
  const files = new Set<string>();
  for (const { value, at } of map.items("libraries") ?? []) {
    const include = includeOf(value, at);
    const found = include.endsWith("/**")
      ? below(resolve(root, include.slice(0, -3)), include, at)
      : [resolve(root, include)];
    for (const file of found) {
      refuseOthers(file, root, at);
      files.add(file);
    }
  }
  return [...files].sort();
}

function includeOf(value: unknown, at: Position): string {
  const include = (value as { glob?: { include?: unknown } } | null)?.glob?.include;
  if (typeof include !== "string") {
    throw new IngotError("PIPELINE_SPEC_INVALID_VALUE", "An entry of `libraries` must be `- glob: {include: PATH}`", {
      at,
      hint: "Example: - glob: {include: transformations/**}",
    });
  }
  const body = include.endsWith("/**") ? include.slice(0, -3) : include;
  if (body === "" || /[*?[\]{}]/.test(body)) {
    throw new IngotError("PIPELINE_SPEC_INVALID_GLOB_PATTERN", `\`${include}\` is no glob that a spec may hold`, {
      at,
      hint: "Name a file, or a folder followed by /** for every file below it.",
    });
  }
  return include;
}

function below(folder: string, include: string, at: Position): string[] {
  if (!(existsSync(folder) && statSync(folder).isDirectory())) {
    throw new IngotError(
      "PIPELINE_SPEC_INVALID_GLOB_PATTERN",
      `\`${include}\` names a folder that is not there: ${folder}`,
      {
        at,
        hint: "Make the folder, or correct `libraries`.",
      },
    );
  }
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !NOT_DEFINITIONS.test(file) &&
        !relative(folder, file)
          .split(/[\\/]/)
          .some((part) => part.startsWith(".") || part === "__pycache__" || part === "node_modules"),
    );
}

function refuseOthers(file: string, root: string, at: Position): void {
  const name = relative(root, file);
  const extension = extname(file);
  if (extension === ".sql" || extension === ".ts") {
    if (existsSync(file)) return;
    throw new IngotError("PIPELINE_SPEC_INVALID_GLOB_PATTERN", `\`libraries\` names ${name}, which is not there`, {
      at,
      hint: "Make the file, or correct `libraries`.",
    });
  }
  throw new IngotError("PIPELINE_UNSUPPORTED_DEFINITIONS_FILE_EXTENSION", `${name} is no .sql or .ts file`, {
    at,
    object: name,
    hint:
      extension === ".py"
        ? "Python definitions do not run here: write the same query in SQL or TypeScript (`materializedView(name, sql`…`)`), and keep the .py file outside `libraries`."
        : "Move it outside the folders that `libraries` names.",
  });
}
