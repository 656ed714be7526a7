import { hasCall } from "./bind/tree-search.js";
import { functionKind } from "./functions/registry.js";
import type { Call, FromItem, Join, Query, QueryBody, RelationRef, Select } from "./parse/ast.js";

interface Read {
  /** Each row of the relation has rows of its own in the result. */
  readonly isLinear: boolean;
  /** Relations whose rows stand in the result beside its own, as UNION ALL puts them. */
  readonly apart: readonly string[];
}

/** By relation id. */
type Reads = ReadonlyMap<string, Read>;

const NONE: Reads = new Map();

/**
 * The relations of a query whose rows come and go with rows of the result: what is added to one of them, while the others
 * stay, adds to the result what the query gives over the added rows alone. So it is for filters, projections, inner joins
 * and the kept side of outer joins; not for what looks at several rows, or reads a relation twice.
 *
 * @param grouped what the outermost SELECT does with groups of rows does not count: the rows are those that it groups
 * @returns by their ids, the relations of other sides of UNION ALL
 */
export function linearRelations(query: Query, grouped: boolean): Readonly<Record<string, readonly string[]>> {
  if (hasRecursion(query)) return {};
  return Object.fromEntries(
    [...ofQuery(query, grouped)].flatMap(([id, { isLinear, apart }]) => (isLinear ? [[id, apart]] : [])),
  );
}

/** The tree of a recursive CTE holds itself. */
function hasRecursion(node: unknown, seen: Set<unknown> = new Set()): boolean {
  if (typeof node !== "object" || node === null || seen.has(node)) return false;
  seen.add(node);
  return ("recursive" in node && node.recursive === true) || Object.values(node).some((n) => hasRecursion(n, seen));
}

function ofQuery({ body, limit, offset }: Query, grouped = false): Reads {
  const reads = ofBody(body, grouped);
  return limit !== undefined || offset !== undefined ? spoil(reads) : reads;
}

function ofBody(body: QueryBody, grouped: boolean): Reads {
  switch (body.kind) {
    case "select":
      return ofSelect(body, grouped);
    case "query":
      return ofQuery(body.query, grouped);
    case "values":
      return lookedInto(body.rows);
    case "set": {
      const [left, right] = [ofBody(body.left, false), ofBody(body.right, false)];
      return body.op === "UNION" && body.all ? unite(left, right) : spoil(combine(left, right));
    }
  }
}

/** The sides of a UNION ALL: what follows the rows of one must leave out those of the other. */
function unite(left: Reads, right: Reads): Reads {
  const besides = (reads: Reads, others: Reads): Reads =>
    new Map([...reads].map(([id, read]) => [id, { ...read, apart: [...read.apart, ...others.keys()] }]));
  const both = combine(besides(left, right), besides(right, left));
  return [left, right].every(isEmptyWithout) ? both : spoil(both);
}

/** Without rows in the relations that it reads there are none in the result. */
function isEmptyWithout(reads: Reads): boolean {
  return [...reads.values()].some(({ isLinear }) => isLinear);
}

function ofSelect(select: Select, grouped: boolean): Reads {
  const { items, from, where, groupBy, having, qualify, windows, distinct } = select;
  const reads = combine(
    from === undefined ? NONE : ofFrom(from),
    lookedInto([items, where, groupBy, having, qualify, ...windows.values()]),
  );
  const looksAround = distinct || qualify !== undefined || hasCall(items, ({ over }) => over !== undefined);
  const isGrouped = groupBy === "all" || groupBy.length > 0 || having !== undefined || hasCall(items, isAggregate);
  return (looksAround || isGrouped) && !grouped ? spoil(reads) : reads;
}

function isAggregate({ name }: Call): boolean {
  return functionKind(name) === "aggregate";
}

function ofFrom(item: FromItem): Reads {
  switch (item.kind) {
    case "relation":
      return new Map([[item.relation.id, { isLinear: true, apart: [] }]]);
    case "derived":
      return item.lateral === true ? spoil(ofQuery(item.query)) : ofQuery(item.query);
    case "cte":
      return ofQuery(item.cte.query);
    case "function":
      return lookedInto(item.call);
    case "lateral-view":
    case "unpivot":
      return ofFrom(item.input);
    case "pivot":
      return spoil(ofFrom(item.input));
    case "join":
      return ofJoin(item);
  }
}

/** Rows of a side that is only looked into have no rows of their own. */
const LOOKED_INTO: Readonly<Record<Join["type"], readonly ("left" | "right")[]>> = {
  inner: [],
  cross: [],
  left: ["right"],
  semi: ["right"],
  anti: ["right"],
  right: ["left"],
  full: ["left", "right"],
};

function ofJoin({ type, left, right, on }: Join): Reads {
  const [l, r] = [ofFrom(left), ofFrom(right)];
  const sides = LOOKED_INTO[type];
  const reads = combine(sides.includes("left") ? spoil(l) : l, sides.includes("right") ? spoil(r) : r);
  return combine(reads, lookedInto(on));
}

/** What subqueries of expressions read. */
function lookedInto(node: unknown): Reads {
  if (typeof node !== "object" || node === null) return NONE;
  if ("kind" in node && node.kind === "relation" && "relation" in node) return spoil(ofFrom(node as RelationRef));
  return Object.values(node).map(lookedInto).reduce(combine, NONE);
}

/** What is read on both sides is read twice. */
function combine(left: Reads, right: Reads): Reads {
  const twice = new Map([...left].filter(([id]) => right.has(id)));
  return new Map([...left, ...right, ...spoil(twice)]);
}

function spoil(reads: Reads): Reads {
  return new Map([...reads.keys()].map((id) => [id, { isLinear: false, apart: [] }]));
}
