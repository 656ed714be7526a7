import type { BoundQuery, RuleCounts } from "../engine/engine.js";
import type { GraphFlow, GraphNode } from "../graph/graph.js";
import { queriesBelow } from "../graph/queries-below.js";
import type { Release } from "../model/batch.js";
import { IngotError } from "../model/error.js";
import { formatName } from "../model/name.js";
import { planRelease } from "../plan/plan-release.js";
import { bindRelease } from "./bind-release.js";
import { withdrawManifest } from "./checkpoint.js";
import { dataQuality } from "./data-quality.js";
import { discover } from "./discover.js";
import { type ExecuteContext, executePlans } from "./execute-table.js";
import { toIngotError } from "./failure.js";
import { takeLock } from "./lock.js";
import { pipelineId } from "./pipeline-state.js";
import { type PlannedFlow, planTable } from "./plan-table.js";
import type { RunRequest } from "./run.js";
import { locationOf } from "./target.js";

export interface ReleaseRequest
  extends Pick<
    RunRequest,
    "graph" | "places" | "id" | "runId" | "engine" | "compiler" | "landing" | "emitter" | "clock" | "abort"
  > {
  /** The dataset whose rules set the rows aside. */
  readonly node: GraphNode;
  /** Spark SQL over the columns of the quarantine: which of its open rows. */
  readonly where: string;
  /** Corrections: Spark SQL by column. */
  readonly set: Release["set"];
}

/** What became of the rows that a flow was given again. */
export interface ReleasedFlow {
  readonly flow: GraphFlow;
  readonly counts: RuleCounts;
}

/**
 * Sends rows of a quarantine through the flows that read them, exactly once: as a batch of the flow with a manifest of
 * its own, which a crash leaves for the next run to end. What fails again stays, as a later attempt.
 *
 * @throws IngotError NOT_SUPPORTED for tables that are computed anew; RUN_LOCKED; what a run of the flow throws, and
 * then nothing was released
 */
export async function releaseRows(request: ReleaseRequest): Promise<ReleasedFlow[]> {
  const { places, emitter } = request;
  const lock = await takeLock(places.storage, request.runId);
  try {
    const context = {
      ...request,
      root: places.root,
      storage: places.storage,
      owner: await pipelineId(places.storage, request.id),
      allowMassDelete: new Set<string>(),
      signal: request.abort,
    };
    const released: ReleasedFlow[] = [];
    for (const [node, flow] of flowsUnder(request)) {
      const done = await releaseInto(node, flow, request, context);
      if (done !== undefined) released.push(done);
    }
    emitter.run("COMPLETED");
    return released;
  } catch (thrown) {
    const error = toIngotError(thrown);
    emitter.run("FAILED", { message: `Run is FAILED: ${error.code}.`, error });
    throw error;
  } finally {
    lock.release();
  }
}

/** The flows whose rows the rules of the dataset look at, each with its table. */
function flowsUnder({ graph, node: { dataset } }: ReleaseRequest): [GraphNode, GraphFlow][] {
  const name = formatName(dataset.name);
  const found = graph.nodes.flatMap((node) =>
    node.location === undefined
      ? []
      : node.flows
          .filter((flow) => [...queriesBelow(flow)].some((query) => query.rules?.dataset === name))
          .map((flow): [GraphNode, GraphFlow] => [node, flow]),
  );
  for (const [node, flow] of found) {
    const table = formatName(node.dataset.name);
    if (node.dataset.kind === "materialized-view")
      throw refused(
        name,
        `${table} is a materialized view, which is computed anew from all that it reads`,
        "Correct the source or the rule and run: its rows are looked at again by themselves.",
      );
    if (flow.flow.kind === "replace" && flow.rules?.dataset === name)
      throw refused(
        name,
        `rows of ${table} replace others, and would replace those that came since`,
        "Declare the rules on a temporary view that the flow reads, or correct the source.",
      );
  }
  return found;
}

async function releaseInto(
  node: GraphNode,
  flow: GraphFlow,
  request: ReleaseRequest,
  context: ExecuteContext & Pick<RunRequest, "landing">,
): Promise<ReleasedFlow | undefined> {
  const { engine, compiler, emitter, clock } = request;
  const dataset = formatName(request.node.dataset.name);
  const rules = [...queriesBelow(flow)].find((query) => query.rules?.dataset === dataset)?.rules;
  const quarantine = rules?.quarantine === undefined ? undefined : await engine.describe(rules.quarantine.location);
  if (quarantine === undefined) return undefined;
  const release: Release = { dataset, version: String(quarantine.version), where: request.where, set: request.set };
  const bound = await bindRelease(flow, { inputs: {} }, release, { engine, compiler });
  if (!(await hasRows(bound, dataset, request))) return undefined;

  const { checkpoint } = await finished(node, flow, context);
  if (checkpoint === undefined) return undefined;
  const history = { ...checkpoint, committed: true };
  const plan = planRelease(flow, history, await discover(flow, history, context), release, clock().toISOString());
  emitter.flow(flow, "STARTING");
  emitter.flow(flow, "RUNNING");
  try {
    const [done] = await executePlans(node, [{ flow, plan, checkpoint, anew: false }], context);
    const counts = done?.checks.find((check) => check.dataset === dataset);
    const quality = dataQuality(done?.checks ?? []);
    emitter.flow(flow, "COMPLETED", { reason: plan.reason, ...(done && { metrics: done.metrics }), quality });
    return counts && { flow, counts };
  } catch (thrown) {
    const error = toIngotError(thrown);
    const { appId } = checkpoint;
    const holds = async (location: string) =>
      ((await engine.describe(location))?.transactions.get(appId) ?? -1n) >= BigInt(plan.manifest.batch);
    // Nothing has come of it: what the user asked for is taken back, and the next run goes on as if it never was.
    if (!(await holds(quarantine.location)) && !(await holds(locationOf(node))))
      await withdrawManifest(checkpoint, plan.manifest.batch);
    emitter.flow(flow, "FAILED", { error });
    throw error;
  }
}

/** Whether the release finds rows. */
async function hasRows(bound: BoundQuery, dataset: string, { engine, abort }: ReleaseRequest): Promise<boolean> {
  const at = (query: BoundQuery): BoundQuery | undefined => {
    if (query.rules?.dataset === dataset) return query;
    for (const input of query.inputs.values()) {
      const below = input.kind === "view" ? at(input.view) : undefined;
      if (below !== undefined) return below;
    }
    return undefined;
  };
  const found = at(bound);
  if (found === undefined) return false;
  const { rules: _, ...rows } = found;
  return (await engine.query(rows, { limit: 1, signal: abort })).rows.length > 0;
}

/** The flow with all its batches done: one that an earlier run left is ended first. */
async function finished(
  node: GraphNode,
  flow: GraphFlow,
  context: ExecuteContext & Pick<RunRequest, "landing">,
): Promise<Pick<PlannedFlow, "checkpoint">> {
  const find = async (): Promise<PlannedFlow> => {
    const { planned, failed } = await planTable(node, "behind", context);
    const own = planned.find((p) => p.flow === flow);
    if (own !== undefined) return own;
    throw failed.find((f) => f.flow === flow)?.error ?? new Error("unreachable: each flow is planned or has failed");
  };
  const own = await find();
  if (own.plan.kind !== "replay") return own;
  await executePlans(node, [own], context);
  return find();
}

function refused(object: string, why: string, hint: string): IngotError {
  return new IngotError("NOT_SUPPORTED", `The quarantine of ${object} cannot be released: ${why}`, { object, hint });
}
