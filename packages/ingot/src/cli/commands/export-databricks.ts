import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { bundleFiles } from "../../export/databricks/bundle.js";
import { nativeProject } from "../../export/databricks/native-definitions.js";
import { IngotError } from "../../model/error.js";
import { EXIT } from "../../model/error-catalogue.js";
import { loadSources } from "../../sources/sap/load-source.js";
import type { Io, ProjectOptions } from "../io.js";
import { openProject } from "../open-project.js";
import { displayPath } from "../report-error.js";

export interface ExportOptions extends ProjectOptions {
  readonly out: string;
  readonly catalog: string;
  /** Where the project's folder lies on Databricks. */
  readonly files?: string;
}

/** `ingot export databricks`: a bundle with the same tables as native pipeline SQL, and a list of what has no native form. */
export async function exportDatabricks(options: ExportOptions, io: Io): Promise<number> {
  const out = resolve(io.cwd, options.out);
  if (existsSync(out)) {
    throw new IngotError("EXPORT_EXISTS", `There is something at ${displayPath(out, io.cwd)}`, {
      object: out,
      hint: "Name a new folder, or remove that one.",
    });
  }
  const project = await openProject(options, io);
  try {
    const { definitions, context, spec } = project;
    const graph = await project.graph();
    const defaults = { catalog: spec.catalog, schema: spec.schema };
    const native = await nativeProject(definitions, graph, {
      root: (options.files ?? `/Volumes/${options.catalog}/${spec.schema}/${spec.name}`).replace(/\/+$/, ""),
      sources: await loadSources(spec.sources),
      compileExpression: context.compileExpression,
    });
    const gaps = native.gaps.map((gap) => ({ ...gap, at: { ...gap.at, file: relative(spec.root, gap.at.file) } }));
    const files = bundleFiles({ ...native, gaps }, { name: spec.name, defaults, catalog: options.catalog });
    for (const [path, text] of files) {
      await mkdir(dirname(join(out, path)), { recursive: true });
      await writeFile(join(out, path), text);
    }
    if (options.json === true) {
      io.stdout.write(`${JSON.stringify({ out, files: [...files.keys()], not_native: gaps })}\n`);
      return EXIT.ok;
    }
    for (const { object, construct, meaning } of gaps) {
      io.stdout.write(`${object}  ${construct.replace(/\s+/g, " ")}: ${meaning}\n`);
    }
    const [datasets, missing] = [native.parts.length, gaps.length];
    io.stderr.write(
      `${datasets} dataset${datasets === 1 ? "" : "s"} in ${displayPath(out, io.cwd)}; ${missing} construct${missing === 1 ? " has" : "s have"} no native form (NOT-NATIVE.md). Not run on Databricks.\n`,
    );
    return EXIT.ok;
  } finally {
    await project.engine.close();
  }
}
