import { IngotError } from "../../model/error.js";
import type { ErrorCode } from "../../model/error-catalogue.js";
import type { SqlText } from "../../model/position.js";
import { isToken, type TokenReader } from "../token-reader.js";

/** A clause: the keywords that it begins with, and how the rest of it becomes a part of `T`. */
export interface Clause<T> {
  readonly words: readonly string[];
  readonly read: (reader: TokenReader) => Partial<T>;
  /** The error when it stands twice, where that is more than a slip. */
  readonly twice?: ErrorCode;
  /** Known only to be refused by name; never offered. */
  readonly refused?: true;
}

/**
 * Reads clauses in any order, each at most once, up to the first token that begins none.
 *
 * @param clauses the first that matches counts, so longer ones stand before their beginnings
 */
export function readClauses<T>(reader: TokenReader, clauses: readonly Clause<T>[]): Partial<T> {
  const seen = new Set<Clause<T>>();
  let found: Partial<T> = {};
  for (;;) {
    const clause = clauses.find((c) => reader.sees(...c.words));
    if (clause === undefined) return found;
    if (seen.has(clause)) {
      const words = clause.words.join(" ");
      throw reader.error(clause.twice ?? "PARSE_SYNTAX_ERROR", `${words} stands twice`, `Keep one ${words}.`);
    }
    seen.add(clause);
    reader.take(...clause.words);
    found = { ...found, ...clause.read(reader) };
  }
}

/** A clause that Spark or Lakeflow knows and Ingot cannot do. */
export function refusedClause<T>(words: readonly string[], hint: string): Clause<T> {
  return {
    words,
    refused: true,
    read: (reader) => {
      throw new IngotError("NOT_SUPPORTED", `${words.join(" ")} is not supported`, {
        at: reader.at(reader.index - words.length),
        hint,
      });
    },
  };
}

/** What clauses begin with, as alternatives of an error message. */
export function clauseNames<T>(clauses: readonly Clause<T>[]): string[] {
  return clauses.filter((c) => c.refused !== true).map((c) => c.words.join(" "));
}

/** Words after which an expression goes on: what follows them begins no clause. */
const UNFINISHED = new Set(
  "AND BETWEEN CASE DISTINCT DIV ELSE ESCAPE ILIKE IN IS LIKE NOT OR REGEXP RLIKE THEN WHEN".split(" "),
);

/**
 * The text of an expression: up to a comma, a closing bracket, or keywords that end it, outside of brackets. Its own
 * syntax is checked where it is compiled.
 *
 * @throws IngotError PARSE_SYNTAX_ERROR when nothing stands there or a bracket stays open
 */
export function readExpression(reader: TokenReader, ends: readonly (readonly string[])[]): SqlText {
  const from = reader.index;
  let depth = 0;
  for (; !reader.done; reader.index++) {
    const token = reader.peek();
    if (isToken(token, "(") || isToken(token, "[")) depth += 1;
    else if (depth > 0 && (isToken(token, ")") || isToken(token, "]"))) depth -= 1;
    else if (depth === 0 && (isToken(token, ",") || isToken(token, ")") || endsHere(reader, from, ends))) break;
  }
  if (depth > 0) throw reader.failure([")"]);
  if (reader.index === from) throw reader.failure(["an expression"]);
  return reader.cut(from);
}

function endsHere(reader: TokenReader, from: number, ends: readonly (readonly string[])[]): boolean {
  // A single keyword at the start is more likely a column that is called so.
  const found = ends.some((words) => reader.sees(...words) && (reader.index > from || words.length > 1));
  if (!found) return false;
  const before = reader.index > from ? reader.peek(-1) : undefined;
  if (before?.kind === "operator") return before.text === ")" || before.text === "]";
  return before?.kind !== "word" || !UNFINISHED.has(before.text.toUpperCase());
}
