import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { findSpec } from "../config/find-spec.js";
import { readSpec, type Spec } from "../config/spec.js";
import { IngotError } from "../model/error.js";
import { nearest } from "../model/nearest.js";
import type { SapSystem } from "../sap/system.js";
import { loadDefinitionsOf } from "./project.js";
import { showDefinitions } from "./testing.js";
import type { Definitions, LoadProjectOptions } from "./testing-types.js";

/**
 * `loadProject` of module `ingot/testing`: the definitions of the project in a folder, evaluated afresh.
 *
 * @param openSystems reads what the spec's sources say of SAP; without it none is declared
 */
export async function loadProject(
  dir: string,
  options: LoadProjectOptions = {},
  openSystems?: (sources: Spec["sources"]) => Promise<readonly SapSystem[]>,
): Promise<Definitions> {
  const folder = resolve(dir);
  const spec = await readSpec(findSpec({ project: folder, cwd: folder }), options.configuration);
  const files = selectFiles(spec, options.only);
  const defaults = { catalog: spec.catalog, schema: spec.schema };
  const disk = options.files === undefined ? undefined : await mkdtemp(join(tmpdir(), "ingot-files-"));
  try {
    if (disk !== undefined) await writeFiles(disk, options.files ?? {});
    const definitions = await loadDefinitionsOf({
      root: spec.root,
      sqlFiles: files.filter((file) => file.endsWith(".sql")),
      tsFiles: files.filter((file) => file.endsWith(".ts")),
      configuration: spec.configuration,
      defaults,
      ...(openSystems === undefined ? {} : { systems: () => openSystems(spec.sources) }),
      ...(disk === undefined ? {} : { disk }),
    });
    return showDefinitions(definitions, defaults);
  } finally {
    if (disk !== undefined) await rm(disk, { recursive: true });
  }
}

function selectFiles({ root, definitionFiles }: Spec, only: readonly string[] | undefined): readonly string[] {
  if (only === undefined) return definitionFiles;
  return only.map((name) => {
    const file = resolve(root, name);
    if (definitionFiles.includes(file)) return file;
    const known = definitionFiles.map((path) => relative(root, path));
    const near = nearest(name, known);
    throw new IngotError("BAD_OPTION", `loadProject(): \`only\` names ${name}, which is no definitions file`, {
      object: name,
      hint: near === undefined ? `There are ${known.join(", ")}.` : `Did you mean ${near}?`,
    });
  });
}

async function writeFiles(folder: string, files: Readonly<Record<string, string | object>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = resolve(folder, name);
    if (relative(folder, path).startsWith("..") || isAbsolute(name)) {
      throw new IngotError("BAD_OPTION", `loadProject(): \`files\` names ${name}, which is outside the spec's folder`, {
        object: name,
        hint: "Give paths relative to the spec's folder.",
      });
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  }
}
