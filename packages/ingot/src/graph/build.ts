import type { Dataset, Definitions, Flow, QueryFlow } from "../model/definition.js";
import { IngotError, throwAll } from "../model/error.js";
import { completeName, formatName, type NameDefaults } from "../model/name.js";
import { positionAt, type SqlText } from "../model/position.js";
import type { Relation } from "../model/query.js";
import type { Compiler } from "../sql/compiler.js";
import { warnOfCounters } from "./counter-sequence.js";
import { mainQuery } from "./flow-query.js";
import type { ParsedFlow } from "./flow-typer.js";
import type { Graph, GraphFlow } from "./graph.js";
import type { GraphContext } from "./graph-context.js";
import { GraphTyper, readKeys } from "./graph-typer.js";
import { orderByReads } from "./order.js";
import { refuseRefreshPolicy } from "./refresh-policy.js";
import { refuseUnimplemented } from "./refuse.js";
import { register } from "./register.js";
import { refuseResettableSources } from "./resettable.js";
import { externalsByKey, type Names, resolveRelation } from "./resolve.js";
import { refuseStreamOptions } from "./stream-options.js";
import { ruleReferences } from "./table-rules.js";

/**
 * Turns definitions into a graph: names resolved, order found, queries typed against the tables that are there.
 * Reads tables' logs through `describe`; writes nothing.
 *
 * @throws IngotError with all faults of the stage that found some
 */
export async function buildGraph(definitions: Definitions, context: GraphContext): Promise<Graph> {
  const errors: IngotError[] = [];
  const { datasets, flows } = register(definitions, errors);
  refuseUnimplemented([...datasets.values()], definitions.flows, context.places.catalog, errors);
  throwAll(errors);

  const names: Names = { datasets, externals: externalsByKey(definitions.externals), places: context.places };
  const parsed = new Map<string, ParsedFlow[]>();
  for (const [key, filled] of flows) {
    parsed.set(key, await collect(errors, filled, (flow) => parseFlow(flow, names, context, datasets.get(key))));
  }
  throwAll(errors);

  const order = orderByReads(
    [...datasets].map(([key, dataset]) => ({
      key,
      name: formatName(dataset.name),
      at: dataset.at,
      reads: readKeys(parsed.get(key) ?? []),
    })),
  );
  const typer = new GraphTyper(names, context, parsed);
  throwAll(await typer.describeTables());
  for (const { key } of order) await collect(errors, [key], (k) => typer.add(k));
  throwAll(errors);
  throwAll([
    ...refuseResettableSources(typer.nodes),
    ...refuseStreamOptions(typer.nodes),
    ...typer.nodes.flatMap(refuseRefreshPolicy),
  ]);
  const defaults = { catalog: context.places.catalog, schema: context.places.schema };
  const warnings = [...typer.warnings, ...warnOfCounters(typer.nodes)];
  return { defaults, nodes: typer.nodes, externals: definitions.externals, warnings };
}

/** A typed query, and what was wrong in the logs of the tables that only it names. */
export interface StandaloneQuery {
  readonly flow: GraphFlow;
  readonly warnings: readonly string[];
}

/**
 * A query that stands alone, such as that of `ingot query`, over the datasets of a graph. It reads tables as they are,
 * so the graph should be built with every table excluded.
 *
 * @param defaults complete the names in the query
 */
export async function bindQuery(
  query: SqlText,
  graph: Graph,
  context: GraphContext,
  defaults: NameDefaults = graph.defaults,
): Promise<StandaloneQuery> {
  const datasets = new Map(graph.nodes.map((n) => [n.key, n.dataset]));
  const names: Names = { datasets, externals: externalsByKey(graph.externals), places: context.places };
  const typer = new GraphTyper(names, context, new Map());
  for (const node of graph.nodes) typer.know(node);
  const flow: QueryFlow = {
    kind: "query",
    name: "query",
    target: completeName(["query"], defaults),
    at: positionAt(query, 0),
    defaults,
    query,
  };
  return { flow: await typer.typeQuery(await parseFlow(flow, names, context)), warnings: typer.warnings };
}

/** @throws IngotError NOT_SUPPORTED for a dialect that the engine does not have */
function compilerOf(dataset: Dataset | undefined, { compiler, dialects }: GraphContext): Compiler {
  if (dataset?.dialect === undefined) return compiler;
  const own = dialects[dataset.dialect];
  if (own !== undefined) return own;
  const name = formatName(dataset.name);
  throw new IngotError("NOT_SUPPORTED", `${name}: this engine does not run SQL of the dialect ${dataset.dialect}`, {
    at: dataset.at,
    object: name,
    hint: "Write the query in Spark SQL, which every engine runs, and take `dialect` out.",
  });
}

async function parseFlow(flow: Flow, names: Names, context: GraphContext, filled?: Dataset): Promise<ParsedFlow> {
  const compiler = compilerOf(filled, context);
  const resolve = <R extends Relation>(relation: R) => ({
    relation,
    resolved: resolveRelation(relation, flow.defaults, names),
  });
  const references = filled === undefined ? [] : await ruleReferences(filled, context.compiler);
  return {
    flow,
    compiler,
    reads: (await compiler.relations(mainQuery(flow))).map(resolve),
    references: references.map(resolve),
  };
}

/** Runs a stage over all items, keeping the faults of each so that the user sees them together. */
async function collect<T, R>(errors: IngotError[], items: readonly T[], stage: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    try {
      results.push(await stage(item));
    } catch (error) {
      if (!(error instanceof IngotError)) throw error;
      errors.push(error);
    }
  }
  return results;
}
