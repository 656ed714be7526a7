import { randomUUID } from "node:crypto";
import type { ResultSet } from "../../engine/engine.js";
import { bindQuery } from "../../graph/build.js";
import { findNode } from "../../graph/find-by-name.js";
import type { Graph, GraphNode } from "../../graph/graph.js";
import { fieldNamed } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import { quoteIdentifier, shortName } from "../../model/name.js";
import { sqlText } from "../../model/position.js";
import type { RowRules } from "../../model/rule.js";
import { releaseRows } from "../../run/release.js";
import { quoteString } from "../../sql/quote.js";
import { coloursFor } from "../colour.js";
import type { EngineOptions, Io, ProjectOptions } from "../io.js";
import { keepEvents } from "../keep-events.js";
import { openEmitter } from "../open-emitter.js";
import { type OpenProject, openProject, selectionOf } from "../open-project.js";
import { plainLines } from "../reporters/plain-lines.js";
import { showTable } from "../show-table.js";
import { resultJson, runQuery } from "./query.js";

export interface QuarantineOptions extends ProjectOptions, EngineOptions {
  readonly limit: number;
  readonly all?: boolean;
  readonly rule?: string;
  /** Values of columns, as text. */
  readonly key?: Readonly<Record<string, string>>;
  readonly where?: string;
  /** Corrections by column. */
  readonly correct?: Readonly<Record<string, string>>;
}

/** A dataset whose rules set rows aside, and the folder where they are. */
interface Quarantine {
  readonly node: GraphNode;
  readonly rules: RowRules;
  readonly location: string;
}

/** `ingot quarantine list|show|release|drop [DATASET]`: the rows that rules have set aside. */
export async function quarantine(
  action: string,
  name: string | undefined,
  options: QuarantineOptions,
  io: Io,
): Promise<number> {
  const project = await openProject(options, io);
  try {
    const graph = await project.graph(selectionOf(project));
    project.saveCache();
    if (action === "list" && name === undefined) return await list(quarantinesOf(graph), project, graph, options, io);
    if (name === undefined)
      throw usage(`ingot quarantine ${action} needs the name of a dataset`, "See ingot quarantine list.");
    const found = quarantineOf(findNode(name, graph), graph);
    switch (action) {
      case "list":
        return await list([found], project, graph, options, io);
      case "show":
        return await show(found, project, graph, options, io);
      case "release":
        return await release(found, project, graph, options, io);
      default:
        return await drop(found, project, options, io);
    }
  } finally {
    await project.engine.close();
  }
}

function quarantinesOf(graph: Graph): Quarantine[] {
  return graph.nodes.flatMap((node) => {
    const rules = node.flows.find((flow) => flow.rules?.quarantine !== undefined)?.rules;
    return rules?.quarantine === undefined ? [] : [{ node, rules, location: rules.quarantine.location }];
  });
}

function quarantineOf(node: GraphNode, graph: Graph): Quarantine {
  const name = shortName(node.dataset.name, graph.defaults);
  const found = quarantinesOf(graph).find((q) => q.node === node);
  if (found !== undefined) return found;
  const others = quarantinesOf(graph).map((q) => shortName(q.node.dataset.name, graph.defaults));
  throw usage(
    `No rule of ${name} sets rows aside`,
    others.length === 0 ? "Declare one: ON VIOLATION QUARANTINE ROW." : `Such rules have ${others.join(", ")}.`,
  );
}

async function list(
  quarantines: readonly Quarantine[],
  project: OpenProject,
  graph: Graph,
  options: QuarantineOptions,
  io: Io,
): Promise<number> {
  const tables: string[] = [];
  for (const one of quarantines) {
    const name = shortName(one.node.dataset.name, graph.defaults);
    const groups = await ask(
      one,
      `SELECT status, rules, state, count(*) AS rows, max(attempt) AS attempts, min(at) AS first, max(at) AS last
      FROM (
        SELECT _status AS status, array_join(transform(_failed_rules, r -> r.name), ', ') AS rules, _state AS state,
          _attempt AS attempt, quarantined_at AS at
        FROM ${delta(one)})
      GROUP BY status, rules, state
      ORDER BY state, rows DESC, status, rules`,
      project,
      graph,
      options.limit,
    );
    if (options.json === true) {
      const groupsJson = groups === undefined ? "[]" : JSON.stringify(JSON.parse(resultJson(groups)).rows);
      tables.push(
        `{"dataset":${JSON.stringify(one.rules.dataset)},"table":${JSON.stringify(one.rules.quarantine?.name)},"groups":${groupsJson}}`,
      );
    } else if (groups === undefined || groups.rows.length === 0) tables.push(`${name}: no row was set aside\n`);
    else tables.push(`${name}\n${showTable(groups, 0)}\n`);
  }
  const none = "No rule of the project sets rows aside.\n";
  io.stdout.write(options.json === true ? `{"quarantines":[${tables.join(",")}]}\n` : tables.join("\n") || none);
  return 0;
}

/** The rows, sensitive values masked. */
async function show(
  one: Quarantine,
  project: OpenProject,
  graph: Graph,
  options: QuarantineOptions,
  io: Io,
): Promise<number> {
  const columns = one.rules.sensitive.length === 0 ? "*" : await maskedColumns(one, project);
  const text = `SELECT ${columns} FROM ${delta(one)} WHERE ${selected(options) ?? "_state = 'open'"}`;
  const rows = await ask(one, text, project, graph, options.limit);
  if (rows === undefined)
    io.stdout.write(options.json === true ? '{"columns":[],"rows":[]}\n' : "No row was set aside.\n");
  else io.stdout.write(options.json === true ? `${resultJson(rows)}\n` : `${showTable(rows)}\n`);
  return 0;
}

async function maskedColumns({ location, rules }: Quarantine, project: OpenProject): Promise<string> {
  const schema = (await project.engine.describe(location))?.schema ?? [];
  const hidden = new Set(rules.sensitive.map((name) => name.toLowerCase()));
  const columns = schema.map(({ name }) => {
    const quoted = quoteIdentifier(name);
    return hidden.has(name.toLowerCase()) ? `CASE WHEN ${quoted} IS NOT NULL THEN '***' END AS ${quoted}` : quoted;
  });
  return columns.length === 0 ? "*" : columns.join(", ");
}

async function release(
  one: Quarantine,
  project: OpenProject,
  graph: Graph,
  options: QuarantineOptions,
  io: Io,
): Promise<number> {
  const where = needSelected(options, "release");
  const set = options.correct ?? {};
  for (const column of Object.keys(set)) {
    if (one.node.flows.some((flow) => fieldNamed(flow.query.schema, column) !== undefined)) continue;
    throw usage(`${one.rules.dataset} has no column ${column} to correct`, "Write --correct column=expression.");
  }
  const runId = randomUUID();
  const reporter = plainLines(io, coloursFor(io.stderr, io.env), { quiet: options.json === true });
  const { emitter, close } = await openEmitter(project, { runId, graph }, io, reporter.listen);
  emitter.started("quarantine release", io.user);
  try {
    const { spec, places, engine, landing, context } = project;
    const released = await releaseRows({
      node: one.node,
      where,
      set,
      graph,
      places,
      ...(spec.id === undefined ? {} : { id: spec.id }),
      runId,
      engine,
      compiler: context.compiler,
      landing,
      emitter,
      clock: io.clock,
      abort: new AbortController().signal,
    });
    await close();
    await keepEvents(project, io);
    const sum = (of: (counts: (typeof released)[number]["counts"]) => number) =>
      released.reduce((total, { counts }) => total + of(counts), 0);
    const told = {
      released: sum((c) => c.rows),
      passed: sum((c) => c.rows - c.dropped - c.quarantined),
      dropped: sum((c) => c.dropped),
      quarantined: sum((c) => c.quarantined),
    };
    if (options.json === true)
      io.stdout.write(`${JSON.stringify({ run_id: runId, dataset: one.rules.dataset, ...told })}\n`);
    else
      io.stdout.write(
        told.released === 0
          ? "No open row fits: nothing was released.\n"
          : `${told.released} released: ${told.passed} passed, ${told.dropped} dropped, ${told.quarantined} quarantined again\n`,
      );
    if (told.passed > 0 && options.json !== true)
      io.stderr.write("next: ingot run brings what reads the table up to date\n");
    return 0;
  } finally {
    await close();
    reporter.close();
  }
}

/** Rows that nobody wants stay, marked: what was dropped can be told. */
async function drop(one: Quarantine, project: OpenProject, options: QuarantineOptions, io: Io): Promise<number> {
  const where = needSelected(options, "drop");
  const state = await project.engine.describe(one.location);
  const { compileExpression } = project.context;
  const condition = state && (await compileExpression(sqlText(where), state.schema, "The predicate"));
  const origin = { runId: randomUUID(), at: io.clock().toISOString() };
  const rows =
    condition === undefined
      ? 0
      : await project.engine.dropQuarantined(one.location, condition, origin, new AbortController().signal);
  const told = { run_id: origin.runId, dataset: one.rules.dataset, dropped: rows };
  io.stdout.write(options.json === true ? `${JSON.stringify(told)}\n` : `${rows} dropped\n`);
  return 0;
}

async function ask(
  one: Quarantine,
  text: string,
  project: OpenProject,
  graph: Graph,
  limit: number,
): Promise<ResultSet | undefined> {
  if ((await project.engine.describe(one.location)) === undefined) return undefined;
  const { flow } = await bindQuery(sqlText(text), graph, project.context);
  return runQuery(flow, project, limit);
}

function delta({ location }: Quarantine): string {
  return `delta.${quoteIdentifier(location)}`;
}

/** The rows that the options mean, as a condition; undefined where they mean none. */
function selected({ all, rule, key, where }: QuarantineOptions): string | undefined {
  const conditions = [
    ...(all === true ? ["true"] : []),
    ...(rule === undefined
      ? []
      : [`exists(_failed_rules, r -> r.name = ${quoteString(rule)} OR r.status = ${quoteString(rule)})`]),
    ...Object.entries(key ?? {}).map(
      ([column, value]) => `CAST(${quoteIdentifier(column)} AS STRING) = ${quoteString(value)}`,
    ),
    ...(where === undefined ? [] : [`(${where})`]),
  ];
  return conditions.length === 0 ? undefined : conditions.join(" AND ");
}

function needSelected(options: QuarantineOptions, action: string): string {
  const where = selected(options);
  if (where !== undefined) return where;
  throw usage(
    `ingot quarantine ${action} needs to know which rows`,
    "Give --all, --rule NAME, --key column=value or --where 'condition'.",
  );
}

function usage(message: string, hint: string): IngotError {
  return new IngotError("USAGE", message, { hint });
}
