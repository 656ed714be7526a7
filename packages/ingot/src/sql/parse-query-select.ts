import type { Cte, FromItem, Query, QueryBody, Select, SelectItem, SetOperation } from "./ast.js";
import { mapSortKeys } from "./parse-query-call.js";
import {
  bodyStart,
  clauseName,
  columnNames,
  type Foreign,
  firstSpan,
  indexOf,
  list,
  mapExpression,
  nameOf,
  offsetOf,
  part,
  parts,
  queryStart,
  refuse,
  type Source,
  variant,
} from "./parse-query-foreign.js";
import { mapFrom } from "./parse-query-from.js";

/** A query with all that belongs to it, in the order of the text. */
export function mapQuery(outer: Source, node: unknown): Query {
  const first = queryStart(outer, node);
  const query = parts(outer, node, ["with", "body", "order_by", "limit_clause"], first);
  const { ctes, source } = mapCtes(outer, part(query, "with"), first);
  const body = mapBody(source, query["body"]);
  const order = part(query, "order_by");
  const limit = part(query, "limit_clause");
  return {
    at: offsetOf(source, first),
    ctes,
    body,
    orderBy: order === undefined ? [] : mapOrder(source, order, first),
    ...(limit === undefined ? {} : mapLimit(source, limit, first)),
  };
}

function mapCtes(outer: Source, node: unknown, first: number): { ctes: Cte[]; source: Source } {
  if (node === undefined) return { ctes: [], source: outer };
  const clause = parts(outer, node, ["with_token", "cte_tables"], first);
  const ctes: Cte[] = [];
  let source = outer;
  for (const entry of list(clause["cte_tables"])) {
    const alias = (entry as Foreign)["alias"] as Foreign;
    const index = indexOf(source, alias["name"]);
    parts(source, entry, ["alias", "query"], index);
    const cte: Cte = {
      at: offsetOf(source, index),
      name: nameOf(source, alias["name"]),
      columns: columnNames(source, alias),
      query: mapQuery(source, (entry as Foreign)["query"]),
    };
    ctes.push(cte);
    source = { ...source, ctes: new Map([...source.ctes, [cte.name.toLowerCase(), cte]]) };
  }
  return { ctes, source };
}

function mapOrder(source: Source, node: unknown, first: number): Query["orderBy"] {
  const order = parts(source, node, ["kind"], first);
  const [kind, keys] = variant(order["kind"]);
  if (kind !== "Expressions") throw refuse(source, first, `ORDER BY ${clauseName(kind)}`, "List the columns.");
  return mapSortKeys(source, list(keys));
}

function mapLimit(source: Source, node: unknown, first: number): Pick<Query, "limit" | "offset"> {
  const [kind, inner] = variant(node);
  if (kind !== "LimitOffset") throw refuse(source, first, "LIMIT a, b", "Write LIMIT b OFFSET a.");
  const clause = parts(source, inner, ["limit", "offset"], first);
  const limit = part(clause, "limit");
  const offset = part(clause, "offset");
  return {
    ...(limit === undefined ? {} : { limit: mapExpression(source, limit) }),
    ...(offset === undefined
      ? {}
      : { offset: mapExpression(source, parts(source, offset, ["value"], first)["value"]) }),
  };
}

function mapBody(source: Source, node: unknown): QueryBody {
  const [kind, inner] = variant(node);
  if (kind === "Select") return mapSelect(source, inner as Foreign);
  if (kind === "SetOperation") return mapSetOperation(source, inner as Foreign);
  if (kind === "Query") return { kind: "query", query: mapQuery(source, inner) };
  const first = bodyStart(source, node);
  if (kind !== "Values") throw refuse(source, first, clauseName(kind));
  const { rows } = parts(source, inner, ["rows"], first);
  return {
    kind: "values",
    at: offsetOf(source, first),
    rows: list(rows).map((row) => list((row as Foreign)["content"]).map((value) => mapExpression(source, value))),
  };
}

const SET_OPERATORS: Readonly<Record<string, SetOperation["op"]>> = {
  Union: "UNION",
  Intersect: "INTERSECT",
  Except: "EXCEPT",
  Minus: "EXCEPT",
};

function mapSetOperation(source: Source, node: Foreign): SetOperation {
  const first = bodyStart(source, { SetOperation: node });
  const quantifier = String(node["set_quantifier"]);
  const op = SET_OPERATORS[String(node["op"])];
  if (op === undefined) throw refuse(source, first, clauseName(String(node["op"])));
  if (!["None", "All", "Distinct"].includes(quantifier))
    throw refuse(source, first, `${op} ${clauseName(quantifier)}`, "Put the columns of both sides into one order.");
  parts(source, node, ["op", "set_quantifier", "left", "right"], first);
  const left = mapBody(source, node["left"]);
  const right = mapBody(source, node["right"]);
  return { kind: "set", at: offsetOf(source, first), op, all: quantifier === "All", left, right };
}

const SELECT_PARTS = "projection from selection group_by having qualify distinct".split(" ");

function mapSelect(source: Source, node: Foreign): Select {
  const first = indexOf(source, node["select_token"]);
  parts(source, node, SELECT_PARTS, first);
  const [distinct] = variant(part(node, "distinct") ?? "All");
  if (distinct !== "Distinct" && distinct !== "All") throw refuse(source, first, "DISTINCT ON (…)");
  const items = list(node["projection"]).map((item) => mapItem(source, item, first));
  const from = list(node["from"]).map((item) => mapFrom(source, item, first));
  const where = part(node, "selection");
  const condition = where === undefined ? {} : { where: mapExpression(source, where) };
  const groupBy = mapGroupBy(source, node["group_by"], first);
  const having = part(node, "having");
  const qualify = part(node, "qualify");
  return {
    kind: "select",
    at: offsetOf(source, first),
    distinct: distinct === "Distinct",
    items,
    from: from satisfies FromItem[],
    ...condition,
    groupBy,
    ...(having === undefined ? {} : { having: mapExpression(source, having) }),
    ...(qualify === undefined ? {} : { qualify: mapExpression(source, qualify) }),
  };
}

function mapGroupBy(source: Source, node: unknown, first: number): Select["groupBy"] {
  const [kind, inner] = variant(node);
  const [expressions, modifiers] = kind === "Expressions" ? list(inner) : [[], inner];
  const [modifier] = list(modifiers);
  if (modifier !== undefined) throw refuse(source, first, `GROUP BY … ${clauseName(variant(modifier)[0])}`);
  if (kind === "All") return "all";
  for (const expression of list(expressions)) {
    const [what] = variant(expression);
    if (["Rollup", "Cube", "GroupingSets", "Tuple"].includes(what))
      throw refuse(source, firstSpan(source, expression) ?? first, `GROUP BY ${clauseName(what)}`);
  }
  return list(expressions).map((expression) => mapExpression(source, expression));
}

function mapItem(source: Source, node: unknown, first: number): SelectItem {
  const [kind, inner] = variant(node);
  const foreign = inner as Foreign;
  if (kind === "UnnamedExpr") {
    const expression = mapExpression(source, inner);
    return { kind: "expression", at: expression.at, expression };
  }
  if (kind === "ExprWithAlias") {
    const expression = mapExpression(source, foreign["expr"]);
    return { kind: "expression", at: expression.at, expression, alias: nameOf(source, foreign["alias"]) };
  }
  if (kind === "Wildcard") return mapStar(source, [], inner, indexOf(source, foreign["wildcard_token"]));
  if (kind !== "QualifiedWildcard") throw refuse(source, firstSpan(source, node) ?? first, clauseName(kind));
  const [what, options] = list(inner);
  const [form, names] = variant(what);
  if (form !== "ObjectName") throw refuse(source, firstSpan(source, node) ?? first, "A star of an expression");
  const qualifier = list(names).map((p) => nameOf(source, variant(p)[1]));
  return mapStar(source, qualifier, options, indexOf(source, names));
}

function mapStar(source: Source, qualifier: readonly string[], node: unknown, index: number): SelectItem {
  const options = parts(source, node, ["opt_except"], index);
  const except = part(options, "opt_except") as Foreign | undefined;
  const names = except === undefined ? [] : [except["first_element"], ...list(except["additional_elements"])];
  return {
    kind: "star",
    at: offsetOf(source, index),
    qualifier,
    except: names.map((ident) => {
      const at = offsetOf(source, indexOf(source, ident));
      return { at, name: nameOf(source, ident) };
    }),
  };
}
