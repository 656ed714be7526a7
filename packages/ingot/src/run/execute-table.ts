import {
  type Engine,
  NO_EVENTS,
  type PartResult,
  type Refresh,
  type RuleCounts,
  type WritePart,
} from "../engine/engine.js";
import type { GraphFlow, GraphNode } from "../graph/graph.js";
import type { Manifest } from "../model/batch.js";
import { fieldNamed } from "../model/data-type.js";
import { IngotError } from "../model/error.js";
import type { FlowMetrics } from "../model/event.js";
import { TOMBSTONE_PROPERTY } from "../model/table.js";
import type { FactCheck } from "../model/table-fact.js";
import { keepsRecords, leavesOf } from "../plan/inputs.js";
import type { FlowPlan } from "../plan/plan-flow.js";
import { verifyBatchFile } from "../sources/files/verify-batch-file.js";
import type { Compiler } from "../sql/compiler.js";
import { bindFlow } from "./bind.js";
import { bindRelease } from "./bind-release.js";
import { changeMetrics } from "./change-metrics.js";
import { changeState } from "./change-state.js";
import {
  type Checkpoint,
  compactCheckpoint,
  isCompactingDue,
  noteUnchanged,
  startGeneration,
  withdrawManifest,
  writeManifest,
} from "./checkpoint.js";
import { flowLabel } from "./flow-label.js";
import { commitNote, type PlannedFlow } from "./plan-table.js";
import { locationOf, targetOf } from "./target.js";

export interface ExecuteContext {
  /** Folder of the spec. */
  readonly root: string;
  readonly storage: string;
  readonly owner: string;
  readonly runId: string;
  readonly engine: Engine;
  /** Of Spark SQL. */
  readonly compiler: Compiler;
  readonly clock: () => Date;
  /** Keys of the tables whose `maxDeleteShare` does not hold this time. */
  readonly allowMassDelete: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** A plan that was executed, with the figures of its batch. */
export interface DoneFlow {
  readonly flow: GraphFlow;
  readonly plan: FlowPlan;
  readonly metrics: FlowMetrics;
  readonly checks: readonly RuleCounts[];
  readonly facts: readonly FactCheck[];
  /** What people should be told. */
  readonly notice?: string;
  /** Of a view that was computed anew. */
  readonly refresh?: Refresh;
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
  const done: Pick<DoneFlow, "flow" | "plan">[] = [];
  let mode: "append" | "overwrite" = "append";
  const notes: string[] = [];
  const checkpoints: Checkpoint[] = [];
  for (const { flow, plan, checkpoint: found, anew } of planned) {
    if (plan.kind === "none") continue;
    const { manifest } = plan;
    const checkpoint = plan.kind === "replay" ? found : await begin(node, flow, found, anew, manifest, context);
    if (checkpoint === undefined) throw new Error("unreachable: a replay has a checkpoint");
    if (plan.kind === "replay") await verifyFiles(manifest);
    if (manifest.mode !== "append") mode = "overwrite";
    notes.push(commitNote(checkpoint, manifest));
    const part = await writePart(flow, manifest, checkpoint, context);
    parts.push(node.dataset.kind === "materialized-view" ? { ...part, basis: basisOf(flow, plan) } : part);
    checkpoints.push(checkpoint);
    done.push({ flow, plan });
  }
  context.signal.throwIfAborted();
  const step = { target: targetOf(node, context.owner), parts, note: notes.join("\n") };
  const refused = (error: unknown) => withdrawRefused(error, mode, done, checkpoints);
  const [first] = done;
  const changes = first?.flow.changes;
  if (first !== undefined && changes !== undefined) {
    const isReset = mode === "overwrite";
    const {
      version,
      parts: applied,
      notice,
    } = await context.engine
      .apply(
        {
          ...step,
          mode: isReset ? "reset" : "apply",
          rules: changes,
          state: await changeState(context.storage, node.dataset.name, isReset, parts, context.engine),
          planned: plannedAt(first.plan),
          ...tombstones(node),
          allowMassDelete: context.allowMassDelete.has(node.key),
        },
        context.signal,
      )
      .catch(refused);
    return done.map(({ flow, plan }, i) => {
      const { events = NO_EVENTS, checks = [] } = applied[i] ?? {};
      const metrics = { ...changeMetrics(events), ...inputMetrics(plan, version) };
      return { flow, plan, metrics, checks, facts: [], ...(notice === undefined ? {} : { notice }) };
    });
  }
  // What a full refresh makes anew owes nothing to the rows that are there.
  const byDifference = node.dataset.kind === "materialized-view" && planned.every(({ anew }) => !anew);
  const { refreshPolicy } = node.dataset;
  const policy = refreshPolicy === undefined ? {} : { refreshPolicy };
  const result = await context.engine.write({ ...step, mode, byDifference, ...policy }, context.signal).catch(refused);
  for (const [i, checkpoint] of checkpoints.entries())
    if (result.parts[i]?.refresh?.technique === "unchanged") await noteUnchanged(checkpoint);
  return done.map(({ flow, plan }, i) => {
    const { refresh, checks = [], facts = [] } = result.parts[i] ?? {};
    const metrics = { ...rowMetrics(result.parts[i]), ...inputMetrics(plan, result.version) };
    return { flow, plan, metrics, checks, facts, ...(refresh === undefined ? {} : { refresh }) };
  });
}

/**
 * A new batch whose rows are refused is taken back, since nothing has come of it: the next run reads what is there then,
 * such as a file that was corrected. One that is done again may have come half-way, and a full refresh has to go on. A view
 * that could not follow changes can go on from the rows that it has.
 */
async function withdrawRefused(
  error: unknown,
  mode: "append" | "overwrite",
  done: readonly Pick<DoneFlow, "plan">[],
  checkpoints: readonly Checkpoint[],
): Promise<never> {
  const isRefused =
    error instanceof IngotError &&
    ((error.exit === "qualityFailed" && mode === "append") || error.code === "MATERIALIZED_VIEW_NOT_INCREMENTALIZABLE");
  for (const [i, { plan }] of done.entries()) {
    const checkpoint = checkpoints[i];
    if (isRefused && plan.kind === "batch" && checkpoint !== undefined)
      await withdrawManifest(checkpoint, plan.manifest.batch);
  }
  throw error;
}

function basisOf(flow: GraphFlow, plan: FlowPlan): NonNullable<WritePart["basis"]> {
  const since = plan.kind === "batch" ? plan.since : undefined;
  return since === undefined ? plan.reason : bindFlow(flow, since);
}

function plannedAt(plan: FlowPlan): string {
  if (plan.kind === "none") throw new Error("unreachable: nothing is executed without a plan");
  return plan.manifest.created;
}

/** How long the tombstones of a table are kept; for ever where it does not say. */
function tombstones({ dataset }: GraphNode): { readonly tombstoneSeconds?: number } {
  const seconds = dataset.properties[TOMBSTONE_PROPERTY];
  return seconds === undefined ? {} : { tombstoneSeconds: Number(seconds) };
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

function rowMetrics(part: PartResult | undefined): FlowMetrics {
  return {
    num_output_rows: part?.rows ?? 0,
    num_output_bytes: part?.bytes ?? 0,
    ...(part?.refresh?.technique === "difference" ? { num_deleted_rows: part.refresh.deleted } : {}),
    ...(part?.corruptRecords === undefined ? {} : { num_corrupt_records: part.corruptRecords }),
  };
}

/** What the batch has read, and the version that holds it. */
function inputMetrics(plan: FlowPlan, version: bigint): FlowMetrics {
  const files =
    plan.kind === "none" ? [] : Object.values(plan.manifest.inputs).flatMap((i) => (i.kind === "files" ? i.files : []));
  return {
    ...(files.length === 0
      ? {}
      : { num_input_files: files.length, num_input_records: files.reduce((sum, f) => sum + f.records, 0) }),
    table_version: Number(version),
  };
}

async function writePart(
  flow: GraphFlow,
  manifest: Manifest,
  checkpoint: Checkpoint,
  context: Pick<ExecuteContext, "runId" | "clock" | "engine" | "compiler">,
): Promise<WritePart> {
  const records = Object.values(manifest.inputs).reduce(
    (sum, input) => sum + (input.kind === "files" ? input.files.reduce((s, f) => s + f.records, 0) : 0),
    0,
  );
  const { release } = manifest;
  const keeps = release === undefined && keepsRecords(flow);
  const corrupt = keeps ? corruptColumn(flow) : undefined;
  return {
    bound:
      release === undefined ? bindFlow(flow, manifest.inputs) : await bindRelease(flow, manifest, release, context),
    transaction: { appId: checkpoint.appId, version: BigInt(manifest.batch) },
    origin: { flow: flowLabel(flow.flow), runId: context.runId, at: context.clock().toISOString() },
    ...(flow.rules?.facts === undefined ? {} : { planned: manifest.created }),
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
