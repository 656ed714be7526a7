import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { IngotError } from "../model/error.js";
import type { SapSystem } from "../sap/system.js";
import { createApi } from "./api.js";
import type { LoadScope } from "./load-scope.js";
import { outsideScope } from "./outside.js";
import { createSapApi } from "./sap.js";
import type { Scope } from "./scope.js";
import { createTestingApi } from "./testing.js";

/** What a bundle takes from the load that imports it. */
interface HandOver {
  /** The modules that the running package stands for, each for this load. */
  readonly modules: Readonly<Record<string, object>>;
  readonly enter: LoadScope["enter"];
  readonly leave: LoadScope["leave"];
}
type Importers = Readonly<Record<string, () => Promise<unknown>>>;
/** By address of the bundle: many loads may be under way, also of several copies of the package. */
const HAND_OVERS = Symbol.for("ingot.load");

/** A path that no load has used: Node keeps a module for as long as it runs. */
export function temporaryPath(folder: string): string {
  return join(folder, `ingot-${randomUUID()}.mjs`);
}

/** Names that the modules export, which are the same in each load. */
export const OWN_MODULES = Object.fromEntries(
  Object.entries(createModules(outsideScope(), [])).map(([name, api]) => [name, Object.keys(api)]),
);

function createModules(scope: Scope, systems: readonly SapSystem[]): Readonly<Record<string, object>> {
  const loadProject = (): never => {
    throw new IngotError("NOT_SUPPORTED", "loadProject() cannot be called by a definitions file", {
      at: scope.places.callSite(loadProject),
      hint: "Call it from a test.",
    });
  };
  return {
    ingot: createApi(scope),
    "ingot/sap": createSapApi(scope, systems),
    "ingot/testing": { ...createTestingApi(scope), loadProject },
  };
}

/** Writes the bundle, imports it and takes it away again. */
export async function importBundle(
  path: string,
  code: string,
  scope: LoadScope,
  systems: readonly SapSystem[],
): Promise<Importers> {
  const url = pathToFileURL(path).href;
  const shared = globalThis as unknown as Record<symbol, Map<string, HandOver> | undefined>;
  const handOvers = shared[HAND_OVERS] ?? new Map<string, HandOver>();
  shared[HAND_OVERS] = handOvers;
  handOvers.set(url, { modules: createModules(scope, systems), enter: scope.enter, leave: scope.leave });
  try {
    await writeFile(path, code, { flag: "wx", mode: 0o600 });
    const { files } = (await import(url)) as { readonly files: Importers };
    return files;
  } finally {
    handOvers.delete(url);
    await rm(path, { force: true });
  }
}
