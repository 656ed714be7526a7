import { downstreamOf } from "../graph/downstream.js";
import { holdsBack, takeOver } from "../graph/drift.js";
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
 * @param canWait a batch may wait in the source: the flow has a table, and does not begin anew
 * @returns why its batch is held back, in a few words
 * @throws IngotError SCHEMA_DRIFT
 */
export function refuseDrift(flow: GraphFlow, canWait: boolean): string | undefined {
  let held: string | undefined;
  for (const query of queriesBelow(flow)) {
    const changes = (query.drift ?? []).flatMap((source) => source.changes);
    const holding = changes.filter(({ action }) => holdsBack(action));
    if (holding.length === 0) continue;
    const name = formatName(query.flow.target);
    const what = holding.map(describeChange).join("; ");
    if (canWait && holding.every(({ action }) => action === "quarantine")) {
      held ??= `the batch is held back: ${what}`;
      continue;
    }
    throw new IngotError("SCHEMA_DRIFT", `${name}: ${what}`, {
      at: query.flow.at,
      object: name,
      hint: `Nothing was written. Correct the source, or take it over: ingot drift accept ${query.flow.target.table} --reason "…".`,
    });
  }
  return held;
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
  for (const inspected of flow.drift ?? []) {
    const { source, before: learned, key } = inspected;
    if (contract.sources[source] === undefined)
      contract = { ...contract, sources: { ...contract.sources, [source]: learned } };
    if (key !== undefined && contract.keys?.[source] === undefined)
      contract = { ...contract, keys: { ...contract.keys, [source]: key } };
    for (const { action, ...change } of inspected.changes) {
      const isTold = contract.told.some((other) => sameChange(other, change));
      if (action === "ignore" || isTold) continue;
      tellChange(graph, flow, change, action, emitter);
      if (action === "add") {
        const decisions = [...contract.decisions, { ...change, decision: "accepted", at } as const];
        contract = { ...takeOver(contract, change, inspected), decisions };
      } else contract = { ...contract, told: [...contract.told, change] };
    }
  }
  return contract;
}

function effectOf({ kind, into }: DriftChange, action: Exclude<DriftAction, "ignore">): string {
  if (action === "add") return "it is taken over";
  if (action === "stop") return "the dataset stops";
  if (action === "quarantine") return "the batch is held back";
  switch (kind) {
    case "added":
      return "it stays out of *";
    case "removed":
      return "it is NULL from now on";
    case "renamed":
      return `it is NULL from now on, and ${into} stays out of *`;
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
export function describeChange({ source, kind, column, from, to, into, confidence = 0 }: DriftChange): string {
  if (kind === "keyChanged") return `the key of ${source} is ${to}, and was ${from} (keyChanged)`;
  const name = `${source}.${column}`;
  if (kind === "renamed")
    return `${name} is gone, and ${into} (${to}) came (renamed, ${Math.round(confidence * 100)} % sure)`;
  if (kind === "added") return `${name} is new (${to})`;
  if (kind === "removed") return `${name} is gone (it was ${from})`;
  return `${name} is ${to}, and was ${from} (${kind})`;
}
