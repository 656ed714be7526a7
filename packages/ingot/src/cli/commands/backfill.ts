import {
  type BackfilledTable,
  chunkName,
  countElsewhere,
  defaultsOf,
  findBackfilled,
  type StagedChunk,
  withChunks,
  withLoad,
} from "../../graph/backfill.js";
import { bindQuery } from "../../graph/build.js";
import { parseChunks } from "../../graph/chunks.js";
import type { Graph, GraphNode } from "../../graph/graph.js";
import { refuseUnorderedLoad } from "../../graph/load-order.js";
import type { Places } from "../../graph/places.js";
import { type Selection, selectTables } from "../../graph/select.js";
import type { Definitions } from "../../model/definition.js";
import { IngotError } from "../../model/error.js";
import { formatName, nameKey, quoteTableName, shortName, type TableName } from "../../model/name.js";
import { loadedChunks } from "../../run/loaded-chunks.js";
import { verifyChunk } from "../../run/verify-chunk.js";
import type { Io } from "../io.js";
import { type OpenProject, openProject } from "../open-project.js";
import { runQuery } from "./query.js";
import { type OutputOptions, runSelection, type SelectedRun } from "./run.js";

/** So many values of rows that no chunk takes. */
const MOST_TOLD = 5;

export interface BackfillOptions extends OutputOptions {
  readonly chunks: string;
  /** Stage the chunks anew, and start what has them already again. */
  readonly again?: boolean;
}

/** What is asked for. */
interface Wanted {
  readonly dataset: BackfilledTable;
  readonly values: readonly string[];
  readonly again: boolean;
  /** The table has a chunk that is staged anew. */
  readonly anew: boolean;
}

/**
 * `ingot backfill TABLE --chunks '…'`: one run of the project with tables of its own for the chunks, which fill side by
 * side, and a flow that loads them into the table in one commit; then all that reads the table, in its order. Done
 * again, it goes on where it was: a chunk that is staged, or loaded, is left as it is.
 */
export async function backfill(name: string, options: BackfillOptions, io: Io): Promise<number> {
  const project = await openProject(options, io);
  const prepared = await prepare(name, options, project).catch(async (error) => {
    await project.engine.close();
    throw error;
  });
  return runSelection(project, prepared, options, io);
}

/** Looks at everything that can be wrong before the run. Writes nothing. */
async function prepare(name: string, options: BackfillOptions, project: OpenProject): Promise<SelectedRun> {
  const { definitions, places } = project;
  const dataset = findBackfilled(name, definitions, places);
  const values = parseChunks(options.chunks, dataset);
  const loaded = await loadedChunks(dataset, definitions.flows, { places, describe: project.context.describe });
  const again = options.again === true;
  const wanted: Wanted = { dataset, values, again, anew: again && loaded.some(({ value }) => values.includes(value)) };

  const staging = withChunks(definitions, dataset, values, places);
  const staged = await project.graph(selectionOf(staging, wanted, places), staging);
  const warnings: string[] = [];
  const chunks: StagedChunk[] = [];
  for (const value of values) {
    const node = nodeOf(staged, chunkName(dataset, value));
    if (node.fault !== undefined) throw node.fault;
    const added = again ? [] : await verifyChunk(node, { ...places, ...project });
    if (added.length > 0) warnings.push(describeAdded(dataset, value, added, places));
    chunks.push({ value, columns: node.schema.map((column) => column.name) });
  }
  const allChunks = [...loaded.filter(({ value }) => !values.includes(value)), ...chunks];
  const all = withLoad(staging, dataset, allChunks, places);
  const whole = await project.graph(selectionOf(all, wanted, places), all);
  refuseUnorderedLoad(
    whole,
    nodeOf(whole, dataset.name),
    chunks.flatMap(({ columns }) => columns),
  );
  warnings.push(...(await rowsElsewhere(dataset, allChunks, project, whole)));
  const selection = selectionOf(all, wanted, places, whole);
  return { command: "backfill", selection, graph: () => project.graph(selection, all), warnings };
}

/** Rows of the source that no chunk takes, as a sentence: they are not loaded, and not lost in silence. */
async function rowsElsewhere(
  dataset: BackfilledTable,
  chunks: readonly StagedChunk[],
  project: OpenProject,
  graph: Graph,
): Promise<string[]> {
  const query = countElsewhere(
    dataset,
    chunks.map(({ value }) => value),
  );
  const defaults = defaultsOf(dataset, project.definitions.flows);
  const { flow } = await bindQuery(query, graph, project.context, defaults);
  const { rows, truncated } = await runQuery(flow, project, MOST_TOLD);
  const [first] = rows;
  if (first === undefined) return [];
  const values = rows.map(([value, count]) => `${value ?? "NULL"} (${count})`).join(", ");
  const where = `${dataset.backfill.chunkBy} ${values}${truncated ? ", …" : ""}`;
  return [
    `${shortName(dataset.name, project.places)}: rows of the source that are in no chunk: ${first[2]}, of ${where}`,
  ];
}

/**
 * The chunks, their table and what reads it, views looked through.
 *
 * @param graph tells who reads whom; without it all tables run
 */
function selectionOf(definitions: Definitions, wanted: Wanted, places: Places, graph?: Graph): Selection {
  const { dataset, values, again, anew } = wanted;
  const chunks = values.map((value) => nameKey(chunkName(dataset, value)));
  const below = graph === undefined ? [] : readersOf(nodeOf(graph, dataset.name), graph);
  const started = anew ? below.filter((node) => node.dataset.kind === "streaming-table") : [];
  const named = (nodes: readonly GraphNode[]) => nodes.map((node) => quoteTableName(node.dataset.name));
  const selection = selectTables(definitions, places, {
    refresh: named(below.filter((node) => !started.includes(node))),
    fullRefresh: named(started),
    fullRefreshAll: false,
  });
  return {
    ...selection,
    selected: new Set([...selection.selected, ...chunks]),
    reset: new Set([...selection.reset, ...(again ? chunks : [])]),
  };
}

/** A table and all that is made of it, but for what also needs a table that no run has made yet. */
function readersOf(table: GraphNode, { nodes }: Graph): GraphNode[] {
  const found = new Map([[table.key, table]]);
  // Upstream comes first.
  for (const node of nodes) {
    const others = nodes.filter(({ key }) => node.upstream.has(key) && !found.has(key));
    const reads = others.length < node.upstream.size;
    if (node.location !== undefined && reads && others.every(({ existing }) => existing !== undefined))
      found.set(node.key, node);
  }
  return [...found.values()];
}

function nodeOf({ nodes }: Graph, name: TableName): GraphNode {
  const node = nodes.find(({ key }) => key === nameKey(name));
  if (node !== undefined) return node;
  throw new IngotError("PATH_NOT_FOUND", `${formatName(name)} has no source: its files are not there`, {
    object: formatName(name),
    hint: "Deliver the files that the backfill names, or correct its source.",
  });
}

function describeAdded({ name }: BackfilledTable, value: string, added: readonly string[], places: Places): string {
  const what = added.length === 1 ? `${added[0]} has` : `${added.length} files, the first ${added[0]}, have`;
  return `${shortName(name, places)}: ${what} come since the chunk ${value} was staged, and is not in it: --again stages it anew.`;
}
