import { downstreamOf } from "../graph/downstream.js";
import { takeOver } from "../graph/drift.js";
import type { Graph, GraphFlow } from "../graph/graph.js";
import { queriesBelow } from "../graph/queries-below.js";
import type { Selection } from "../graph/select.js";
import { columnNamer } from "../graph/short-names.js";
import { type Contract, type DriftAction, type DriftChange, NO_CONTRACT, sameChange } from "../model/drift.js";
import { IngotError } from "../model/error.js";
import { formatName, nameKey, shortName } from "../model/name.js";
import { readContract, writeContract } from "./contract.js";
import type { Emitter } from "./emitter.js";

/**
 * Brings the contracts of the datasets that a run looks at up to date before it begins: learns the columns of sources
 * that it sees for the first time, takes over what is to be, and tells the rest, each change once.
 */
export async function settleDrift(
  graph: Graph,
  { selected }: Pick<Selection, "selected">,
  { storage, emitter, clock }: { readonly storage: string; readonly emitter: Emitter; readonly clock: () => Date },
): Promise<void> {
  for (const flows of inspectedFlows(graph, selected)) {
    const [first] = flows;
    if (first === undefined) continue;
    const dataset = first.flow.target;
    const before = (await readContract(storage, dataset)) ?? NO_CONTRACT;
    let after = before;
    for (const flow of flows) after = settleFlow(graph, flow, after, { emitter, at: clock().toISOString() });
    if (after !== before) await writeContract(storage, dataset, after);
  }
}

/**
 * Stops a flow where a column of a source changed so that its dataset, or a view that it reads, is to stop.
 *
 * @throws IngotError SCHEMA_DRIFT
 */
export function refuseDrift(flow: GraphFlow): void {
  for (const query of queriesBelow(flow)) {
    const changes = (query.drift ?? []).flatMap((source) => source.changes);
    const stopping = changes.filter(({ action }) => action === "stop");
    if (stopping.length === 0) continue;
    const name = formatName(query.flow.target);
    throw new IngotError("SCHEMA_DRIFT", `${name}: ${stopping.map(describeChange).join("; ")}`, {
      at: query.flow.at,
      object: name,
      hint: `Nothing was written. Correct the source, or take it over: ingot drift accept ${query.flow.target.table} --reason "…".`,
    });
  }
}

/** The flows with drift of each dataset: of the tables that run, and of the views below them. */
function inspectedFlows({ nodes }: Graph, selected: ReadonlySet<string>): GraphFlow[][] {
  const found = new Map<string, Set<GraphFlow>>();
  for (const node of nodes) {
    if (!selected.has(node.key)) continue;
    for (const query of node.flows.flatMap((flow) => [...queriesBelow(flow)])) {
      if (query.drift === undefined) continue;
      const key = nameKey(query.flow.target);
      found.set(key, (found.get(key) ?? new Set()).add(query));
    }
  }
  return [...found.values()].map((flows) => [...flows]);
}

function settleFlow(
  graph: Graph,
  flow: GraphFlow,
  before: Contract,
  { emitter, at }: { readonly emitter: Emitter; readonly at: string },
): Contract {
  let contract = before;
  for (const { source, before: learned, columns, changes } of flow.drift ?? []) {
    if (contract.sources[source] === undefined)
      contract = { ...contract, sources: { ...contract.sources, [source]: learned } };
    for (const { action, ...change } of changes) {
      const isTold = contract.told.some((other) => sameChange(other, change));
      if (action === "ignore" || isTold) continue;
      tellChange(graph, flow, change, action, emitter);
      if (action === "add") {
        const taken = takeOver(contract.sources[source] ?? [], change, columns);
        const decisions = [...contract.decisions, { ...change, decision: "accepted", at } as const];
        contract = { ...contract, sources: { ...contract.sources, [source]: taken }, decisions };
      } else contract = { ...contract, told: [...contract.told, change] };
    }
  }
  return contract;
}

function effectOf({ kind }: DriftChange, action: Exclude<DriftAction, "ignore">): string {
  if (action === "add") return "it is taken over";
  if (action === "stop") return "the dataset stops";
  switch (kind) {
    case "added":
      return "it stays out of *";
    case "removed":
      return "it is NULL from now on";
    case "narrowed":
      return "it keeps the type that it had";
    default:
      return "the query finds it so";
  }
}

function tellChange(
  graph: Graph,
  flow: GraphFlow,
  change: DriftChange,
  action: Exclude<DriftAction, "ignore">,
  emitter: Emitter,
): void {
  const dataset = formatName(flow.flow.target);
  const downstream = downstreamOf(graph, change.source, change.column, dataset);
  const details = { drift: { dataset, ...change, action, downstream } };
  emitter.notice(action === "add" ? "INFO" : "WARN", driftMessage(graph, flow, { ...change, action }), details, flow);
}

/** What a flow with drift makes of the changes that it does not ignore, each as a line for people. */
export function driftMessages(graph: Graph, flow: GraphFlow): string[] {
  const changes = (flow.drift ?? []).flatMap((source) => source.changes);
  return changes.flatMap(({ action, ...change }) =>
    action === "ignore" ? [] : [driftMessage(graph, flow, { ...change, action })],
  );
}

function driftMessage(
  graph: Graph,
  { flow: { target } }: GraphFlow,
  change: DriftChange & { readonly action: Exclude<DriftAction, "ignore"> },
): string {
  const made = downstreamOf(graph, change.source, change.column, formatName(target)).map(columnNamer(graph));
  const below = made.length === 0 ? "" : ` Made of it: ${made.join(", ")}.`;
  return `${shortName(target, graph.defaults)}: ${describeChange(change)}; ${effectOf(change, change.action)}.${below}`;
}

/** `spark_catalog.default.bronze.amount is string, and was decimal(13,2) (retyped)`. */
export function describeChange({ source, kind, column, from, to }: DriftChange): string {
  const name = `${source}.${column}`;
  if (kind === "added") return `${name} is new (${to})`;
  if (kind === "removed") return `${name} is gone (it was ${from})`;
  return `${name} is ${to}, and was ${from} (${kind})`;
}
