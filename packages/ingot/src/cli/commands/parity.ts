import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Spec } from "../../config/spec.js";
import type { ResultSet } from "../../engine/engine.js";
import { bindQuery } from "../../graph/build.js";
import type { Graph } from "../../graph/graph.js";
import { IngotError } from "../../model/error.js";
import { EXIT } from "../../model/error-catalogue.js";
import { completeName, formatName, shortName, splitName, type TableName } from "../../model/name.js";
import { type Position, sqlText } from "../../model/position.js";
import { compareTables, type ExampleRow, type TableComparison } from "../../parity/compare-tables.js";
import type { EngineOptions, Io, ProjectOptions } from "../io.js";
import { type OpenProject, openProject, selectionOf } from "../open-project.js";
import { runQuery } from "./query.js";
import { runSelection } from "./run.js";

export interface ParityOptions extends ProjectOptions {
  readonly remote?: string;
  /** Columns, `name` or `table.name`, that are not compared. */
  readonly ignore?: readonly string[];
  /** Both begin anew, instead of going on with what is new since the last comparison. */
  readonly fresh?: boolean;
  /** Rows shown of each side of a table that differs. */
  readonly limit: number;
}

/** In the order of their runs: what Spark refuses is known before anything runs. */
const ENGINES = ["spark", "duckdb"] as const;
type EngineName = (typeof ENGINES)[number];

/** What a quarantine says of the run that filled it. */
const RUN_COLUMNS = ["_quarantine_id", "_run_id", "quarantined_at", "_resolved_at", "_resolved_run"];

/**
 * `ingot parity`: runs the project on the embedded engine and on Spark, each into a storage of its own below the
 * project's, and compares every table. What the project itself has made is not touched.
 */
export async function parity(options: ParityOptions, io: Io): Promise<number> {
  const aside: Io = { ...io, stdout: io.stderr };
  for (const engine of ENGINES) {
    const project = await openFor(engine, options, io);
    refuseFixedPlaces(project);
    if (options.fresh === true) await rm(project.spec.storage, { recursive: true, force: true });
    io.stderr.write(`${engine}:\n`);
    const selection = selectionOf(project);
    const run = { command: "parity", selection, graph: () => project.graph(selection) };
    const code = await runSelection(project, run, { quiet: true }, aside);
    if (code !== EXIT.ok) return code;
  }
  const comparisons = await compareProjects(options, io);
  const equal = comparisons.every((comparison) => comparison.equal);
  if (options.json === true) io.stdout.write(`${JSON.stringify({ equal, tables: comparisons })}\n`);
  else for (const comparison of comparisons) io.stdout.write(describe(comparison));
  return equal ? EXIT.ok : EXIT.runFailed;
}

/** The project with its state and its tables below `_parity/<engine>` of its storage. */
function openFor(
  engine: EngineName,
  options: ParityOptions,
  io: Io,
  storageOf: EngineName = engine,
): Promise<OpenProject> {
  const { project, spec, set, remote } = options;
  const chosen: EngineOptions =
    engine === "spark" ? { engine, ...(remote === undefined ? {} : { remote }) } : { engine };
  const place = (declared: Spec): Spec => {
    const storage = join(declared.storage, "_parity", storageOf);
    return { ...declared, storage, warehouse: join(storage, "warehouse") };
  };
  const named = { ...(project === undefined ? {} : { project }), ...(spec === undefined ? {} : { spec }) };
  return openProject({ ...named, ...(set === undefined ? {} : { set }), ...chosen }, io, place);
}

/** @throws IngotError NOT_SUPPORTED where a place does not follow the storage */
function refuseFixedPlaces({ definitions, spec }: OpenProject): void {
  const fixed = definitions.datasets.find(({ location }) => location !== undefined);
  if (fixed !== undefined) {
    throw refusal(
      fixed,
      "both engines would write into its LOCATION",
      "Leave LOCATION out: the warehouse has a folder.",
    );
  }
  const beside = definitions.externals.find(({ name, path }) => path === undefined && name.catalog === spec.catalog);
  if (beside !== undefined) {
    throw refusal(
      beside,
      "each engine has a warehouse of its own here, without it",
      "Declare the table with its path.",
    );
  }
}

function refusal({ name, at }: { name: TableName; at: Position }, why: string, hint: string): IngotError {
  return new IngotError("NOT_SUPPORTED", `${formatName(name)}: ${why}`, { at, object: formatName(name), hint });
}

/** Both engines' tables, quarantines included, read by the embedded engine. */
async function compareProjects(options: ParityOptions, io: Io): Promise<readonly TableComparison[]> {
  const [left, right] = [await openFor("duckdb", options, io), await openFor("duckdb", options, io, "spark")];
  try {
    const graphs = [await left.graph(), await right.graph()] as const;
    const others = new Map(tablesOf(graphs[1]).map(({ name, location }) => [name, location]));
    const comparisons: TableComparison[] = [];
    for (const { name, location, runColumns } of tablesOf(graphs[0])) {
      const pair = {
        name,
        left: await left.engine.describe(location),
        right: await left.engine.describe(others.get(name) ?? ""),
        ignored: new Set([...ignoredOf(name, options.ignore ?? []), ...runColumns]),
      };
      comparisons.push(await compareTables(pair, (sql) => ask(sql, left, graphs[0]), options.limit));
    }
    return comparisons;
  } finally {
    await left.engine.close();
    await right.engine.close();
  }
}

/** Columns of a table that `column` and `table.column` name, in lower case. */
function ignoredOf(table: string, columns: readonly string[]): string[] {
  return columns.flatMap((written) => {
    const parts = splitName(written.toLowerCase());
    const column = parts.pop() ?? "";
    return parts.length === 0 || parts.join(".") === table.toLowerCase() ? [column] : [];
  });
}

interface Compared {
  /** As the project calls it. */
  readonly name: string;
  readonly location: string;
  readonly runColumns: readonly string[];
}

function tablesOf({ nodes, defaults }: Graph): Compared[] {
  return nodes.flatMap(({ dataset, location, flows }) => {
    const quarantines = flows.flatMap(({ rules }) => rules?.quarantine ?? []);
    const own = location === undefined ? [] : [{ name: shortName(dataset.name, defaults), location, runColumns: [] }];
    const beside = quarantines.map(({ name, location: folder }) => {
      const complete = completeName(splitName(name), defaults);
      return { name: shortName(complete, defaults), location: folder, runColumns: RUN_COLUMNS };
    });
    return [...own, ...beside];
  });
}

async function ask(sql: string, { context, engine, landing }: OpenProject, graph: Graph): Promise<ResultSet> {
  const { flow } = await bindQuery(sqlText(sql), graph, context);
  return runQuery(flow, { engine, landing }, undefined);
}

function describe(comparison: TableComparison): string {
  const { name, equal, schema, left, right, columns, onlyLeft, onlyRight } = comparison;
  const rows =
    left === undefined || right === undefined
      ? ""
      : `  ${left.rows} / ${right.rows} rows  ${left.hash} / ${right.hash}`;
  return [
    `${equal ? "equal " : "DIFFERS"}  ${name}${rows}`,
    ...schema.map((line) => `    ${line}`),
    ...(columns.length === 0 ? [] : [`    values differ in ${columns.join(", ")}`]),
    ...onlyLeft.map((row) => `    only duckdb: ${formatRow(row)}`),
    ...onlyRight.map((row) => `    only spark:  ${formatRow(row)}`),
    "",
  ].join("\n");
}

function formatRow(row: ExampleRow): string {
  return JSON.stringify(row);
}
