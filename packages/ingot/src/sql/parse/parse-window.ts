import { isToken } from "../token-reader.js";
import type { Frame, FrameBound, SortDirection, SortKey, Window, WindowName } from "./ast.js";
import { wordOf } from "./keywords.js";
import { deeper, offsetOf, type Parser, problem, readList, unexpected, unsupported } from "./parser.js";

/** The window after OVER; its place is that of the function. */
export function parseWindow(outer: Parser, at: number): Window | WindowName {
  const parser = deeper(outer);
  const { reader } = parser;
  if (!reader.take("(")) return { at: offsetOf(parser), name: reader.readIdentifier() };
  const isName = reader.peek()?.kind !== "operator" && isToken(reader.peek(1), ")");
  if (isName) {
    const name = { at: offsetOf(parser), name: reader.readIdentifier() };
    reader.take(")");
    return name;
  }
  const partitionBy = takeBy(parser, "PARTITION", "DISTRIBUTE") ? readList(parser, parser.rules.expression) : [];
  const orderBy = takeBy(parser, "ORDER", "SORT") ? readList(parser, parseSortKey) : [];
  const frame = reader.sees("ROWS") || reader.sees("RANGE") ? parseFrame(parser) : undefined;
  if (!reader.take(")")) throw unexpected(parser, ["PARTITION BY", "ORDER BY", "ROWS", "RANGE", ")"]);
  return { at, partitionBy, orderBy, ...(frame === undefined ? {} : { frame }) };
}

/** `WINDOW w AS (…), v AS w`, by name: Spark tells capitals apart here. */
export function parseWindows(parser: Parser): ReadonlyMap<string, Window> {
  const { reader } = parser;
  const defined = new Map<string, Window | WindowName>();
  if (!reader.take("WINDOW")) return new Map();
  do {
    const at = offsetOf(parser);
    const start = reader.index;
    const name = reader.readIdentifier();
    if (!reader.take("AS")) throw unexpected(parser, ["AS"]);
    if (defined.has(name))
      throw problem(parser, "PARSE_SYNTAX_ERROR", `WINDOW defines ${name} twice`, "Rename one of them.", start);
    defined.set(name, parseWindow(parser, at));
  } while (reader.take(","));
  const windows = new Map<string, Window>();
  for (const [name, window] of defined) {
    // A name stands for a window, not for another name.
    const found = "name" in window ? defined.get(window.name) : window;
    if (found === undefined || "name" in found)
      throw unsupported(parser, `A window ${name} without a definition`, "Write the window in OVER (…).");
    windows.set(name, found);
  }
  return windows;
}

function takeBy({ reader }: Parser, ...words: readonly string[]): boolean {
  return words.some((word) => reader.take(word, "BY"));
}

/** `expression [ASC|DESC] [NULLS FIRST|LAST]` */
export function parseSortKey(parser: Parser): SortKey {
  return { expression: parser.rules.expression(parser), ...parseDirection(parser) };
}

/** `[ASC|DESC] [NULLS FIRST|LAST]` */
export function parseDirection(parser: Parser): SortDirection {
  const { reader } = parser;
  const descending = reader.take("DESC");
  if (!descending) reader.take("ASC");
  if (!reader.take("NULLS")) return { descending };
  const nullsFirst = reader.take("FIRST");
  if (!nullsFirst && !reader.take("LAST")) throw unexpected(parser, ["FIRST", "LAST"]);
  return { descending, nullsFirst };
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
  const distance = reader.take("UNBOUNDED") ? undefined : parser.rules.value(parser);
  const side = wordOf(reader.peek()).toLowerCase();
  if (side !== "preceding" && side !== "following") throw unexpected(parser, ["PRECEDING", "FOLLOWING"]);
  reader.index += 1;
  return distance === undefined ? { kind: `unbounded ${side}` } : { kind: side, distance };
}
