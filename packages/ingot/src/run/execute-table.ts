import type { Engine, PartResult, WritePart } from "../engine/engine.js";
import type { GraphFlow, GraphNode } from "../graph/graph.js";
import type { Manifest } from "../model/batch.js";
import { fieldNamed } from "../model/data-type.js";
import type { FlowMetrics } from "../model/event.js";
import { keepsRecords, leavesOf } from "../plan/inputs.js";
import type { FlowPlan } from "../plan/plan-flow.js";
import { verifyBatchFile } from "../sources/files/verify-batch-file.js";
import { bindFlow } from "./bind.js";
import { type Checkpoint, compactCheckpoint, isCompactingDue, startGeneration, writeManifest } from "./checkpoint.js";
import { commitNote, type PlannedFlow } from "./plan-table.js";
import { locationOf, targetOf } from "./target.js";

export interface ExecuteContext {
  /** Folder of the spec. */
  readonly root: string;
  readonly storage: string;
  readonly owner: string;
  readonly engine: Engine;
  readonly signal: AbortSignal;
}

/** A plan that was executed, with the figures of its batch. */
export interface DoneFlow {
  readonly flow: GraphFlow;
  readonly plan: FlowPlan;
  readonly metrics: FlowMetrics;
}

/**
 * Executes plans of one table in one commit: a batch of one flow, or a full refresh of all its flows. The manifests
 * are written first; from then on the batches are facts.
 */
export async function executePlans(
  node: GraphNode,
  planned: readonly PlannedFlow[],
  context: ExecuteContext,
): Promise<DoneFlow[]> {
  const parts: WritePart[] = [];
  const done: Omit<DoneFlow, "metrics">[] = [];
  let mode: "append" | "overwrite" = "append";
  const notes: string[] = [];
  for (const { flow, plan, checkpoint: found, anew } of planned) {
    if (plan.kind === "none") continue;
    const { manifest } = plan;
    const checkpoint = plan.kind === "replay" ? found : await begin(node, flow, found, anew, manifest, context);
    if (checkpoint === undefined) throw new Error("unreachable: a replay has a checkpoint");
    if (plan.kind === "replay") await verifyFiles(manifest);
    if (manifest.mode !== "append") mode = "overwrite";
    notes.push(commitNote(checkpoint, manifest));
    parts.push(writePart(flow, manifest, checkpoint));
    done.push({ flow, plan });
  }
  context.signal.throwIfAborted();
  const step = { target: targetOf(node, context.owner), mode, parts, note: notes.join("\n") };
  const result = await context.engine.write(step, context.signal);
  return done.map(({ flow, plan }, i) => ({ flow, plan, metrics: metricsOf(plan, result.parts[i], result.version) }));
}

async function begin(
  node: GraphNode,
  flow: GraphFlow,
  found: Checkpoint | undefined,
  anew: boolean,
  manifest: Manifest,
  { storage, root }: ExecuteContext,
): Promise<Checkpoint> {
  if (found === undefined || anew) {
    return startGeneration(storage, flow.flow, found, manifest, locationOf(node), root);
  }
  if (isCompactingDue(found)) await compactCheckpoint(found, root);
  return writeManifest(found, manifest, root);
}

function metricsOf(plan: FlowPlan, part: PartResult | undefined, version: bigint): FlowMetrics {
  const files =
    plan.kind === "none" ? [] : Object.values(plan.manifest.inputs).flatMap((i) => (i.kind === "files" ? i.files : []));
  return {
    num_output_rows: part?.rows ?? 0,
    num_output_bytes: part?.bytes ?? 0,
    ...(files.length === 0
      ? {}
      : { num_input_files: files.length, num_input_records: files.reduce((sum, f) => sum + f.records, 0) }),
    ...(part?.corruptRecords === undefined ? {} : { num_corrupt_records: part.corruptRecords }),
    table_version: Number(version),
  };
}

function writePart(flow: GraphFlow, manifest: Manifest, checkpoint: Checkpoint): WritePart {
  const records = Object.values(manifest.inputs).reduce(
    (sum, input) => sum + (input.kind === "files" ? input.files.reduce((s, f) => s + f.records, 0) : 0),
    0,
  );
  const keeps = keepsRecords(flow);
  const corrupt = keeps ? corruptColumn(flow) : undefined;
  return {
    bound: bindFlow(flow, manifest.inputs),
    transaction: { appId: checkpoint.appId, version: BigInt(manifest.batch) },
    ...(keeps ? { expectedRows: records } : {}),
    ...(corrupt === undefined ? {} : { corruptRecordColumn: corrupt }),
  };
}

/** The corrupt-record column, where the flow's rows still carry it under its name. */
function corruptColumn(flow: GraphFlow): string | undefined {
  for (const leaf of leavesOf(flow).values()) {
    const column = leaf.kind === "files" ? leaf.read.corruptRecordColumn : undefined;
    if (column !== undefined) return fieldNamed(flow.query.schema, column)?.name;
  }
  return undefined;
}

async function verifyFiles(manifest: Manifest): Promise<void> {
  for (const input of Object.values(manifest.inputs)) {
    if (input.kind === "files") for (const file of input.files) await verifyBatchFile(file);
  }
}
