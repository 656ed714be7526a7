import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSpec } from "../../config/find-spec.js";
import { readSpec, type Spec } from "../../config/spec.js";
import type { Engine, ResultSet } from "../../engine/engine.js";
import { bindQuery, buildGraph } from "../../graph/build.js";
import type { Graph, GraphFlow } from "../../graph/graph.js";
import type { GraphContext } from "../../graph/graph-context.js";
import type { Places } from "../../graph/places.js";
import type { BatchInput } from "../../model/batch.js";
import { formatType } from "../../model/data-type.js";
import type { Definitions } from "../../model/definition.js";
import { IngotError, withSource } from "../../model/error.js";
import { sqlText } from "../../model/position.js";
import { type Leaf, leavesOf } from "../../plan/inputs.js";
import { wholePart } from "../../plan/table-range.js";
import { bindFlow } from "../../run/bind.js";
import { namedRange } from "../../run/discover.js";
import type { Sources } from "../../sap/conventions.js";
import type { LandingFiles } from "../../sources/files/landing-files.js";
import { wholeFiles } from "../../sources/files/whole-files.js";
import { loadSources } from "../../sources/sap/load-source.js";
import type { Io, ProjectOptions } from "../io.js";
import { notMade } from "../not-made.js";
import { type OpenProject, openTools, placesOf, readDefinitions } from "../open-project.js";
import { showTable } from "../show-table.js";

export interface QueryOptions extends ProjectOptions {
  /** Rows at most; people get a limit without asking, JSON does not. */
  readonly limit?: number;
}

const ROWS_FOR_PEOPLE = 1000;

/** How errors call the query's text. */
const QUERY = "<query>";

/** `ingot query "SELECT …"`: Spark SQL over the project's tables and any Delta folder. Needs no project for the latter. */
export async function query(text: string, options: QueryOptions, io: Io): Promise<number> {
  const sql = text === "-" ? await io.readStdin() : text;
  const place = await whereToQuery(options, io);
  const { engine, context, landing, saveCache } = openTools(place.places, place.definitions, place.sources);
  try {
    const graph = await graphFor(place.definitions, context);
    const { flow, warnings } = await bindQuery(sqlText(sql, QUERY), graph, context);
    saveCache();
    for (const warning of [...graph.warnings, ...warnings]) io.stderr.write(`WARN: ${warning}\n`);
    const limit = options.limit ?? (options.json === true ? undefined : ROWS_FOR_PEOPLE);
    const result = await runQuery(flow, { engine, landing }, limit);
    io.stdout.write(options.json === true ? `${resultJson(result)}\n` : `${showTable(result, 0)}\n`);
    return 0;
  } catch (error) {
    throw error instanceof IngotError && error.at?.file === QUERY ? withSource(error, sql) : error;
  } finally {
    await engine.close();
    if (place.temporary !== undefined) await rm(place.temporary, { recursive: true, force: true });
  }
}

/** Runs a typed query over the newest version of everything it reads. */
export async function runQuery(
  flow: GraphFlow,
  { engine, landing }: Pick<OpenProject, "engine" | "landing">,
  limit: number | undefined,
): Promise<ResultSet> {
  refuseStreams(flow);
  const inputs: Record<string, BatchInput> = {};
  for (const [key, leaf] of leavesOf(flow)) inputs[key] = await newestOf(leaf, engine, landing);
  return engine.query(bindFlow(flow, inputs), {
    ...(limit === undefined ? {} : { limit }),
    signal: new AbortController().signal,
  });
}

/**
 * One object: columns with Spark's type names, rows by column name.
 *
 * @throws IngotError COLUMN_ALREADY_EXISTS: a row as an object would lose all but the last of two equal names
 */
export function resultJson(result: ResultSet): string {
  const names = result.columns.map((c) => c.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    throw new IngotError("COLUMN_ALREADY_EXISTS", `Two columns of the result are called ${twice}`, {
      object: twice,
      hint: "With --json a row is an object: give one of them another name with AS.",
    });
  }
  return JSON.stringify({
    columns: result.columns.map((c) => ({ name: c.name, type: formatType(c.type) })),
    rows: result.rows.map((row) => Object.fromEntries(result.columns.map((c, i) => [c.name, row[i] ?? null]))),
  });
}

/** Views that stream have no rows here, so only the query itself can say STREAM. */
function refuseStreams({ query }: GraphFlow): void {
  const read = query.reads.find((relation) => relation.stream);
  if (read === undefined) return;
  throw new IngotError(
    "UNSUPPORTED_CLAUSE",
    "A query on the command line reads tables as they are: STREAM has no meaning here",
    { at: read.at, hint: "Leave STREAM out." },
  );
}

/** All that a source holds now. */
async function newestOf(leaf: Leaf, engine: Engine, landing: LandingFiles): Promise<BatchInput> {
  if (leaf.kind === "files") return { kind: "files", files: (await wholeFiles(landing, leaf.read, new Map())).files };
  const asOf = leaf.version === undefined ? undefined : { version: leaf.version };
  const state = await engine.describe(leaf.location, asOf);
  if (state === undefined) throw notMade(leaf.name);
  const range = await namedRange(leaf, undefined, engine);
  return wholePart(leaf, { kind: "table", tableId: state.id, version: state.version, ...range });
}

interface QueryPlace {
  readonly places: Places;
  readonly definitions?: Definitions;
  readonly sources?: Sources;
  readonly spec?: Spec;
  /** Storage of this query alone, to be removed after it. */
  readonly temporary?: string;
}

/** The project here, or the working folder alone where there is none. */
export async function whereToQuery(options: ProjectOptions, io: Io): Promise<QueryPlace> {
  try {
    const spec = await readSpec(findSpec({ ...options, cwd: io.cwd }), options.set);
    const [definitions, sources] = await Promise.all([readDefinitions(spec), loadSources(spec.sources)]);
    return { places: placesOf(spec), definitions, sources, spec };
  } catch (error) {
    const missing =
      error instanceof IngotError && error.code === "PIPELINE_SPEC_FILE_NOT_FOUND" && options.project === undefined;
    if (!missing) throw error;
    // A fixed name below a folder that all may write could be someone else's, or a link that someone laid there.
    const storage = await mkdtemp(join(tmpdir(), "ingot-query-"));
    return {
      places: { root: io.cwd, storage, warehouse: io.cwd, catalog: "spark_catalog", schema: "default", catalogs: {} },
      temporary: storage,
    };
  }
}

async function graphFor(definitions: Definitions | undefined, context: GraphContext): Promise<Graph> {
  if (definitions !== undefined) return buildGraph(definitions, context);
  return {
    defaults: { catalog: context.places.catalog, schema: context.places.schema },
    nodes: [],
    externals: [],
    warnings: [],
  };
}
