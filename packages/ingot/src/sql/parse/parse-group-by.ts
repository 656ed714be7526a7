import { isToken } from "../token-reader.js";
import type { Expression, GroupingSets, Select } from "./ast.js";
import { wordOf } from "./keywords.js";
import { close, deeper, offsetOf, type Parser, readGroup, readList, unsupported } from "./parser.js";

/** What follows GROUP BY: ALL, or expressions and sets of them. */
export function parseGroupBy(parser: Parser): Select["groupBy"] {
  const { reader } = parser;
  const next = reader.peek(1);
  if (reader.sees("ALL") && (next === undefined || next.kind === "word" || isToken(next, ")"))) {
    reader.take("ALL");
    return "all";
  }
  const at = offsetOf(parser);
  const groups = readList(deeper(parser), (inner) => parseAnalytics(inner) ?? inner.rules.expression(inner));
  const plain = groups.filter((g): g is Expression => g.kind !== "grouping-sets");
  if (plain.length < groups.length) return groups;
  // Forms of Hive: the sets are made of what is listed before them.
  if (reader.take("WITH", "ROLLUP")) return [rollup(at, plain.map(alone))];
  if (reader.take("WITH", "CUBE")) return [cube(parser, at, plain.map(alone))];
  const sets = parseAnalytics(parser);
  return sets === undefined ? plain : [{ ...sets, all: plain }];
}

const alone = (expression: Expression): Expression[] => [expression];

/** `ROLLUP (…)`, `CUBE (…)`, `GROUPING SETS (…)`; undefined where none stands. */
function parseAnalytics(parser: Parser): GroupingSets | undefined {
  const { reader } = parser;
  const at = offsetOf(parser);
  const word = wordOf(reader.peek());
  if ((word === "ROLLUP" || word === "CUBE") && isToken(reader.peek(1), "(")) {
    reader.index += 1;
    const parts = readGroup(deeper(parser), parseSet);
    return word === "ROLLUP" ? rollup(at, parts) : cube(parser, at, parts);
  }
  if (!reader.take("GROUPING", "SETS")) return undefined;
  const sets = readGroup(deeper(parser), (inner) => parseAnalytics(inner)?.sets ?? [parseSet(inner)]).flat();
  return { kind: "grouping-sets", at, sets, all: sets.flat() };
}

/** `(a, b)`, `()` or an expression alone. */
function parseSet(parser: Parser): readonly Expression[] {
  const { reader } = parser;
  const start = reader.index;
  if (reader.take("(", ")")) return [];
  if (reader.take("(")) {
    const set = readList(parser, parser.rules.expression);
    close(parser);
    if (reader.sees(",") || reader.sees(")")) return set;
    // The parenthesis was a part of a longer expression.
    reader.index = start;
  }
  return [parser.rules.expression(parser)];
}

/** All parts, all but the last, …, none. */
function rollup(at: number, parts: readonly (readonly Expression[])[]): GroupingSets {
  const sets = Array.from({ length: parts.length + 1 }, (_, i) => parts.slice(0, parts.length - i).flat());
  return { kind: "grouping-sets", at, sets, all: parts.flat() };
}

const MAX_CUBE = 10;

/** Every choice among the parts. */
function cube(parser: Parser, at: number, parts: readonly (readonly Expression[])[]): GroupingSets {
  if (parts.length > MAX_CUBE)
    throw unsupported(parser, `CUBE of more than ${MAX_CUBE} expressions`, "Write the GROUPING SETS that you need.");
  const count = 2 ** parts.length;
  const sets = Array.from({ length: count }, (_, i) => {
    const chosen = count - 1 - i;
    return parts.filter((_, place) => chosen & (1 << (parts.length - 1 - place))).flat();
  });
  return { kind: "grouping-sets", at, sets, all: parts.flat() };
}
