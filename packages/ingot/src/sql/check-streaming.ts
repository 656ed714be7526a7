import { IngotError } from "../model/error.js";
import { functionKind } from "./functions/registry.js";
import { makeLocate } from "./locate.js";
import type { Cte, FromItem, Query, QueryBody, Select } from "./parse/ast.js";
import type { ParsedQuery } from "./parse/parse-query.js";

/**
 * Refuses what a streaming read cannot give batch by batch: each new row must stand for itself. Filters, projections,
 * UNION ALL of streams and joins with tables that are read whole are fine; whatever looks at several rows is not.
 *
 * Spark keeps state from batch to batch for some of these: DISTINCT, windows of time that a watermark closes, joins of
 * two streams. Here nothing is kept, so a watermark, which says how long, leaves out no row.
 *
 * @throws IngotError UNSUPPORTED_CLAUSE with the clause and its place
 */
export function checkStreaming(parsed: ParsedQuery): void {
  if (!parsed.relations.some((r) => r.stream)) return;
  const locate = makeLocate(parsed.sql);
  const refuse = (what: string, at: number, hint: string): never => {
    throw new IngotError("UNSUPPORTED_CLAUSE", `${what} cannot be used on a stream`, { at: locate(at), hint });
  };
  checkQuery(parsed.query, { refuse, ctes: new Map() });
}

interface Check {
  readonly refuse: (what: string, at: number, hint: string) => never;
  /** Whether a CTE reads a stream, once it is known. */
  readonly ctes: Map<Cte, boolean>;
}

const WHOLE = "Each batch sees only new rows. Do this in a materialized view that reads the streaming table.";
const ONE_A_KEY =
  "Each batch sees only new rows. Keep one row for each key with AUTO CDC, or write SELECT DISTINCT in a materialized view that reads the streaming table.";
const WINDOW =
  "Each batch sees only new rows: no window of time is kept until its watermark closes it. Group in a materialized view that reads the streaming table, and leave WATERMARK out.";

/** @returns whether the query reads a stream */
function checkQuery(query: Query, check: Check): boolean {
  const streaming = checkBody(query.body, check);
  if (!streaming) return false;
  if (query.orderBy.length > 0) check.refuse("ORDER BY", query.orderBy[0]?.expression.at ?? query.at, WHOLE);
  if (query.limit !== undefined) check.refuse("LIMIT", query.limit.at, WHOLE);
  if (query.offset !== undefined) check.refuse("OFFSET", query.offset.at, WHOLE);
  return true;
}

function checkBody(body: QueryBody, check: Check): boolean {
  switch (body.kind) {
    case "query":
      return checkQuery(body.query, check);
    case "values":
      return false;
    case "select":
      return checkSelect(body, check);
    case "set": {
      const sides = [checkBody(body.left, check), checkBody(body.right, check)];
      if (!sides.includes(true)) return false;
      if (body.op !== "UNION" || !body.all) check.refuse(body.op, body.at, WHOLE);
      if (sides.includes(false))
        check.refuse(
          "UNION ALL with a side that is no stream",
          body.at,
          "Read both sides with STREAM, or declare two flows into the table.",
        );
      return true;
    }
  }
}

function checkSelect(select: Select, check: Check): boolean {
  refuseStreamsInSubqueries(select, check);
  if (select.from === undefined || !checkFrom(select.from, check)) return false;
  if (select.distinct) check.refuse("DISTINCT", select.at, ONE_A_KEY);
  if (select.groupBy === "all" || select.groupBy.length > 0) {
    const at = select.groupBy === "all" ? select.at : (select.groupBy[0]?.at ?? select.at);
    if (hasWatermark(select.from)) check.refuse("GROUP BY with a WATERMARK", at, WINDOW);
    check.refuse("GROUP BY", at, WHOLE);
  }
  if (select.having !== undefined) check.refuse("HAVING", select.having.at, WHOLE);
  if (select.qualify !== undefined) check.refuse("QUALIFY", select.qualify.at, WHOLE);
  for (const call of within(select, "call")) {
    if (call.over !== undefined) check.refuse("A window function", call.at, WHOLE);
    if (functionKind(call.name) === "aggregate") check.refuse(`The aggregate ${call.name}`, call.at, WHOLE);
  }
  return true;
}

function checkFrom(item: FromItem, check: Check): boolean {
  switch (item.kind) {
    case "relation":
      return item.relation.stream;
    case "cte": {
      // Within its own query a recursive CTE is what its first rows are.
      if (item.cte.recursive === true && !check.ctes.has(item.cte)) check.ctes.set(item.cte, false);
      const known = check.ctes.get(item.cte) ?? checkQuery(item.cte.query, check);
      check.ctes.set(item.cte, known);
      return known;
    }
    case "derived":
      return checkQuery(item.query, check);
    case "function":
      return false;
    case "lateral-view":
      return checkFrom(item.input, check);
    case "pivot":
      return checkFrom(item.input, check) && check.refuse("PIVOT", item.at, WHOLE);
    case "unpivot":
      return checkFrom(item.input, check);
    case "join": {
      const [left, right] = [checkFrom(item.left, check), checkFrom(item.right, check)];
      if (left && right)
        check.refuse(
          "A join of two streams",
          item.at,
          "Rows of one wait for rows of the other, and nothing is kept from batch to batch. Read one of them whole, without STREAM; or join both in a materialized view.",
        );
      // A row of the other side that finds no partner in this batch may find one in the next.
      if (left && (item.type === "right" || item.type === "full"))
        check.refuse(
          `A ${item.type} join whose left side streams`,
          item.at,
          "Put the stream on the side that is kept.",
        );
      if (right && item.type !== "inner" && item.type !== "cross" && item.type !== "right")
        check.refuse(
          `A ${item.type} join whose right side streams`,
          item.at,
          "Put the stream on the side that is kept.",
        );
      return left || right;
    }
  }
}

function refuseStreamsInSubqueries(select: Select, check: Check): void {
  const hint = "Read it without STREAM there.";
  for (const kind of ["in-query", "exists", "scalar-query"] as const) {
    for (const node of within(select, kind))
      if (checkQuery(node.query, check)) check.refuse("STREAM in a subquery", node.at, hint);
  }
}

type Nodes = {
  call: { readonly name: string; readonly over?: unknown; readonly at: number };
  "in-query": { readonly query: Query; readonly at: number };
  exists: { readonly query: Query; readonly at: number };
  "scalar-query": { readonly query: Query; readonly at: number };
};

/** Nodes of a kind in the expressions of a SELECT; those of queries below it are theirs. */
function within<K extends keyof Nodes>(select: Select, kind: K): Nodes[K][] {
  const found: Nodes[K][] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) visit(item);
    else if (typeof node === "object" && node !== null) {
      if ("kind" in node && node.kind === kind) found.push(node as unknown as Nodes[K]);
      for (const [key, value] of Object.entries(node)) if (key !== "query") visit(value);
    }
  };
  visit([select.items, select.where, select.groupBy, select.having, select.qualify, joinConditions(select.from)]);
  return found;
}

function hasWatermark(item: FromItem): boolean {
  if (item.kind === "join") return hasWatermark(item.left) || hasWatermark(item.right);
  return "watermark" in item && item.watermark !== undefined;
}

function joinConditions(item: FromItem | undefined): unknown[] {
  return item?.kind === "join" ? [item.on, ...joinConditions(item.left), ...joinConditions(item.right)] : [];
}
