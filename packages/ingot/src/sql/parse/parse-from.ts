import { isToken } from "../token-reader.js";
import type { Call, Expression, FromItem, JoinType, Query, QueryBody, Values } from "./ast.js";
import { closing, seesQuery, seesTableAlias, wordOf } from "./keywords.js";
import { type Alias, parseAlias } from "./parse-alias.js";
import { parseCall } from "./parse-call.js";
import { parsePivot } from "./parse-pivot.js";
import { parseSampled } from "./parse-sample.js";
import { parseTable } from "./parse-table.js";
import { deeper, offsetOf, type Parser, readColumn, readGroup, readList, unexpected, unsupported } from "./parser.js";
import { selectAll } from "./select-all.js";

/** What follows FROM. Spark joins from left to right: in `a, b JOIN c ON …` the condition sees a, b and c. */
export function parseFrom(parser: Parser): FromItem {
  let left = parseJoins(parser, parseRelation(parser));
  while (parser.reader.take(",")) {
    const right = parseRelation(parser);
    left = parseJoins(parser, { kind: "join", at: right.at, type: "cross", left, right });
  }
  while (parser.reader.sees("LATERAL", "VIEW")) left = parseLateralView(parser, left);
  return parsePivots(parser, left);
}

/** `LATERAL VIEW [OUTER] generator(…) alias [AS a, b]` */
function parseLateralView(parser: Parser, input: FromItem): FromItem {
  const { reader } = parser;
  const at = offsetOf(parser);
  reader.expect("LATERAL", "VIEW");
  const outer = reader.take("OUTER");
  const call = readCall(parser);
  const alias = reader.readIdentifier();
  const columns = reader.take("AS") || seesTableAlias(reader) ? reader.readBareNames() : [];
  return { kind: "lateral-view", at, input, call, outer, alias, columns };
}

function readCall(parser: Parser): Call {
  const start = parser.reader.index;
  const call = parseCall(parser);
  if (call.kind === "call" && call.over === undefined && call.filter === undefined) return call;
  throw unsupported(parser, "This as a function that gives rows", "Use explode, posexplode, inline or stack.", start);
}

/** PIVOT and UNPIVOT after a relation. */
function parsePivots(parser: Parser, first: FromItem): FromItem {
  let input = first;
  for (let pivot = parsePivot(parser, input); pivot !== undefined; pivot = parsePivot(parser, input)) input = pivot;
  return input;
}

const JOINS: readonly (readonly [words: string, type: JoinType])[] = [
  ["JOIN", "inner"],
  ["INNER JOIN", "inner"],
  ["CROSS JOIN", "cross"],
  ["LEFT JOIN", "left"],
  ["LEFT OUTER JOIN", "left"],
  ["RIGHT JOIN", "right"],
  ["RIGHT OUTER JOIN", "right"],
  ["FULL JOIN", "full"],
  ["FULL OUTER JOIN", "full"],
  ["SEMI JOIN", "semi"],
  ["LEFT SEMI JOIN", "semi"],
  ["ANTI JOIN", "anti"],
  ["LEFT ANTI JOIN", "anti"],
];

export function parseJoins(parser: Parser, first: FromItem): FromItem {
  const { reader } = parser;
  let left = first;
  for (;;) {
    left = parsePivots(parser, left);
    const natural = reader.take("NATURAL");
    const start = reader.index;
    const type = JOINS.find(([words]) => reader.take(...words.split(" ")))?.[1];
    if (type === undefined && natural) throw unexpected(parser, ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]);
    if (type === undefined) return left;
    if (natural && ["cross", "semi", "anti"].includes(type))
      throw unsupported(parser, `NATURAL ${type.toUpperCase()} JOIN`, "Join with USING or ON.", start);
    const right = parseRelation(parser);
    left = parseCriteria(parser, { kind: "join", at: right.at, type, left, right }, natural);
  }
}

function parseCriteria(parser: Parser, join: FromItem & { kind: "join" }, natural: boolean): FromItem {
  const { reader } = parser;
  if (natural) return { ...join, natural };
  // A cross join with a condition is an inner join.
  const type = join.type === "cross" ? "inner" : join.type;
  if (reader.take("ON")) return { ...join, type, on: parser.rules.expression(parser) };
  if (reader.take("USING")) return { ...join, type, using: readGroup(parser, readColumn) };
  if (type === "inner") return { ...join, type: "cross" };
  // Of a function without a condition Spark keeps the rows that it makes, and no others.
  if (join.right.kind === "function" && join.right.lateral === true && type === "left")
    return { ...join, type: "cross" };
  if (join.right.kind === "derived" && join.right.lateral === true && type === "left")
    return { ...join, on: { kind: "literal", at: join.at, type: "boolean", value: "true" } };
  throw unsupported(parser, `${type.toUpperCase()} JOIN without a condition`, "Add ON or USING.");
}

function parseRelation(parser: Parser): FromItem {
  const { reader } = parser;
  const at = offsetOf(parser);
  if (reader.sees("LATERAL") && !reader.sees("LATERAL", "VIEW")) return parseLateral(parser);
  if (reader.sees("VALUES") && seesRows(parser)) return derive(at, parseInlineTable(parser));
  if (!reader.sees("(")) return parseTable(parser);
  const isQuery = seesQuery(reader, 1);
  reader.take("(");
  const inner = deeper(parser);
  const content = isQuery ? inner.rules.query(inner) : parseJoins(inner, parseRelation(inner));
  if (!reader.take(")")) throw unexpected(parser, [")"]);
  if (!("kind" in content))
    return parseSampled(parser, { kind: "derived", at: content.at, query: content, columns: [] });
  const start = reader.index;
  if (parseAlias(parser).alias !== undefined)
    throw unsupported(
      parser,
      "A name for a join in parentheses",
      "Name its tables, or write (SELECT … FROM …).",
      start,
    );
  return content;
}

/** `LATERAL (query)`, `LATERAL generator(…)`: they see the relations before them. */
function parseLateral(parser: Parser): FromItem {
  const { reader } = parser;
  const at = offsetOf(parser);
  reader.expect("LATERAL");
  const item = reader.sees("(") ? parseRelation(parser) : { kind: "function" as const, at, call: readCall(parser) };
  if (item.kind === "function") return { ...item, ...parseAlias(parser), lateral: true };
  if (item.kind === "derived") return { ...item, lateral: true };
  throw unsupported(parser, "LATERAL before this", "It stands before a query in parentheses or a function.");
}

/** Whether rows follow VALUES, which else is a table. */
function seesRows({ reader }: Parser): boolean {
  const next = reader.peek(1);
  if (next?.kind === "operator") return ["(", "-", "+"].includes(next.text);
  return next?.kind === "number" || next?.kind === "string" || next?.kind === "binary";
}

function derive(at: number, { values, ...alias }: InlineTable): FromItem {
  const query: Query = { at, ctes: [], body: values, orderBy: [] };
  return { kind: "derived", at, query, ...alias };
}

/** VALUES as a query; with names for its columns it is a relation that is selected from. */
export function parseValues(parser: Parser): QueryBody {
  const at = offsetOf(parser);
  const table = parseInlineTable(parser);
  if (table.alias === undefined) return table.values;
  return selectAll(at, derive(at, table));
}

interface InlineTable extends Alias {
  readonly values: Values;
}

function parseInlineTable(parser: Parser): InlineTable {
  const at = offsetOf(parser);
  parser.reader.expect("VALUES");
  const rows = readList(deeper(parser), parseRow);
  return { values: { kind: "values", at, rows }, ...parseAlias(parser) };
}

/** `(1, 'a')`, or a value alone. */
function parseRow(parser: Parser): readonly Expression[] {
  const { reader } = parser;
  if (reader.sees("STRUCT", "(") || reader.sees("NAMED_STRUCT", "("))
    throw unsupported(parser, "VALUES of a struct", "Write the row as (a, b).");
  if (!reader.sees("(")) return [parser.rules.expression(parser)];
  const after = reader.peek(closing(reader, 0) + 1);
  const isRow =
    after === undefined || after.kind !== "operator" || [",", ")", ";"].some((sign) => isToken(after, sign));
  const isCondition = ["AND", "OR", "NOT", "IS", "IN", "BETWEEN", "LIKE", "DIV"].includes(wordOf(after));
  if (seesQuery(reader, 1)) throw unsupported(parser, "A subquery in VALUES", "Write the rows as SELECT … UNION ALL.");
  if (!isRow || isCondition) return [parser.rules.expression(parser)];
  if (reader.sees("(", "(")) throw unsupported(parser, "A row in two pairs of parentheses", "Keep one.");
  return readGroup(parser, parser.rules.expression);
}
