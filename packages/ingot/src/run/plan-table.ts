import type { Engine } from "../engine/engine.js";
import { type GraphFlow, type GraphNode, kindName } from "../graph/graph.js";
import type { Selection } from "../graph/select.js";
import { IngotError, withPlace } from "../model/error.js";
import { formatName } from "../model/name.js";
import type { TableState } from "../model/table.js";
import { appPrefix } from "../plan/app-id.js";
import type { History } from "../plan/history.js";
import {
  type FlowPlan,
  type FlowSituation,
  isAbandoned,
  isRecomputed,
  NOTHING_FOUND,
  planFlow,
  planReplay,
} from "../plan/plan-flow.js";
import type { LandingFiles } from "../sources/files/landing-files.js";
import { type Checkpoint, newestGeneration, readCheckpoint } from "./checkpoint.js";
import { discover } from "./discover.js";
import { toIngotError } from "./failure.js";
import { refuseDrift } from "./settle-drift.js";
import { locationOf, ownTable } from "./target.js";

export interface PlanContext {
  /** Relative paths of definitions start here. */
  readonly root: string;
  readonly storage: string;
  /** Id of the pipeline; none before its first run. */
  readonly owner: string | undefined;
  readonly engine: Engine;
  readonly landing: LandingFiles;
  readonly clock: () => Date;
}

/** A flow with its plan and the checkpoint that was found. */
export interface PlannedFlow {
  readonly flow: GraphFlow;
  readonly plan: FlowPlan;
  readonly checkpoint: Checkpoint | undefined;
  /** The plan begins a new generation of the checkpoint: for a full refresh, or since the last one never began. */
  readonly anew: boolean;
}

const NONE: History = { manifests: [], committed: true };

/** What the flows of a table will do; a flow whose input cannot be read does not hold up the others. */
export interface TablePlan {
  readonly planned: readonly PlannedFlow[];
  readonly failed: readonly { readonly flow: GraphFlow; readonly error: IngotError }[];
}

/**
 * Where the flows of a table begin: behind what they have read; at the beginning, for new rows in the place of the old
 * ones; or at the beginning with the old rows kept.
 */
export type Start = "behind" | "full refresh" | "new checkpoint";

export function startOf(key: string, { reset, resetCheckpoint }: Selection): Start {
  if (reset.has(key)) return "full refresh";
  return resetCheckpoint?.has(key) === true ? "new checkpoint" : "behind";
}

/** Plans the flows of one table from what is there now. Writes nothing. */
export async function planTable(node: GraphNode, start: Start, context: PlanContext): Promise<TablePlan> {
  const reset = start === "full refresh";
  const target = await ownTable(node, context.owner, context.engine);
  // A once flow has no position: it has run, or not.
  const restarts = (flow: GraphFlow) => start === "new checkpoint" && flow.flow.once !== true;
  const found = await Promise.all(node.flows.map((flow) => checkpointOf(flow, reset || restarts(flow), context)));
  const histories = found.map((checkpoint) => historyOf(checkpoint, target));
  const abandoned = node.flows.map((flow, i) => isAbandoned(flow, histories[i] ?? NONE));
  const resuming = histories.map((history) => !history.committed && history.manifests.at(-1)?.mode === "reset");
  // A full refresh that died half-way goes on for all flows of the table: its commit replaces the rows of all.
  const resetAll = reset || resuming.some((r) => r);
  const planned: PlannedFlow[] = [];
  const failed: { flow: GraphFlow; error: IngotError }[] = [];
  for (const [i, flow] of node.flows.entries()) {
    const checkpoint = found[i];
    const resets = resetAll && (reset || resuming[i] !== true || abandoned[i] === true);
    const restarted = restarts(flow) && checkpoint !== undefined;
    const anew = resets || restarted || abandoned[i] === true;
    const history = anew ? NONE : (histories[i] ?? NONE);
    try {
      if (flow.fault !== undefined) throw flow.fault;
      const held = refuseDrift(flow, !anew && target !== undefined);
      if (held !== undefined) {
        planned.push({ flow, plan: { kind: "none", reason: held, ...NOTHING_FOUND }, checkpoint, anew });
        continue;
      }
      if (!anew) checkSameKind(node, checkpoint);
      if (!anew) checkSameMoment(node, flow, checkpoint, target);
      const plan =
        planReplay(node, flow, history) ??
        (await planNext({ node, flow, history, target, reset: resets, restarted }, context));
      planned.push({ flow, plan, checkpoint, anew });
    } catch (error) {
      failed.push({ flow, error: withPlace(toIngotError(error), flow.flow.at) });
    }
  }
  const [first] = failed;
  // A full refresh replaces the rows of all flows in one commit: without one of them its rows would be gone.
  if (resetAll && first !== undefined) {
    return {
      planned: [],
      failed: node.flows.map((flow) => failed.find((f) => f.flow === flow) ?? { flow, error: first.error }),
    };
  }
  return { planned, failed };
}

async function planNext(situation: Omit<FlowSituation, "offers" | "now">, context: PlanContext): Promise<FlowPlan> {
  const offers = await discover(situation.flow, situation.history, context);
  return planFlow({ ...situation, offers, now: context.clock().toISOString() });
}

/** What begins anew starts the next generation and needs nothing of the last one, which may be damaged. */
async function checkpointOf(
  { flow }: GraphFlow,
  anew: boolean,
  { storage, root }: PlanContext,
): Promise<Checkpoint | undefined> {
  if (anew) return newestGeneration(storage, flow);
  return readCheckpoint(storage, flow, root);
}

/**
 * A streaming table that becomes a materialized view loses what its sources no longer hold; the other way round its
 * rows would be taken for rows of the stream.
 *
 * @throws IngotError DATASET_KIND_CHANGED
 */
function checkSameKind(node: GraphNode, checkpoint: Checkpoint | undefined): void {
  const last = checkpoint?.manifests.at(-1);
  const was = last?.mode === "overwrite" ? "materialized-view" : "streaming-table";
  if (last === undefined || was === node.dataset.kind) return;
  const name = formatName(node.dataset.name);
  throw new IngotError(
    "DATASET_KIND_CHANGED",
    `${name} was a ${was.replace("-", " ")} and is declared a ${kindName(node.dataset)}`,
    {
      at: node.dataset.at,
      object: name,
      hint: `Its rows would be lost or mixed. If that is meant, start it again with --full-refresh ${node.dataset.name.table}; or give the new dataset another name.`,
    },
  );
}

/** By this note a writer knows its own commit again. */
export function commitNote({ appId }: Checkpoint, { batch }: { readonly batch: number | bigint }): string {
  return `${appId} batch ${batch}`;
}

/** What a flow's checkpoint and its target tell about the batches done. */
function historyOf(checkpoint: Checkpoint | undefined, target: TableState | undefined): History {
  const last = checkpoint?.manifests.at(-1);
  if (checkpoint === undefined || last === undefined) return { manifests: [], committed: true };
  const done = target?.transactions.get(checkpoint.appId);
  return {
    manifests: checkpoint.manifests,
    ...(checkpoint.compacted === undefined ? {} : { compacted: checkpoint.compacted }),
    committed: done !== undefined && (done >= BigInt(last.batch) || checkpoint.unchanged === last.batch),
    // A batch that found nothing to change has no commit of its own.
    lastNote: commitNote(checkpoint, { batch: done ?? last.batch }),
  };
}

/**
 * Checkpoint and table must be of one moment: going on where one of them was lost, or put back from a backup, would read
 * everything again, or leave batches out. What is computed anew from its whole input, only a newer table stops: its next batch would pass for done.
 *
 * @throws IngotError CHECKPOINT_DAMAGED
 */
function checkSameMoment(
  node: GraphNode,
  flow: GraphFlow,
  checkpoint: Checkpoint | undefined,
  target: TableState | undefined,
): void {
  const streaming = !isRecomputed(node, flow);
  const last = checkpoint?.manifests.at(-1)?.batch;
  if (checkpoint === undefined || last === undefined) {
    const known = [...(target?.transactions.keys() ?? [])].some((appId) => appId.startsWith(appPrefix(flow.flow)));
    if (known && streaming) throw apart(node, flow, "holds batches of it, and the checkpoint is gone");
    return;
  }
  const done = target?.transactions.get(checkpoint.appId) ?? -1n;
  const both = `${done < 0n ? "holds no batch" : `holds its batches up to ${done}`}, and the checkpoint has them up to ${last}`;
  if (done > BigInt(last) || (streaming && done < BigInt(last) - 1n)) throw apart(node, flow, both);
}

function apart(node: GraphNode, flow: GraphFlow, how: string): IngotError {
  return new IngotError(
    "CHECKPOINT_DAMAGED",
    `Checkpoint and table of the flow ${flow.flow.name} are not of one moment: the table ${locationOf(node)} ${how}`,
    {
      at: flow.flow.at,
      object: locationOf(node),
      hint: "Restore both from one backup; or start the table again with --full-refresh, if its source still has everything.",
    },
  );
}
