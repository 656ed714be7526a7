import { IngotError } from "../../model/error.js";
import type { ErrorCode } from "../../model/error-catalogue.js";
import { nearest } from "../../model/nearest.js";
import type { Relation } from "../../model/query.js";
import { isToken, type TokenReader } from "../token-reader.js";
import type { Cte, Expression, Name, Query } from "./ast.js";
import { wordOf } from "./keywords.js";

/** What the rules of the grammar share while they read one query from left to right. */
export interface Parser {
  readonly reader: TokenReader;
  /** What the query reads, so far. */
  readonly relations: Relation[];
  /** CTEs in sight, by lower-case name. */
  readonly ctes: ReadonlyMap<string, Cte>;
  /** Parentheses, calls and queries around this place. */
  readonly depth: number;
  /** The rules that contain themselves by way of others. */
  readonly rules: Rules;
}

export interface Rules {
  readonly query: (parser: Parser) => Query;
  readonly expression: (parser: Parser) => Expression;
  /** An operand of a condition: `valueExpression` of Spark's grammar. */
  readonly value: (parser: Parser) => Expression;
}

/** Deeper nesting is no query but an attack on the stack. */
const MAX_DEPTH = 100;

/** The parser one level further in. @throws IngotError UNSUPPORTED_CLAUSE beyond 100 levels */
export function deeper(parser: Parser): Parser {
  if (parser.depth >= MAX_DEPTH) throw tooDeep(parser);
  return { ...parser, depth: parser.depth + 1 };
}

export function tooDeep(parser: Parser, index = parser.reader.index): IngotError {
  const hint = "Split it with WITH, or write fewer operations in one expression.";
  return problem(parser, "UNSUPPORTED_CLAUSE", "The query is nested too deep", hint, index);
}

/** Offset of the next token, or of the end. */
export function offsetOf({ reader }: Parser): number {
  return reader.peek()?.start ?? reader.tokens.at(-1)?.end ?? 0;
}

/** Offset behind the last token that was read. */
export function offsetBehind({ reader }: Parser): number {
  return reader.peek(-1)?.end ?? 0;
}

/** Index of the token that begins at an offset. */
export function indexAt({ reader }: Parser, at: number): number {
  return reader.tokens.findIndex((token) => token.start === at);
}

/** `rule, rule, …` */
export function readList<T>(parser: Parser, rule: (parser: Parser) => T): T[] {
  const items = [rule(parser)];
  while (parser.reader.take(",")) items.push(rule(parser));
  return items;
}

/** `( rule, rule, … )` */
export function readGroup<T>(parser: Parser, rule: (parser: Parser) => T): T[] {
  parser.reader.expect("(");
  const items = readList(parser, rule);
  close(parser);
  return items;
}

/** The `)` that ends a list. */
export function close(parser: Parser): void {
  if (!parser.reader.take(")")) throw unexpected(parser, [",", ")"]);
}

/** A string's value; strings that follow each other are one. */
export function readText(reader: TokenReader): string {
  let text = reader.readString();
  while (reader.peek()?.kind === "string") text += reader.readString();
  return text;
}

/** The name of one column, with its place. */
export function readColumn(parser: Parser): Name {
  const at = offsetOf(parser);
  const name = parser.reader.readIdentifier("a column");
  if (parser.reader.sees(".")) throw unsupported(parser, "A qualified name here", "Use the column's name alone.");
  return { at, name };
}

/** What Spark knows and Ingot does not, at the next token or at the one of this index. */
export function unsupported(parser: Parser, what: string, hint: string, index = parser.reader.index): IngotError {
  return problem(parser, "UNSUPPORTED_CLAUSE", `${what} is not supported yet`, hint, index);
}

export function problem(
  { reader }: Parser,
  code: ErrorCode,
  message: string,
  hint: string,
  index = reader.index,
): IngotError {
  return new IngotError(code, message, { at: reader.at(index), hint });
}

/** Spark's clauses and operators that have no place in our tree, by their first tokens. */
const REFUSED: readonly (readonly [what: string, hint: string])[] = [
  ["LATERAL", "Join with ON instead."],
  ["TABLESAMPLE (", "Filter with WHERE."],
  ["WATERMARK", "It stands behind a relation, before its alias: t WATERMARK ts DELAY OF INTERVAL 10 MINUTES AS x."],
  ["CHANGES", "Read the table's change feed by another flow."],
  ["IDENTIFIED BY", "Leave the name of the stream out."],
  ["WITH (", "Read the table without options."],
  ["COLLATE", "Strings compare by their bytes: leave it out."],
  ["|>", "Write the query with SELECT … FROM …."],
  [":", "Parameters have no translation: write the value."],
  ["?", "Write the value itself."],
];

/** The error for a token that no rule takes: refused by its name where Spark knows it, else wrong syntax. */
export function unexpected(parser: Parser, expected: readonly string[]): IngotError {
  const { reader } = parser;
  for (const [what, hint] of REFUSED)
    if (reader.sees(...what.split(" "))) return unsupported(parser, nameOf(what), hint);
  if (isToken(reader.peek(), ";"))
    return problem(parser, "PARSE_SYNTAX_ERROR", "The text holds more than one query", "Keep one query.");
  return reader.failure(expected, "PARSE_SYNTAX_ERROR", adviseOn(reader, expected));
}

function nameOf(what: string): string {
  const name = what.replace(/ \($/, "");
  return /^[A-Z]/.test(name) ? (name === "WITH" ? "WITH (…) after a table" : name) : `The operator ${name}`;
}

/** The word before may be a misspelt keyword that was taken for a name: `FROM t WEHRE a = 1`. */
function adviseOn(reader: TokenReader, expected: readonly string[]): string | undefined {
  const before = reader.peek(-1);
  const keywords = expected.filter((word) => /^[A-Z]{4,}/.test(word)).map((phrase) => phrase.split(" ")[0] ?? "");
  const near =
    wordOf(before) === "" || keywords.includes(wordOf(before)) ? undefined : nearest(wordOf(before), keywords);
  if (near !== undefined) return `Did you mean ${near} instead of ${before?.text}?`;
  const word = wordOf(reader.peek());
  const isName = expected.includes("an expression") || expected.includes("a table");
  return isName && word !== "" ? `A name that is a keyword stands in back-ticks: \`${word}\`.` : undefined;
}
