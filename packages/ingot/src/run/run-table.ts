import type { Engine, RuleCounts } from "../engine/engine.js";
import type { GraphFlow, GraphNode } from "../graph/graph.js";
import { type IngotError, withPlace } from "../model/error.js";
import type { EventLevel, FlowMetrics } from "../model/event.js";
import type { FactCheck } from "../model/table-fact.js";
import { NOTHING_FOUND } from "../plan/plan-flow.js";
import type { LandingFiles } from "../sources/files/landing-files.js";
import type { Compiler } from "../sql/compiler.js";
import { changedRows, noMetrics } from "./change-metrics.js";
import { checkFreshness } from "./check-freshness.js";
import { checkSingleValues } from "./check-single-values.js";
import { describeNotice, levelOf } from "./column-notice.js";
import { dataQuality } from "./data-quality.js";
import type { Emitter } from "./emitter.js";
import { type DoneFlow, executePlans } from "./execute-table.js";
import { isTransient, toIngotError } from "./failure.js";
import { type PlannedFlow, planTable, type Start } from "./plan-table.js";

export interface TableOutcome {
  readonly status: "COMPLETED" | "FAILED" | "SKIPPED" | "STOPPED";
  readonly failedFlows?: readonly GraphFlow[];
  readonly error?: IngotError;
  /** Rows written, where something was. */
  readonly rows?: number;
}

export interface TableRun {
  readonly root: string;
  readonly storage: string;
  readonly owner: string;
  readonly runId: string;
  readonly engine: Engine;
  readonly compiler: Compiler;
  readonly landing: LandingFiles;
  readonly emitter: Emitter;
  readonly clock: () => Date;
  readonly allowMassDelete: ReadonlySet<string>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
}

/** Attempts of a flow: the first, and two more where another try can help. */
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 1000;

/** Plans and executes one table. Never throws for a fault of the flow: the outcome tells it. */
export async function runTable(node: GraphNode, start: Start, request: TableRun): Promise<TableOutcome> {
  const run: CountedRun = { ...request, checks: new Map(), facts: new Map() };
  const kind = node.dataset.kind;
  for (const flow of node.flows) if (kind === "materialized-view") run.emitter.flow(flow, "PLANNING");
  let pending = [...node.flows];
  let from = start;
  let rows = 0;
  for (let attempt = 1; ; attempt++) {
    const started = run.clock().getTime();
    const failed: Failed[] = [];
    const earlier = new Map<GraphFlow, FlowMetrics>();
    const count = (n: number) => (rows += n);
    for (const group of await groups(node, pending, from, run, failed, earlier)) {
      // What is planned is written down, and the next attempt goes on from there; before that, it begins as this one.
      from = "behind";
      const fault = await execute(node, group, run, started, earlier, count);
      if (fault !== undefined) failed.push({ flows: group.map((p) => p.flow), error: fault });
    }
    const [first] = failed;
    if (first === undefined) return { status: "COMPLETED", rows };
    const flows = failed.flatMap((f) => f.flows);
    if (run.abort.aborted || first.error.code === "INTERRUPTED") {
      for (const flow of flows) run.emitter.flow(flow, "STOPPED", { reason: "the run was interrupted" });
      return { status: "STOPPED" };
    }
    const again = attempt < ATTEMPTS && !run.stop.aborted && failed.every((f) => isTransient(f.error));
    for (const { flows: group, error } of failed)
      for (const flow of group) run.emitter.flow(flow, "FAILED", { error, retry: again, attempt });
    if (!again) return { status: "FAILED", failedFlows: flows, error: first.error };
    await run.wait(FIRST_PAUSE_MS * 2 ** (attempt - 1), run.stop);
    if (run.stop.aborted) {
      for (const flow of flows) run.emitter.flow(flow, "STOPPED", { reason: "the run was interrupted" });
      return { status: "STOPPED" };
    }
    pending = [...flows];
  }
}

/** A run of a table, with what its rules have counted so far. */
interface CountedRun extends TableRun {
  readonly checks: Map<GraphFlow, readonly RuleCounts[]>;
  readonly facts: Map<GraphFlow, readonly FactCheck[]>;
}

interface Failed {
  readonly flows: readonly GraphFlow[];
  readonly error: IngotError;
}

/** Flows that commit together: each alone, or all of a table in a full refresh. Faults of planning go to `failed`. */
async function groups(
  node: GraphNode,
  pending: readonly GraphFlow[],
  start: Start,
  run: CountedRun,
  failed: Failed[],
  earlier: Map<GraphFlow, FlowMetrics>,
): Promise<PlannedFlow[][]> {
  const fail = (flows: readonly GraphFlow[], error: IngotError): void => {
    const here = flows.filter((flow) => pending.includes(flow));
    for (const flow of here) run.emitter.flow(flow, "STARTING");
    if (here.length > 0) failed.push({ flows: here, error });
  };
  try {
    const first = await planTable(node, start, run);
    const replays = together(first.planned).filter((group) => group.some((p) => p.plan.kind === "replay"));
    for (const group of replays) {
      const fault = await replay(node, group, run, earlier);
      if (fault !== undefined)
        fail(
          group.map((p) => p.flow),
          fault,
        );
    }
    const { planned, failed: unplanned } = replays.length > 0 ? await planTable(node, "behind", run) : first;
    for (const { flow, error } of unplanned) fail([flow], error);
    // A flow whose replay failed would only plan the same replay again.
    return together(planned.filter((p) => pending.includes(p.flow) && p.plan.kind !== "replay"));
  } catch (error) {
    fail(pending, withPlace(toIngotError(error), node.dataset.at));
    return [];
  }
}

/** Does what an earlier run had written down and not committed; what is new since then comes after it. */
async function replay(
  node: GraphNode,
  group: readonly PlannedFlow[],
  run: CountedRun,
  earlier: Map<GraphFlow, FlowMetrics>,
): Promise<IngotError | undefined> {
  try {
    for (const { flow, plan, metrics } of await perform(node, group, run)) {
      const rows = changedRows(metrics);
      earlier.set(flow, metrics);
      const what = `${plan.reason} (${rows} ${rows === 1 ? "row" : "rows"}, version ${metrics.table_version})`;
      run.emitter.notice("INFO", `Replayed: ${what}.`, { metrics }, flow);
    }
    return undefined;
  } catch (error) {
    return withPlace(toIngotError(error), group[0]?.flow.flow.at ?? node.dataset.at);
  }
}

async function perform(node: GraphNode, planned: readonly PlannedFlow[], run: CountedRun): Promise<DoneFlow[]> {
  const done = await executePlans(node, planned, { ...run, signal: run.abort });
  for (const { flow, checks, facts, notice, refresh } of done) {
    if (refresh !== undefined) run.emitter.planning(flow, refresh);
    run.checks.set(flow, [...(run.checks.get(flow) ?? []), ...checks]);
    noteFacts(flow, facts, run);
    if (notice !== undefined) run.emitter.notice("WARN", notice, {}, flow);
  }
  return done;
}

/** Those that do not hold, and stop nothing, are told. */
function noteFacts(flow: GraphFlow, facts: readonly FactCheck[], run: CountedRun): void {
  run.facts.set(flow, [...(run.facts.get(flow) ?? []), ...facts]);
  for (const { dataset, name, fault } of facts)
    if (fault !== undefined)
      run.emitter.notice(
        "WARN",
        `${dataset}: the expectation \`${name}\` fails: ${fault}.`,
        { expectation: name },
        flow,
      );
}

function together(planned: readonly PlannedFlow[]): PlannedFlow[][] {
  const reset = planned.some((p) => p.plan.kind !== "none" && p.plan.manifest.mode === "reset");
  return reset ? [[...planned]] : planned.map((p) => [p]);
}

async function execute(
  node: GraphNode,
  group: readonly PlannedFlow[],
  run: CountedRun,
  started: number,
  earlier: ReadonlyMap<GraphFlow, FlowMetrics>,
  count: (rows: number) => void,
): Promise<IngotError | undefined> {
  const say = (status: "STARTING" | "RUNNING") => {
    for (const { flow } of group) run.emitter.flow(flow, status);
  };
  say("STARTING");
  const told = new Set<string>();
  for (const planned of group) tellFound(planned, run.emitter, told);
  say("RUNNING");
  try {
    const work = group.filter((p) => p.plan.kind !== "none");
    const done = work.length === 0 ? [] : await perform(node, work, run);
    for (const planned of group) {
      const { flow } = planned;
      if (planned.plan.kind === "none") noteFacts(flow, await checkFreshness(node, flow, run), run);
      const first = addMetrics(earlier.get(flow) ?? noMetrics(flow), done.find((d) => d.flow === flow)?.metrics);
      const { metrics, reason } = await finishBatches(node, planned, first, run, told);
      count(changedRows(metrics));
      if (planned.plan.kind !== "none") noteFacts(flow, await checkSingleValues(node, run), run);
      const duration_ms = run.clock().getTime() - started;
      const spent = metrics.table_version === undefined ? {} : { duration_ms };
      const quality = dataQuality(run.checks.get(flow) ?? [], run.facts.get(flow));
      run.emitter.flow(flow, "COMPLETED", { reason, metrics: { ...metrics, ...spent }, quality });
    }
    return undefined;
  } catch (error) {
    return withPlace(toIngotError(error), group[0]?.flow.flow.at ?? node.dataset.at);
  }
}

/**
 * Where a batch took as much as the source's options allow and more is there, this run goes on until nothing is left, as
 * Spark's `availableNow` does.
 *
 * @param first metrics of the batch that was done
 */
async function finishBatches(
  node: GraphNode,
  { flow, plan }: PlannedFlow,
  first: FlowMetrics,
  run: CountedRun,
  told: Set<string>,
): Promise<{ readonly metrics: FlowMetrics; readonly reason: string }> {
  let [metrics, last, batches] = [first, plan, 1];
  while (last.kind === "batch" && last.more && !run.stop.aborted) {
    run.emitter.notice("INFO", `Batch done: ${last.reason}; more is waiting.`, { metrics }, flow);
    const { planned, failed } = await planTable(node, "behind", run);
    const fault = failed.find((f) => f.flow === flow);
    if (fault !== undefined) throw fault.error;
    const next = planned.filter((p) => p.flow === flow);
    for (const p of next) tellFound(p, run.emitter, told);
    const work = next.filter((p) => p.plan.kind !== "none");
    const [done] = work.length === 0 ? [] : await perform(node, work, run);
    metrics = addMetrics(metrics, done?.metrics);
    last = next[0]?.plan ?? { kind: "none", reason: "nothing new", ...NOTHING_FOUND };
    batches += 1;
  }
  return { metrics, reason: batches === 1 ? plan.reason : `${batches} batches, the last of ${last.reason}` };
}

/** Tells what looking at files brought, each thing once a run. */
function tellFound({ flow, plan }: PlannedFlow, emitter: Emitter, told: Set<string>): void {
  if (plan.kind === "replay") return;
  const tell = (level: EventLevel, message: string, details: Readonly<Record<string, unknown>>) => {
    if (told.has(message)) return;
    told.add(message);
    emitter.notice(level, message, details, flow);
  };
  for (const file of plan.held) tell("WARN", `${file.path} is held back: ${file.detail}`, { ...file });
  // Files that nothing is made of were told when they were read.
  for (const notice of plan.kind === "none" ? [] : plan.notices)
    tell(levelOf(notice), describeNotice(notice), { ...notice });
}

/** What a flow did in a run: the batches before, and the last one. */
function addMetrics(earlier: FlowMetrics | undefined, done: FlowMetrics | undefined): FlowMetrics {
  const sum: Record<string, number> = {};
  for (const metrics of [earlier, done]) {
    for (const [name, value] of Object.entries(metrics ?? {})) {
      sum[name] = name === "table_version" ? value : (sum[name] ?? 0) + value;
    }
  }
  return sum;
}
