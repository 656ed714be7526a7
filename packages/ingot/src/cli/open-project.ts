import { join } from "node:path";
import { findSpec } from "../config/find-spec.js";
import { readSpec, type Spec } from "../config/spec.js";
import { loadDefinitionsOf } from "../define/project.js";
import { DuckdbEngine } from "../engine/duckdb/duckdb-engine.js";
import type { Engine } from "../engine/engine.js";
import { buildGraph } from "../graph/build.js";
import type { FileColumns } from "../graph/file-input.js";
import type { Graph, TableRole } from "../graph/graph.js";
import type { GraphContext } from "../graph/graph-context.js";
import type { Places } from "../graph/places.js";
import { type Refresh, type Selection, selectTables } from "../graph/select.js";
import type { Definitions } from "../model/definition.js";
import { readContract } from "../run/contract.js";
import { fileColumns } from "../run/file-columns.js";
import { withLoads } from "../run/loaded-chunks.js";
import type { Sources } from "../sap/conventions.js";
import { LandingFiles } from "../sources/files/landing-files.js";
import { loadSources, openSystems } from "../sources/sap/load-source.js";
import { createCompiler, createExpressionCompiler, keepCompiled } from "../sql/compiler.js";
import { openFileCache, ValueCache } from "./cache.js";
import type { EngineOptions, Io, ProjectOptions } from "./io.js";
import { openEngine } from "./open-engine.js";
import { restoreEditorConfig } from "./project-template.js";

/** A project, ready to be planned: its spec, what its files declare, and the engine below. */
export interface OpenProject {
  readonly spec: Spec;
  readonly places: Places;
  readonly definitions: Definitions;
  readonly engine: Engine;
  /**
   * Types the whole graph, loads of backfills included: as a run of the selection leaves it, or without one as it stands.
   *
   * @param definitions those of the project, with what a command adds
   */
  graph(selection?: Selection, definitions?: Definitions): Promise<Graph>;
  readonly context: GraphContext;
  /** The files that its queries read, as this command sees them. */
  readonly landing: LandingFiles;
  /** Keeps what was compiled, and hashed again, for the next command. A failure only costs time then. */
  saveCache(): void;
}

/**
 * Finds the spec, loads the definitions. Nothing is written but caches below the storage.
 *
 * @param place may give the project another storage
 */
export async function openProject(
  options: ProjectOptions & EngineOptions,
  io: Io,
  place: (spec: Spec) => Spec = (spec) => spec,
): Promise<OpenProject> {
  const spec = place(await readSpec(findSpec({ ...options, cwd: io.cwd }), options.set));
  restoreEditorConfig(spec.root);
  const [definitions, sources] = await Promise.all([readDefinitions(spec), loadSources(spec.sources)]);
  return assemble(spec, definitions, sources, await openEngine(options, spec.storage, io.env));
}

export function readDefinitions(spec: Spec): Promise<Definitions> {
  return loadDefinitionsOf({
    root: spec.root,
    sqlFiles: spec.definitionFiles.filter((file) => file.endsWith(".sql")),
    tsFiles: spec.definitionFiles.filter((file) => file.endsWith(".ts")),
    configuration: spec.configuration,
    defaults: { catalog: spec.catalog, schema: spec.schema },
    systems: () => openSystems(spec.sources),
    cache: openFileCache(join(spec.storage, "_cache")),
  });
}

export function placesOf(spec: Spec): Places {
  const { root, storage, warehouse, catalog, schema, catalogs } = spec;
  return { root, storage, warehouse, catalog, schema, catalogs };
}

function assemble(spec: Spec, definitions: Definitions, sources: Sources, engine: Engine): OpenProject {
  const places = placesOf(spec);
  const { lookAtFiles, ...tools } = openTools(places, definitions, sources, engine);
  return {
    spec,
    places,
    definitions,
    ...tools,
    graph: async (selection, all = definitions) =>
      buildGraph(await withLoads(all, { places, describe: tools.context.describe }), {
        ...tools.context,
        fileColumns: lookAtFiles(all),
        role: (key) => roleOf(key, selection),
      }),
  };
}

/** The engine and the compiler over some places; tables are typed as they stand. */
export function openTools(
  places: Places,
  definitions: Pick<Definitions, "flows"> = { flows: [] },
  sources: Sources = new Map(),
  engine: Engine = new DuckdbEngine(places.storage),
): Pick<OpenProject, "engine" | "context" | "landing" | "saveCache"> & {
  readonly lookAtFiles: (all?: typeof definitions) => FileColumns;
} {
  const files = openFileCache(join(places.storage, "_cache"));
  const cache = new ValueCache(files, "queries.json");
  const hashes = new ValueCache(files, "hashes.json");
  const landing = new LandingFiles(places.root, hashes);
  const compiler = keepCompiled(createCompiler(sources), "spark", cache, sources);
  const lookAtFiles = ({ flows } = definitions) => fileColumns({ ...places, engine, compiler, landing, flows });
  const context: GraphContext = {
    places,
    compiler,
    compileExpression: createExpressionCompiler(cache, sources),
    dialects: keepDialects(engine, cache),
    describe: (location, asOf) => engine.describe(location, asOf),
    fileColumns: lookAtFiles(),
    declare: (table) => engine.declare(table),
    contract: (dataset) => readContract(places.storage, dataset),
    role: () => "excluded",
  };
  return { engine, context, landing, lookAtFiles, saveCache };

  function saveCache(): void {
    cache.save();
    hashes.save();
  }
}

function keepDialects({ dialects }: Engine, cache: ValueCache): GraphContext["dialects"] {
  const { duckdb } = dialects;
  return duckdb === undefined ? {} : { duckdb: keepCompiled(duckdb, "duckdb", cache) };
}

function roleOf(key: string, selection: Selection | undefined): TableRole {
  if (selection?.reset.has(key) === true) return "reset";
  return selection?.selected.has(key) === true ? "refresh" : "excluded";
}

/** @param refresh what the command line asked for; without it, all tables run */
export function selectionOf(
  project: OpenProject,
  refresh: Refresh = { refresh: [], fullRefresh: [], fullRefreshAll: false },
): Selection {
  return selectTables(project.definitions, { catalog: project.spec.catalog, schema: project.spec.schema }, refresh);
}
