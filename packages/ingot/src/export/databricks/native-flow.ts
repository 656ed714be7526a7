import { sourceQuery } from "../../graph/change-query.js";
import type { GraphFlow, GraphInput } from "../../graph/graph.js";
import { columnsRead } from "../../graph/table-options.js";
import type { Field } from "../../model/data-type.js";
import type { AutoCdcFlow, Flow, ReplaceFlow, SnapshotCdcFlow } from "../../model/definition.js";
import { completeName, type NameDefaults, nameKey, sameName, type TableName } from "../../model/name.js";
import { type Position, type SqlText, sqlText } from "../../model/position.js";
import type { Relation } from "../../model/query.js";
import type { Sources } from "../../sap/conventions.js";
import type { ExpressionCompiler } from "../../sql/compiler.js";
import { nativeQuery } from "../../sql/native-text.js";
import { quoteName } from "../../sql/quote.js";
import { printTableName } from "../../sql/statements/print-text.js";
import type { Gap } from "./gap.js";

export interface NativeOptions {
  /** Folder that relative paths of files begin at on Databricks, without a slash at its end. */
  readonly root: string;
  readonly sources: Sources;
  readonly compileExpression: ExpressionCompiler;
  /** Keys of the project's temporary views. */
  readonly temporary: ReadonlySet<string>;
  /** The project's own. */
  readonly catalog: string;
  /** Names of tables that are declared by their folders. */
  readonly folders: ReadonlyMap<string, TableName>;
}

const OPTIONS: Readonly<Record<string, string>> = {
  ties: "Of events with one key and one sequence any may win.",
  onInvalid: "An event without key or sequence fails the update.",
  maxDeleteShare: "A batch may take any share of the rows away.",
  onArchiveDelete: "Rows that were archived are handled as those that were deleted.",
  minRowShare: "A snapshot that is cut short is applied.",
};

/** A flow as a pipeline of Databricks can declare it, and what that leaves out. */
export async function nativeFlow(
  typed: GraphFlow,
  options: NativeOptions,
): Promise<{ readonly flow: Flow; readonly gaps: readonly Gap[] }> {
  const { flow } = typed;
  const gaps: Gap[] = [];
  const add = (construct: string, meaning: string, at: Position) =>
    gaps.push({ object: flow.name, construct, meaning, at });

  const query = (text: SqlText): SqlText => {
    const native = nativeQuery(text, (written) => relationOf(typed, written, options), options.root, options.sources);
    for (const { construct, meaning, at } of native.gaps) add(construct, meaning, at);
    return sqlText(native.text);
  };
  /** A table, STREAM of one, or a query in parentheses. */
  const relation = (source: SqlText): SqlText => {
    const { text } = query(sourceQuery({ source }));
    return sqlText(text.slice(sourceQuery({ source: sqlText("") }).text.length));
  };
  const expression = async (text: SqlText): Promise<SqlText> =>
    sqlText((await options.compileExpression(text, typed.query.schema, "an expression of the flow")).spark);

  for (const [option, value] of Object.entries(flow)) {
    const meaning = OPTIONS[option];
    if (meaning !== undefined && value !== undefined) add(`${option} ${value}`, meaning, flow.at);
  }
  switch (flow.kind) {
    case "query":
      return { flow: { ...flow, query: query(flow.query) }, gaps };
    case "replace":
      return { flow: await nativeReplace(flow, query, expression), gaps };
    case "auto-cdc":
      return { flow: await nativeChanges(flow, relation, expression), gaps };
    case "auto-cdc-from-snapshot":
      return { flow: nativeSnapshots(flow, query, relation), gaps };
  }
}

type Translate<Result> = (text: SqlText) => Result;

async function nativeReplace(
  flow: ReplaceFlow,
  query: Translate<SqlText>,
  expression: Translate<Promise<SqlText>>,
): Promise<ReplaceFlow> {
  const where = flow.replaceWhere === undefined ? {} : { replaceWhere: await expression(flow.replaceWhere) };
  return { ...flow, query: query(flow.query), ...where };
}

async function nativeChanges(
  flow: AutoCdcFlow,
  relation: Translate<SqlText>,
  expression: Translate<Promise<SqlText>>,
): Promise<AutoCdcFlow> {
  const { ties: _t, onInvalid: _i, maxDeleteShare: _s, onArchiveDelete: _a, ...kept } = flow;
  const { applyAsDeletes: deletes, applyAsTruncates: truncates } = flow;
  return {
    ...kept,
    source: relation(flow.source),
    sequenceBy: await expression(flow.sequenceBy),
    ...(deletes === undefined ? {} : { applyAsDeletes: await expression(deletes) }),
    ...(truncates === undefined ? {} : { applyAsTruncates: await expression(truncates) }),
  };
}

function nativeSnapshots(
  { minRowShare: _, ...flow }: SnapshotCdcFlow,
  query: Translate<SqlText>,
  relation: Translate<SqlText>,
): SnapshotCdcFlow {
  const version = flow.version === undefined ? {} : { version: query(flow.version) };
  return { ...flow, source: relation(flow.source), ...version };
}

/** What is known of a relation as it is written. One place of a TypeScript file may write several. */
function relationOf({ flow, query, inputs }: GraphFlow, written: Relation, options: NativeOptions) {
  const read = query.reads.find((one) => samePlace(one.at, written.at) && readsAlike(one, written));
  const input = read === undefined ? undefined : inputs.get(read.id);
  const schema = input === undefined ? undefined : columnsOf(input);
  if (read === undefined || schema === undefined) return undefined;
  const name = nativeName(read, flow.defaults, options);
  return name === undefined ? { schema } : { schema, name };
}

/**
 * Without the project's catalog, which has another name there; a temporary view has one part, and a folder the name
 * under which it is declared.
 */
function nativeName(
  read: Relation,
  defaults: NameDefaults,
  { temporary, catalog, folders }: NativeOptions,
): string | undefined {
  if (read.kind === "files") return undefined;
  const name = read.kind === "path" ? folders.get(read.path) : completeName(read.name, defaults);
  if (name === undefined) return undefined;
  if (temporary.has(nameKey(name))) return quoteName(name.table);
  return sameName(name.catalog, catalog) || read.kind === "path" ? printTableName(name, defaults) : undefined;
}

function columnsOf(input: GraphInput): readonly Field[] | undefined {
  switch (input.kind) {
    case "files":
      return input.columns;
    case "view":
      return input.view.query.schema;
    case "table":
      return input.schema === undefined ? undefined : columnsRead(input.schema, input.options);
  }
}

function readsAlike(a: Relation, b: Relation): boolean {
  if (a.kind === "table" && b.kind === "table") return a.name.join(".") === b.name.join(".");
  if (a.kind === "path" && b.kind === "path") return a.path === b.path;
  return a.kind === b.kind;
}

function samePlace(a: Position, b: Position): boolean {
  return a.file === b.file && a.line === b.line && a.column === b.column;
}
