import type { Graph, GraphFlow, GraphNode } from "../graph/graph.js";
import type { Selection } from "../graph/select.js";
import { throwAll } from "../model/error.js";
import { shortName } from "../model/name.js";
import { CHECKPOINT_RESET, type Found, NOTHING_FOUND } from "../plan/plan-flow.js";
import { type PlanContext, planTable, startOf } from "./plan-table.js";
import { refuseUnsupported } from "./refuse-unsupported.js";
import { refuseDrift } from "./settle-drift.js";
import { refuseForeignTables } from "./target.js";

export interface PlannedTable {
  readonly node: GraphNode;
  /** `held`: files that the run would leave out, each with the reason; `notices`: what it would find out about columns. */
  readonly flows: readonly (Found & {
    readonly flow: string;
    readonly action: "append" | "apply" | "recompute" | "full refresh" | "replay" | "nothing" | "excluded";
    readonly reason: string;
  })[];
}

/**
 * The plan of a whole run, without running it. A table below one that will change is planned from what it will find
 * then, as far as that can be said now.
 */
export async function planRun(graph: Graph, selection: Selection, context: PlanContext): Promise<PlannedTable[]> {
  refuseUnsupported(graph, selection, context.engine);
  refuseForeignTables(graph, selection, context.owner);
  const changing = new Map<string, string>();
  const planned: PlannedTable[] = [];
  for (const node of graph.nodes) {
    if (node.location === undefined) continue;
    const table = selection.selected.has(node.key)
      ? await planNode(node, selection, changing, context)
      : excluded(node);
    if (table.flows.some((f) => f.action !== "nothing" && f.action !== "excluded"))
      changing.set(node.key, shortName(node.dataset.name, graph.defaults));
    planned.push(table);
  }
  return planned;
}

async function planNode(
  node: GraphNode,
  selection: Selection,
  changing: ReadonlyMap<string, string>,
  context: PlanContext,
): Promise<PlannedTable> {
  throwAll(node.flows.flatMap(({ fault }) => fault ?? []));
  const start = startOf(node.key, selection);
  const above = [...node.upstream].flatMap((key) => changing.get(key) ?? []);
  if (above.length > 0) {
    const held = new Map(
      node.flows.map((flow) => [flow, refuseDrift(flow, start === "behind" && node.existing !== undefined)]),
    );
    const action = (flow: GraphFlow) =>
      start === "full refresh" ? start : node.dataset.kind === "materialized-view" ? "recompute" : addingOf(flow);
    return {
      node,
      flows: node.flows.map((f) => ({
        flow: f.flow.name,
        action: held.get(f) === undefined ? action(f) : "nothing",
        reason: held.get(f) ?? `${start === "new checkpoint" ? `${CHECKPOINT_RESET} ` : ""}after ${above.join(", ")}`,
        ...NOTHING_FOUND,
      })),
    };
  }
  const { planned: plans, failed } = await planTable(node, start, context);
  throwAll(failed.map((f) => f.error));
  return {
    node,
    flows: plans.map(({ flow, plan }) => ({
      flow: flow.flow.name,
      action:
        plan.kind === "none"
          ? "nothing"
          : plan.kind === "replay"
            ? "replay"
            : ({ append: addingOf(flow), overwrite: "recompute", reset: "full refresh" } as const)[plan.manifest.mode],
      reason: plan.reason,
      ...(plan.kind === "replay" ? NOTHING_FOUND : { held: plan.held, notices: plan.notices }),
    })),
  };
}

/** What a batch of a flow does to its table. */
function addingOf({ changes }: GraphFlow): "append" | "apply" {
  return changes === undefined ? "append" : "apply";
}

function excluded(node: GraphNode): PlannedTable {
  return {
    node,
    flows: node.flows.map((f) => ({
      flow: f.flow.name,
      action: "excluded",
      reason: "not named by --refresh or --full-refresh",
      ...NOTHING_FOUND,
    })),
  };
}
