import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { relative } from "node:path";
import type { Definitions } from "../model/definition.js";
import { IngotError, throwAll } from "../model/error.js";
import type { NameDefaults } from "../model/name.js";
import { defaultSystem, type SapSystem } from "../sap/system.js";
import { readBundle, type TextCache } from "./bundle-cache.js";
import { type BundlePlaces, createBundlePlaces } from "./bundle-places.js";
import { importBundle, OWN_MODULES, temporaryPath } from "./import-bundle.js";
import { createLoadScope } from "./load-scope.js";
import { createProjectInputs, hashText, type LoadInput } from "./project-inputs.js";

export interface LoadOptions {
  /** The spec's folder: paths in definitions are relative to it. */
  readonly root: string;
  /** Absolute paths of definitions files; tests and declarations (`*.test.ts`, `*.spec.ts`, `*.d.ts`) are left out. */
  readonly files: readonly string[];
  readonly configuration: Readonly<Record<string, string>>;
  readonly defaults: NameDefaults;
  /** Keeps bundles, so that unchanged files are not bundled again. */
  readonly cache?: TextCache;
  /** A folder that stands in for `root` in `readJson`, `fileExists` and `listFiles`. */
  readonly disk?: string;
  /** The sources of the spec, asked for when a file takes `ingot/sap`; default: none are declared. */
  readonly systems?: () => Promise<readonly SapSystem[]>;
  /** Folder for the bundle while it is imported; default: the system's. */
  readonly temporary?: string;
}

export interface LoadedDefinitions {
  readonly definitions: Definitions;
  /** All that the definitions were made from. */
  readonly inputs: readonly LoadInput[];
}

/** Files that are never definitions. */
const NOT_DEFINITIONS = /\.(test|spec|d)\.[cm]?ts$/;

/**
 * Evaluates definitions files and gives what they declare. Each load evaluates anew and has a state of its own, so
 * loads may run at the same time. Node keeps each evaluated bundle until the process ends.
 *
 * @throws IngotError DEFINITIONS_FILE_FAILED, and all codes of the definition functions; every fault of the load at once
 */
export async function loadDefinitions(options: LoadOptions): Promise<LoadedDefinitions> {
  const { configuration, defaults, cache } = options;
  // esbuild and Node name files by their real paths, so that links count for nothing.
  const root = await realpath(options.root);
  const definitionFiles = options.files.filter((file) => !NOT_DEFINITIONS.test(file));
  const files = (await Promise.all(definitionFiles.map((file) => realpath(file)))).sort();
  if (files.length === 0) return { definitions: { datasets: [], flows: [], externals: [], notices: [] }, inputs: [] };

  const bundle = await readBundle(root, files, OWN_MODULES, cache);
  const path = temporaryPath(await realpath(options.temporary ?? tmpdir()));
  const places = createBundlePlaces({ path, map: bundle.map }, root, bundle.sources);
  const project = createProjectInputs(options.disk ?? root, configuration);
  const scope = createLoadScope({ root, defaults, places, project, definitionFiles: new Set(files) });

  const systems = takesSap(bundle.code) ? await systemsOf(options) : [];

  // A file that fails does so for each file that imports it.
  const thrown = new Set<unknown>();
  for (const [file, evaluate] of Object.entries(await importBundle(path, bundle.code, scope, systems))) {
    try {
      await evaluate();
    } catch (error) {
      if (!thrown.has(error)) scope.report(toLoadError(error, file, root, places));
      thrown.add(error);
    }
    scope.leaveAll();
  }
  const definitions = scope.end();
  throwAll(scope.errors);
  const modules = [...bundle.sources].map(
    ([path, text]): LoadInput => ({ kind: "module", path, hash: hashText(text) }),
  );
  return { definitions, inputs: [...modules, ...project.inputs] };
}

/** Whether a bundle takes the module of SAP: only then a dictionary is opened. */
function takesSap(code: string): boolean {
  return code.includes(`modules["ingot/sap"]`);
}

async function systemsOf({ systems }: LoadOptions): Promise<readonly SapSystem[]> {
  const declared = (await systems?.()) ?? [];
  return declared.length === 0 ? [await defaultSystem()] : declared;
}

function toLoadError(error: unknown, file: string, root: string, places: BundlePlaces): IngotError {
  if (error instanceof IngotError) return error;
  const at = places.thrownAt(error);
  const object = relative(root, at?.file ?? file);
  const message = error instanceof Error ? `${error.name}: ${error.message}` : `${String(error)} was thrown`;
  return new IngotError("DEFINITIONS_FILE_FAILED", `${object} failed: ${message}`, {
    ...(at === undefined ? {} : { at }),
    object,
    cause: error,
  });
}
