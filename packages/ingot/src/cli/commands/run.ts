import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { maxConcurrentFlows } from "../../config/max-concurrent-flows.js";
import type { Graph } from "../../graph/graph.js";
import type { Selection } from "../../graph/select.js";
import { IngotError } from "../../model/error.js";
import { EXIT } from "../../model/error-catalogue.js";
import { shortName } from "../../model/name.js";
import { type RunSummary, runPipeline } from "../../run/run.js";
import { coloursFor } from "../colour.js";
import type { EngineOptions, Io, ProjectOptions } from "../io.js";
import { keepEvents } from "../keep-events.js";
import { type OpenEmitter, openEmitter } from "../open-emitter.js";
import { type OpenProject, openProject, selectionOf } from "../open-project.js";
import { displayPath, errorJson, formatError } from "../report-error.js";
import { liveView } from "../reporters/live-view.js";
import { plainLines, type Reporter } from "../reporters/plain-lines.js";

/** How a run is told. */
export interface OutputOptions extends ProjectOptions {
  readonly jsonStream?: boolean;
  readonly quiet?: boolean;
}

export interface RunOptions extends OutputOptions, EngineOptions {
  readonly refresh: readonly string[];
  readonly fullRefresh: readonly string[];
  readonly fullRefreshAll: boolean;
  readonly resetCheckpoint?: readonly string[];
  /** Only say what is declared. */
  readonly explain?: boolean;
}

/** `ingot run`: progress on stderr, the result on stdout, the exit code says how it ended. */
export async function run(options: RunOptions, io: Io): Promise<number> {
  const project = await openProject(options, io);
  if (options.explain === true) {
    const { explainProject } = await import("../explain-project.js");
    return explainProject(project, options, io);
  }
  const selection = selectionOf(project, options);
  const graph = () => project.graph(selection);
  return runSelection(project, { command: "run", selection, graph }, options, io);
}

/** What a command runs of a project. */
export interface SelectedRun {
  /** As it stands in the event log. */
  readonly command: string;
  readonly selection: Selection;
  /** Types the graph as the selection leaves it. */
  readonly graph: () => Promise<Graph>;
  /** What people should be told first. */
  readonly warnings?: readonly string[];
}

/** Runs tables of a project: progress, events, result and exit code as those of `ingot run`. Closes the engine. */
export async function runSelection(
  project: OpenProject,
  { command, selection, graph: typed, warnings = [] }: SelectedRun,
  options: OutputOptions,
  io: Io,
): Promise<number> {
  const graph = await typed();
  project.saveCache();
  const runId = randomUUID();
  const reporter = reporterOf(options, io);
  const stop = new AbortController();
  const abort = new AbortController();
  const unlisten = io.onInterrupt(() => {
    if (stop.signal.aborted) abort.abort(new IngotError("INTERRUPTED", "The run was interrupted"));
    else {
      io.stderr.write("Stopping: what is committing ends first. Once more stops at once.\n");
      stop.abort();
    }
  });
  let events: OpenEmitter | undefined;
  try {
    makeStorage(project);
    events = await openEmitter(project, { runId, graph }, io, reporter.listen);
    const { emitter } = events;
    emitter.started(command, io.user);
    for (const notice of project.definitions.notices) emitter.notice(notice.level, notice.message);
    for (const warning of [...graph.warnings, ...warnings]) emitter.notice("WARN", warning);
    const summary = await runPipeline({
      graph,
      rebuild: typed,
      selection,
      places: project.places,
      ...(project.spec.id === undefined ? {} : { id: project.spec.id }),
      runId,
      engine: project.engine,
      compiler: project.context.compiler,
      landing: project.landing,
      emitter,
      maxConcurrent: maxConcurrentFlows(project.spec),
      clock: io.clock,
      wait: pause,
      stop: stop.signal,
      abort: abort.signal,
    });
    await events.close();
    reporter.close();
    await keepEvents(project, io);
    report(summary, runId, selection, options, io);
    return exitCode(summary);
  } finally {
    await events?.close();
    reporter.close();
    unlisten();
    project.saveCache();
    await project.engine.close();
  }
}

function reporterOf(options: OutputOptions, io: Io): Reporter {
  if (options.jsonStream === true)
    return { listen: (event) => io.stdout.write(`${JSON.stringify(event)}\n`), close: () => {} };
  const colours = coloursFor(io.stderr, io.env);
  const live = io.stderr.isTTY && io.env["TERM"] !== "dumb" && io.env["CI"] === undefined && options.quiet !== true;
  return live ? liveView(io, colours) : plainLines(io, colours, { quiet: options.quiet === true });
}

function makeStorage({ spec }: OpenProject): void {
  try {
    mkdirSync(spec.storage, { recursive: true });
  } catch (cause) {
    throw new IngotError("STORAGE_FAILED", `The storage folder cannot be made: ${spec.storage}`, {
      object: spec.storage,
      hint: "Point `storage` in the spec at a folder that can be written.",
      cause,
    });
  }
}

function report(summary: RunSummary, runId: string, selection: Selection, options: OutputOptions, io: Io): void {
  const { graph } = summary;
  const tables = graph.nodes
    .filter((node) => node.location !== undefined)
    .map((node) => {
      const outcome = summary.outcomes.get(node.key);
      const rows = outcome?.rows;
      return {
        name: shortName(node.dataset.name, graph.defaults),
        status: outcome?.status ?? (selection.selected.has(node.key) ? "STOPPED" : "EXCLUDED"),
        ...(rows === undefined ? {} : { rows }),
        path: node.location ?? "",
      };
    });
  const failures = graph.nodes.flatMap((node) => summary.outcomes.get(node.key)?.error ?? []);
  if (options.jsonStream === true) return;
  if (options.json === true) {
    const errors = failures.flatMap((error) => (errorJson(error) as { errors: object[] }).errors);
    io.stdout.write(
      `${JSON.stringify({ run_id: runId, state: summary.state, tables, ...(errors.length === 0 ? {} : { errors }) })}\n`,
    );
    return;
  }
  const colours = coloursFor(io.stderr, io.env);
  for (const error of failures) io.stderr.write(`\n${formatError(error, colours, io.cwd)}\n`);
  const wide = Math.max(0, ...tables.map((t) => t.name.length));
  const views = new Set(graph.nodes.filter((n) => n.dataset.kind === "materialized-view").map((n) => n.location));
  for (const { name, status, rows = 0, path } of tables) {
    // A materialized view is replaced, not added to.
    const wrote =
      rows === 0 ? "" : `  ${views.has(path) ? "" : "+"}${rows.toLocaleString("en-US")} row${rows === 1 ? "" : "s"}`;
    io.stdout.write(`${name.padEnd(wide)}  ${status.padEnd(9)}${wrote}  ${displayPath(path, io.cwd)}\n`);
  }
  if (options.quiet === true) return;
  if (summary.state === "COMPLETED") io.stderr.write('next: ingot show, or ingot query "SELECT …"\n');
  if (summary.state === "CANCELED") io.stderr.write("next: ingot run goes on where this one stopped\n");
}

function exitCode(summary: RunSummary): number {
  if (summary.state === "CANCELED") return EXIT.interrupted;
  if (summary.error === undefined) return EXIT.ok;
  const code = summary.error.exitCode;
  // What a flow met while it ran is a failed run, unless its own code says more.
  return code === EXIT.unreachable || code === EXIT.locked || code === EXIT.qualityFailed || code === EXIT.bug
    ? code
    : EXIT.runFailed;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
