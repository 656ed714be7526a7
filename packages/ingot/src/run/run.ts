import type { Engine } from "../engine/engine.js";
import { isChunkFolder } from "../graph/backfill.js";
import type { Graph, GraphNode } from "../graph/graph.js";
import type { Places } from "../graph/places.js";
import type { Selection } from "../graph/select.js";
import type { IngotError } from "../model/error.js";
import { formatName, nameKey, shortName } from "../model/name.js";
import type { LandingFiles } from "../sources/files/landing-files.js";
import type { Compiler } from "../sql/compiler.js";
import { type Emitter, flowName } from "./emitter.js";
import { toIngotError } from "./failure.js";
import { type Lock, takeLock } from "./lock.js";
import { filledTables, pipelineId } from "./pipeline-state.js";
import { startOf } from "./plan-table.js";
import { refuseUnsupported } from "./refuse-unsupported.js";
import { runTable, type TableOutcome } from "./run-table.js";
import { settleDrift } from "./settle-drift.js";
import { refuseForeignTables } from "./target.js";

export interface RunRequest {
  readonly graph: Graph;
  /** Types the graph again, where another run changed a table before this one had the lock. */
  readonly rebuild: () => Promise<Graph>;
  readonly selection: Selection;
  readonly places: Places;
  /** Pipeline id that the spec fixes. */
  readonly id?: string;
  readonly runId: string;
  readonly engine: Engine;
  /** Of Spark SQL: a release that died half-way is compiled again. */
  readonly compiler: Compiler;
  readonly landing: LandingFiles;
  readonly emitter: Emitter;
  /** Most tables at once. */
  readonly maxConcurrent: number;
  readonly clock: () => Date;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** First signal: begin nothing new. Second: stop now. */
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
}

export interface RunSummary {
  /** The graph that was run. */
  readonly graph: Graph;
  readonly state: "COMPLETED" | "FAILED" | "CANCELED";
  /** By table key. */
  readonly outcomes: ReadonlyMap<string, TableOutcome>;
  readonly error?: IngotError;
}

/**
 * Runs a pipeline once: every selected table when what it reads is done, independent ones side by side. A table that
 * fails stays as it was, what reads it is skipped, the rest goes on.
 *
 * @throws IngotError RUN_LOCKED; TABLE_OWNED_BY_OTHER_PIPELINE before anything runs
 */
export async function runPipeline(request: RunRequest): Promise<RunSummary> {
  const { emitter } = request;
  let lock: Lock | undefined;
  try {
    lock = await takeLock(request.places.storage, request.runId);
    if (lock.recovered !== undefined) emitter.notice("WARN", `Took over ${lock.recovered}.`);
    const owner = await pipelineId(request.places.storage, request.id);
    const graph = (await isStale(request)) ? await request.rebuild() : request.graph;
    refuseUnsupported(graph, request.selection, request.engine);
    refuseForeignTables(graph, request.selection, owner);
    await settleDrift(graph, request.selection, { ...request, storage: request.places.storage });
    await reportOrphans({ ...request, graph });
    for (const key of request.selection.protectedTables) {
      emitter.notice(
        "WARN",
        `${displayName(request, key)} forbids a full refresh (pipelines.reset.allowed=false): it is refreshed as usual.`,
      );
    }
    for (const key of request.selection.resetCheckpoint ?? []) {
      emitter.notice(
        "WARN",
        `${displayName(request, key)} begins at the start of its sources and keeps its rows (--reset-checkpoint): rows that were read before are added once more.`,
      );
    }
    return await runTables({ ...request, graph }, owner);
  } catch (thrown) {
    const error = toIngotError(thrown);
    emitter.run("FAILED", { message: `Run is FAILED: ${error.code}.`, error });
    throw error;
  } finally {
    lock?.release();
  }
}

/** Whether a table is at another version than the graph was typed with. */
async function isStale({ graph, engine }: RunRequest): Promise<boolean> {
  for (const node of graph.nodes) {
    if (node.location === undefined) continue;
    if ((await engine.describe(node.location))?.version !== node.existing?.version) return true;
  }
  return false;
}

async function runTables(request: RunRequest, owner: string): Promise<RunSummary> {
  const { graph, selection, emitter, clock } = request;
  const started = clock().getTime();
  const tables = graph.nodes.filter((node) => node.location !== undefined);
  const selected = tables.filter((node) => selection.selected.has(node.key));
  for (const node of tables) {
    const status = selection.selected.has(node.key) ? "QUEUED" : "EXCLUDED";
    for (const flow of node.flows) emitter.flow(flow, status);
  }
  const outcomes = new Map<string, TableOutcome>();
  const waiting = new Set(selected);
  const running = new Map<string, Promise<void>>();
  const start = (node: GraphNode): void => {
    waiting.delete(node);
    const done = runTable(node, startOf(node.key, selection), {
      ...request,
      owner,
      root: request.places.root,
      storage: request.places.storage,
      allowMassDelete: selection.allowMassDelete ?? new Set(),
    }).then((outcome) => {
      outcomes.set(node.key, outcome);
      running.delete(node.key);
    });
    running.set(node.key, done);
  };
  const open = (key: string) => selection.selected.has(key) && !outcomes.has(key);
  while (waiting.size > 0 || running.size > 0) {
    for (const node of waiting) {
      const bad = [...node.upstream].find((key) => isBad(outcomes.get(key)));
      if (bad !== undefined) {
        waiting.delete(node);
        outcomes.set(node.key, { status: "SKIPPED" });
        for (const flow of node.flows)
          emitter.flow(flow, "SKIPPED", { reason: `upstream ${displayName(request, bad)} failed` });
      } else if (request.stop.aborted) {
        waiting.delete(node);
        outcomes.set(node.key, { status: "STOPPED" });
        for (const flow of node.flows)
          emitter.flow(flow, "STOPPED", { reason: "the run was interrupted before it began" });
      } else if (running.size < request.maxConcurrent && ![...node.upstream].some(open)) start(node);
    }
    if (running.size > 0) await Promise.race(running.values());
  }
  return finish(request, outcomes, clock().getTime() - started);
}

function isBad(outcome: TableOutcome | undefined): boolean {
  return outcome?.status === "FAILED" || outcome?.status === "SKIPPED";
}

function finish(
  { graph, emitter, stop }: RunRequest,
  outcomes: ReadonlyMap<string, TableOutcome>,
  durationMs: number,
): RunSummary {
  const failed = graph.nodes.filter((node) => outcomes.get(node.key)?.status === "FAILED");
  // A stop that came when all was done stopped nothing.
  if (stop.aborted && [...outcomes.values()].some((o) => o.status === "STOPPED")) {
    emitter.run("CANCELED", { durationMs });
    return { graph, state: "CANCELED", outcomes };
  }
  if (failed.length === 0) {
    emitter.run("COMPLETED", { durationMs });
    return { graph, state: "COMPLETED", outcomes };
  }
  const flows = failed
    .flatMap((node) => outcomes.get(node.key)?.failedFlows ?? [])
    .map((flow) => `'${flowName(flow)}'`);
  const error = failed.map((node) => outcomes.get(node.key)?.error).find((e) => e !== undefined);
  const which = flows.length === 1 ? `flow ${flows[0]} has` : `flows ${flows.join(", ")} have`;
  emitter.run("FAILED", {
    message: `Run is FAILED since ${which} failed.`,
    durationMs,
    ...(error === undefined ? {} : { error }),
  });
  return { graph, state: "FAILED", outcomes, ...(error === undefined ? {} : { error }) };
}

/** Data outlives its definition: a table that nobody defines any more is told, and kept. */
async function reportOrphans({ graph, places, emitter, engine }: RunRequest): Promise<void> {
  const defined = new Set(graph.nodes.map((node) => node.key));
  for (const { name, location } of await filledTables(places.storage)) {
    if (defined.has(nameKey(name)) || isChunkFolder(location, places)) continue;
    if ((await engine.describe(location).catch(() => undefined)) === undefined) continue;
    emitter.notice("WARN", `${shortName(name, places)} is no longer defined, data kept at ${location}`, {
      table: formatName(name),
      location,
    });
  }
}

function displayName({ graph }: RunRequest, key: string): string {
  const node = graph.nodes.find((n) => n.key === key);
  return node === undefined ? key : shortName(node.dataset.name, graph.defaults);
}
