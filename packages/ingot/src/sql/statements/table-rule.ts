import type { SqlText } from "../../model/position.js";
import { lex } from "../lexer.js";
import { quoteName } from "../quote.js";
import { TokenReader } from "../token-reader.js";
import { printNames, printText } from "./print-text.js";

/** What an expectation over the whole table asks for. */
export type TableRule =
  | { readonly kind: "unique"; readonly columns: readonly string[] }
  /** The values of `columns` stand together in the `others` of another table. */
  | {
      readonly kind: "references";
      readonly columns: readonly string[];
      /** The other table's name, or ``delta.`path` ``. */
      readonly target: SqlText;
      readonly others: readonly string[];
    }
  /** The rows that the table has after a run, as shares of the fewest and the most that it had after the last runs. */
  | { readonly kind: "row count"; readonly min: number; readonly max: number; readonly runs: number }
  /** How old the newest value of a column may be. */
  | { readonly kind: "freshness"; readonly column: string; readonly seconds: number }
  /** No two rows that the table has after a run have different values of a column; NULL is none. */
  | { readonly kind: "single value"; readonly column: string };

const UNITS: Readonly<Record<string, number>> = { SECOND: 1, MINUTE: 60, HOUR: 3600, DAY: 86_400 };

/**
 * The clause over the whole table that comes next behind EXPECT, or undefined where a condition does:
 * `UNIQUE (a, …)`, `REFERENCES (a, …) IN t [(b, …)]`, `ROW COUNT BETWEEN 0.8 AND 1.2 OF LAST 5 RUNS`,
 * `FRESHNESS (a) WITHIN 2 HOURS`, `SINGLE VALUE (a)`.
 *
 * @throws IngotError PARSE_SYNTAX_ERROR
 */
export function parseTableRule(reader: TokenReader): TableRule | undefined {
  if (reader.take("UNIQUE")) return { kind: "unique", columns: reader.readNames() };
  if (reader.take("REFERENCES")) return parseReferences(reader);
  if (reader.take("ROW", "COUNT")) return parseRowCount(reader);
  if (reader.take("FRESHNESS")) return parseFreshness(reader);
  return reader.take("SINGLE", "VALUE") ? { kind: "single value", column: readColumn(reader) } : undefined;
}

/** The rule that a text of {@link parseTableRule} or {@link printTableRule} stands for. */
export function readTableRule(text: SqlText): TableRule {
  const reader = new TokenReader(text, [...lex(text)]);
  const rule = parseTableRule(reader);
  if (rule === undefined) throw reader.failure(["UNIQUE", "REFERENCES", "ROW COUNT", "FRESHNESS", "SINGLE VALUE"]);
  reader.expectEnd();
  return rule;
}

export function printTableRule(rule: TableRule): string {
  switch (rule.kind) {
    case "unique":
      return `UNIQUE ${printNames(rule.columns)}`;
    case "references":
      return `REFERENCES ${printNames(rule.columns)} IN ${printText(rule.target)} ${printNames(rule.others)}`;
    case "row count":
      return `ROW COUNT BETWEEN ${rule.min} AND ${rule.max} OF LAST ${rule.runs} RUNS`;
    case "freshness":
      return `FRESHNESS (${quoteName(rule.column)}) WITHIN ${rule.seconds} SECONDS`;
    case "single value":
      return `SINGLE VALUE (${quoteName(rule.column)})`;
  }
}

function parseReferences(reader: TokenReader): TableRule {
  const columns = reader.readNames();
  reader.expect("IN");
  const from = reader.index;
  reader.readParts("a table");
  const target = reader.cut(from);
  const at = reader.index;
  const others = reader.sees("(") ? reader.readNames() : columns;
  if (others.length === columns.length) return { kind: "references", columns, target, others };
  reader.index = at;
  throw reader.error(
    "PARSE_SYNTAX_ERROR",
    `EXPECT REFERENCES pairs ${columns.length} columns with ${others.length}`,
    "Name as many columns of the other table, in the same order.",
  );
}

function parseRowCount(reader: TokenReader): TableRule {
  reader.expect("BETWEEN");
  const min = readNumber(reader, "a share, such as 0.8", (n) => n <= 1);
  reader.expect("AND");
  const max = readNumber(reader, "a share, such as 1.2", (n) => n >= 1);
  reader.expect("OF", "LAST");
  const runs = readNumber(reader, "a number of runs, from 1 to 100", (n) => Number.isInteger(n) && n >= 1 && n <= 100);
  if (!reader.take("RUN")) reader.expect("RUNS");
  return { kind: "row count", min, max, runs };
}

function parseFreshness(reader: TokenReader): TableRule {
  const column = readColumn(reader);
  reader.expect("WITHIN");
  const many = readNumber(reader, "a whole number, 1 or more", (n) => Number.isSafeInteger(n) && n >= 1);
  const found = Object.entries(UNITS).find(([unit]) => reader.take(unit) || reader.take(`${unit}S`));
  if (found === undefined) throw reader.failure(Object.keys(UNITS).map((unit) => `${unit}S`));
  return { kind: "freshness", column, seconds: many * found[1] };
}

function readColumn(reader: TokenReader): string {
  reader.expect("(");
  const column = reader.readIdentifier("a column");
  reader.expect(")");
  return column;
}

function readNumber(reader: TokenReader, what: string, accepts: (value: number) => boolean): number {
  const token = reader.peek();
  const value = token?.kind === "number" ? Number(token.text) : Number.NaN;
  if (!accepts(value)) throw reader.failure([what]);
  reader.index += 1;
  return value;
}
