import { isToken } from "../token-reader.js";
import type { Expression, Frame, FrameBound, SortKey, Window } from "./ast.js";
import { wordOf } from "./keywords.js";
import { deeper, type Parser, readList, unexpected, unsupported } from "./parser.js";

/** The window after OVER; its place is that of the function. */
export function parseWindow(outer: Parser, at: number): Window {
  const parser = deeper(outer);
  const { reader } = parser;
  if (!reader.take("(")) throw namedWindow(parser);
  const isName = reader.peek()?.kind !== "operator" && isToken(reader.peek(1), ")");
  if (isName) throw namedWindow(parser);
  const partitionBy = takeBy(parser, "PARTITION", "DISTRIBUTE") ? readList(parser, parser.rules.expression) : [];
  const orderBy = takeBy(parser, "ORDER", "SORT") ? readList(parser, parseSortKey) : [];
  const frame = reader.sees("ROWS") || reader.sees("RANGE") ? parseFrame(parser) : undefined;
  if (!reader.take(")")) throw unexpected(parser, ["PARTITION BY", "ORDER BY", "ROWS", "RANGE", ")"]);
  return { at, partitionBy, orderBy, ...(frame === undefined ? {} : { frame }) };
}

function namedWindow(parser: Parser) {
  return unsupported(parser, "A named window", "Write the window in OVER (…).");
}

function takeBy({ reader }: Parser, ...words: readonly string[]): boolean {
  return words.some((word) => reader.take(word, "BY"));
}

/** `expression [ASC|DESC] [NULLS FIRST|LAST]` */
export function parseSortKey(parser: Parser): SortKey {
  const { reader } = parser;
  if (reader.sees("ALL") && !["operator", "string"].includes(reader.peek(1)?.kind ?? ""))
    throw unsupported(parser, "ORDER BY ALL", "List the columns.");
  const expression = parser.rules.expression(parser);
  const descending = reader.take("DESC");
  if (!descending) reader.take("ASC");
  if (!reader.take("NULLS")) return { expression, descending };
  const nullsFirst = reader.take("FIRST");
  if (!nullsFirst && !reader.take("LAST")) throw unexpected(parser, ["FIRST", "LAST"]);
  return { expression, descending, nullsFirst };
}

function parseFrame(parser: Parser): Frame {
  const { reader } = parser;
  const unit = reader.take("ROWS") ? "ROWS" : "RANGE";
  reader.take("RANGE");
  if (!reader.take("BETWEEN")) return { unit, start: parseBound(parser), end: { kind: "current row" } };
  const start = parseBound(parser);
  if (!reader.take("AND")) throw unexpected(parser, ["AND"]);
  return { unit, start, end: parseBound(parser) };
}

function parseBound(parser: Parser): FrameBound {
  const { reader } = parser;
  if (reader.take("CURRENT", "ROW")) return { kind: "current row" };
  const start = reader.index;
  const rows = reader.take("UNBOUNDED") ? undefined : wholeNumber(parser, parser.rules.value(parser), start);
  const side = wordOf(reader.peek()).toLowerCase();
  if (side !== "preceding" && side !== "following") throw unexpected(parser, ["PRECEDING", "FOLLOWING"]);
  reader.index += 1;
  return rows === undefined ? { kind: `unbounded ${side}` } : { kind: side, rows };
}

function wholeNumber(parser: Parser, expression: Expression, index: number): number {
  if (expression.kind === "literal" && /^\d{1,9}$/.test(expression.value)) return Number(expression.value);
  throw unsupported(parser, "A frame bound that is no whole number", "Write a number such as 3.", index);
}
