import { IngotError } from "../model/error.js";
import type { ErrorCode } from "../model/error-catalogue.js";
import type { Relation } from "../model/query.js";
import type { Cte, Expression, Query } from "./ast.js";
import { unquoteIdentifier, unquoteString } from "./lexer.js";
import type { Painted } from "./parse-query-paint.js";
import { isToken, type TokenReader } from "./token-reader.js";

/** What the parts of the adapter share while they read one query, in the order of its text. */
export interface Source {
  readonly reader: TokenReader;
  readonly painted: Painted;
  /** Token index by offset. */
  readonly tokenAt: ReadonlyMap<number, number>;
  /** Indexes of the `::` tokens that are still to come. */
  readonly colons: number[];
  /** What the query reads, so far. */
  readonly relations: Relation[];
  /** CTEs that are in sight, by lower-case name. */
  readonly ctes: ReadonlyMap<string, Cte>;
  /** Queries hold expressions and expressions hold queries: the two rules reach each other through here. */
  readonly mapQuery: (source: Source, node: unknown) => Query;
  readonly mapNode: (source: Source, node: unknown) => Mapped;
}

/** An expression with the index of its first token. */
export interface Mapped {
  readonly expression: Expression;
  readonly first: number;
}

export function mapExpression(source: Source, node: unknown): Expression {
  return source.mapNode(source, node).expression;
}

/** A node of the foreign tree: plain data, whose absent parts may be undefined, null, false, empty or "None". */
export type Foreign = Readonly<Record<string, unknown>>;

/** Keys that say nothing: spans, tokens, and the foreign parser's notes on spelling. */
const SILENT = new Set(["span", "select_token", "case_token", "end_token", "with_token", "closing_paren_token"]);
SILENT.add("wildcard_token").add("explicit").add("quote_style").add("explicit_row").add("value_keyword");

function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "None" || value === "Standard") return true;
  return Array.isArray(value) && value.length === 0;
}

/**
 * A node's parts, after every part that the caller does not know is refused by its name: so nothing that the foreign
 * parser reads, now or after an upgrade, is dropped in silence.
 */
export function parts(source: Source, node: unknown, known: readonly string[], index: number): Foreign {
  const foreign = node as Foreign;
  for (const [key, value] of Object.entries(foreign)) {
    if (SILENT.has(key) || known.includes(key) || isAbsent(value)) continue;
    throw refuse(source, index, clauseName(key));
  }
  return foreign;
}

/** A part, or undefined where it is absent. */
export function part(node: Foreign, key: string): unknown {
  const value = node[key];
  return isAbsent(value) ? undefined : value;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A choice of the foreign tree: its name and what belongs to it. */
export function variant(node: unknown): readonly [string, unknown] {
  if (typeof node === "string") return [node, undefined];
  const [entry] = Object.entries(node as Foreign);
  return entry ?? ["nothing", undefined];
}

/** `cluster_by` → `CLUSTER BY`, `RLike` → `RLIKE`, `IsTrue` → `IS TRUE`. */
export function clauseName(key: string): string {
  const words = key.replace(/^opt_/, "").replaceAll("_", " ");
  return (
    /[a-z][A-Z]/.test(words) && words !== "RLike" ? words.replace(/([a-z])([A-Z])/g, "$1 $2") : words
  ).toUpperCase();
}

export function refuse(source: Source, index: number, what: string, hint?: string): IngotError {
  return problem(
    source,
    index,
    "UNSUPPORTED_CLAUSE",
    `${what} is not supported yet`,
    hint ?? "Write the query without it.",
  );
}

export function problem(source: Source, index: number, code: ErrorCode, message: string, hint: string): IngotError {
  return new IngotError(code, message, { at: source.reader.at(index), hint });
}

/** Index of the token where a node with a span begins. */
export function indexOf(source: Source, node: unknown): number {
  const index = firstSpan(source, node);
  if (index === undefined) throw new Error("A node of the parser's tree has no place in the text");
  return index;
}

/** As {@link indexOf}, for nodes that may lack a span: that of the first node within, or undefined. */
export function firstSpan(source: Source, node: unknown): number | undefined {
  if (typeof node !== "object" || node === null) return undefined;
  const start = ((node as Foreign)["span"] as { start?: { column?: number } } | undefined)?.start?.column;
  if (start !== undefined && start > 0) return source.tokenAt.get(Number(start) - 1);
  for (const child of Object.values(node)) {
    const found = firstSpan(source, child);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function offsetOf(source: Source, index: number): number {
  return source.reader.tokens[index]?.start ?? source.reader.sql.text.length;
}

/** What a name's token says. */
export function nameAt(source: Source, index: number): string {
  const token = source.reader.tokens[index];
  if (token?.kind === "quoted") return unquoteIdentifier(token.text);
  if (token?.kind === "word") return token.text;
  // The lexer takes 2L for a number, the foreign parser for a name.
  throw problem(source, index, "PARSE_SYNTAX_ERROR", `'${token?.text}' is no name`, "Put the name in back-ticks.");
}

export function nameOf(source: Source, ident: unknown): string {
  return nameAt(source, indexOf(source, ident));
}

/** What a string's token says, with the strings that follow it, which Spark joins to one. */
export function stringAt(source: Source, index: number): string {
  const { tokens } = source.reader;
  let value = unquoteString(tokens[index]?.text ?? "''");
  for (let i = index + 1; source.painted.gone.has(i) && tokens[i]?.kind === "string"; i++)
    value += unquoteString(tokens[i]?.text ?? "''");
  return value;
}

/** An expression around its first operand. */
export function wrap(operand: Mapped, make: (operand: Expression, at: number) => Expression): Mapped {
  return { first: operand.first, expression: make(operand.expression, operand.expression.at) };
}

/** The same expression, begun by the token before it, which has no node of its own. */
export function before(source: Source, mapped: Mapped, ...words: readonly string[]): Mapped {
  const first = mapped.first - words.length;
  for (const [i, word] of words.entries()) expectToken(source, first + i, word);
  return { ...mapped, first };
}

/** The foreign tree and our tokens must tell the same story; if not, the tree is not to be trusted. */
export function expectToken(source: Source, index: number, word: string): void {
  if (!isToken(source.reader.tokens[index], word)) throw refuse(source, index, `The text at this place (${word})`);
}

/** Index of a query's first token, parentheses of its own body included. */
export function queryStart(source: Source, node: unknown): number {
  const query = node as Foreign;
  const tie = part(query, "with");
  return tie === undefined ? bodyStart(source, query["body"]) : indexOf(source, (tie as Foreign)["with_token"]);
}

export function bodyStart(source: Source, node: unknown): number {
  const [kind, inner] = variant(node);
  if (kind === "Query") return queryStart(source, inner) - 1;
  if (kind === "SetOperation") return bodyStart(source, (inner as Foreign)["left"]);
  const first = firstSpan(source, inner) ?? 0;
  return kind === "Values" ? first - 2 : first;
}

/** The names in `alias (a, b)`. */
export function columnNames(source: Source, alias: Foreign): string[] {
  return list(alias["columns"]).map((column) => {
    const { name } = parts(source, column, ["name"], indexOf(source, column));
    return nameOf(source, name);
  });
}
