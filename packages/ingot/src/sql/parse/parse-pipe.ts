import type { FromItem, Query, QueryBody, Select, SelectItem, Star } from "./ast.js";
import { parseJoins } from "./parse-from.js";
import { parsePivot } from "./parse-pivot.js";
import { parseItem } from "./parse-select.js";
import { parseSortKey } from "./parse-window.js";
import { offsetOf, type Parser, readColumn, readList, unexpected, unsupported } from "./parser.js";
import { selectAll } from "./select-all.js";

/** `input |> operator …`, as the query that it stands for. */
export function parsePipe(parser: Parser, input: QueryBody): QueryBody {
  const { reader } = parser;
  const at = offsetOf(parser);
  const from = asFrom(input, at);
  const all = selectAll(at, from);
  const star: Star = { kind: "star", at, qualifier: [], except: [] };
  const list = <T>(rule: (parser: Parser) => T) => readList(parser, rule);
  if (reader.take("WHERE")) return { ...all, where: parser.rules.expression(parser) };
  if (reader.take("SELECT")) return { ...all, distinct: reader.take("DISTINCT"), items: list(parseItem) };
  if (reader.take("EXTEND")) return { ...all, items: [star, ...list(parseItem)] };
  if (reader.take("SET")) return list(parseAssignment).reduce<QueryBody>(assign, input);
  if (reader.take("DROP")) return { ...all, items: [{ ...star, except: list(readColumn) }] };
  if (reader.take("AS")) return selectAll(at, { ...derived(input, at), alias: reader.readIdentifier() });
  if (reader.take("AGGREGATE")) return parseAggregate(parser, all);
  if (reader.take("ORDER", "BY")) return tailed(all, { orderBy: list(parseSortKey) });
  if (reader.take("LIMIT")) {
    const limit = parser.rules.expression(parser);
    const tail = reader.take("OFFSET") ? { limit, offset: parser.rules.expression(parser) } : { limit };
    return isOrdered(input) ? { kind: "query", query: { ...input.query, ...tail } } : tailed(all, tail);
  }
  if (reader.take("OFFSET")) return tailed(all, { offset: parser.rules.expression(parser) });
  if (reader.sees("TABLESAMPLE")) throw unsupported(parser, "TABLESAMPLE", "Filter with WHERE.");
  const pivot = parsePivot(parser, from);
  const joined = pivot ?? parseJoins(parser, from);
  if (joined === from)
    throw unexpected(parser, [
      "SELECT",
      "WHERE",
      "EXTEND",
      "SET",
      "DROP",
      "AS",
      "AGGREGATE",
      "ORDER BY",
      "LIMIT",
      "JOIN",
    ]);
  return selectAll(at, joined);
}

/** Whether rows stand in an order that a LIMIT after it goes by. */
function isOrdered(body: QueryBody): body is QueryBody & { readonly kind: "query" } {
  return body.kind === "query" && body.query.limit === undefined && body.query.offset === undefined;
}

/** What is all of a relation keeps its name. */
function asFrom(body: QueryBody, at: number): FromItem {
  return isAll(body) ? body.from : derived(body, at);
}

function isAll(body: QueryBody): body is Select & { readonly from: FromItem } {
  if (body.kind !== "select" || body.from === undefined || body.distinct || body.items.length > 1) return false;
  const [only] = body.items;
  const isStar = only?.kind === "star" && only.qualifier.length === 0 && only.except.length === 0;
  const clauses = [body.where, body.having, body.qualify];
  return isStar && only.replace === undefined && clauses.every((c) => c === undefined) && body.groupBy.length === 0;
}

function derived(body: QueryBody, at: number): FromItem & { readonly kind: "derived" } {
  const query: Query = body.kind === "query" ? body.query : { at, ctes: [], body, orderBy: [] };
  return { kind: "derived", at, query, columns: [] };
}

function tailed(body: QueryBody & { readonly at: number }, tail: Partial<Query>): QueryBody {
  return { kind: "query", query: { at: body.at, ctes: [], body, orderBy: [], ...tail } };
}

function parseAssignment(parser: Parser) {
  const name = readColumn(parser);
  if (!parser.reader.take("=")) throw unexpected(parser, ["="]);
  return { name, expression: parser.rules.expression(parser) };
}

/** SET keeps a column's place; each assignment sees those before it. */
function assign(body: QueryBody, replace: NonNullable<Star["replace"]>): QueryBody {
  const { at } = replace.name;
  return { ...selectAll(at, asFrom(body, at)), items: [{ kind: "star", at, qualifier: [], except: [], replace }] };
}

/** `AGGREGATE items [GROUP BY keys]`: the keys, which may have names, come first in the result. */
function parseAggregate(parser: Parser, all: Select): QueryBody {
  const { reader } = parser;
  const items: readonly SelectItem[] = reader.sees("GROUP", "BY") ? [] : readList(parser, parseItem);
  if (!reader.take("GROUP", "BY")) return { ...all, items };
  const keys = readList(parser, parseItem);
  const groups = keys.flatMap((key) => (key.kind === "expression" ? [key.expression] : []));
  if (groups.length < keys.length || reader.sees("WITH") || reader.sees("GROUPING"))
    throw unsupported(parser, "GROUP BY of this form after |>", "Group by expressions.");
  return { ...all, items: [...keys, ...items], groupBy: groups };
}
