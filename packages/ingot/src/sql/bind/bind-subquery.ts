import type { DataType } from "../../model/data-type.js";
import { castTo, raise } from "../lower/lower-text.js";
import type { Exists, InQuery, Query, ScalarQuery } from "../parse/ast.js";
import { type BoundSubquery, coerce, describe, fail, noCommonType, type Place, unsupported } from "./bind-place.js";
import { type Bound, derive, joinNames } from "./bound.js";
import { asInfluence, combineOrigins, markOf, mergeInfluences, type Origins } from "./origins.js";
import { hasQuery } from "./tree-search.js";
import { BOOLEAN, commonType, isComparable } from "./type-rules.js";

function bindQuery(place: Place, query: Query): BoundSubquery {
  return place.binder.bindSubquery(query, place.scope);
}

/** In a grouped query, columns that a subquery takes from around it are as loose as its own would be. */
function looseOf(bound: BoundSubquery, at: number): Pick<Bound, "loose"> {
  return { loose: bound.outer.length > 0 ? [{ name: undefined, at }] : [] };
}

/**
 * What a subquery takes from around it, as Spark shows it: `scalarsubquery(dept, id)`. Undefined where that is not in
 * WHERE alone, since Spark lists it in the order of its plan.
 */
function outerNames({ body, orderBy }: Query, { outer }: BoundSubquery): string | undefined {
  if (outer.length === 0) return "";
  if (body.kind !== "select" || body.where === undefined || hasQuery(body.where)) return undefined;
  const start = body.where.at;
  const [group] = body.groupBy === "all" ? [] : body.groupBy;
  const after = [group, body.having, body.qualify, orderBy[0]?.expression].map(
    (e) => e?.at ?? Number.POSITIVE_INFINITY,
  );
  const end = Math.min(...after);
  return outer.every(({ at }) => at >= start && at < end) ? outer.map(({ name }) => name).join(", ") : undefined;
}

function nameOf(kind: string, query: Query, bound: BoundSubquery): string | undefined {
  const names = outerNames(query, bound);
  return names === undefined ? undefined : `${kind}(${names})`;
}

/** What a subquery that is a test depends on: it decides, and no value comes from it. */
function testOrigins({ columns, influences }: BoundSubquery): Origins {
  return mergeInfluences([influences, ...columns.map((c) => c.origins)]);
}

function single(place: Place, query: Query, bound: BoundSubquery) {
  const [column, second] = bound.columns;
  if (column === undefined || second !== undefined)
    throw fail(
      place,
      query.at,
      "NUM_COLUMNS_MISMATCH",
      "A subquery that is a value has one column",
      "Select one column.",
    );
  return column;
}

/** `(SELECT max(x) FROM t)`; more than one row is an error while it runs. */
export function bindScalarQuery(place: Place, { query, at }: ScalarQuery): Bound {
  const bound = bindQuery(place, query);
  const { type, origins } = single(place, query, bound);
  const all = [...origins.all, ...asInfluence(bound.influences).all];
  const own = {
    type,
    nullable: true,
    name: nameOf("scalarsubquery", query, bound),
    at,
    throws: true,
    volatile: bound.volatile,
    origins: combineOrigins([{ type, origins: { all, ...markOf(origins) } }], type),
  };
  const sql = bound.outer.length > 0 && !bound.single ? oneRow(place, bound.sql, type) : bound.sql;
  return { ...derive([], { sql: `(${sql})`, ...own }), ...looseOf(bound, at) };
}

/** DuckDB takes any row of a correlated subquery; here several are an error. */
function oneRow(place: Place, sql: string, type: DataType): string {
  const alias = place.binder.newName("s");
  const error = raise(
    "SCALAR_SUBQUERY_TOO_MANY_ROWS",
    "More than one row returned by a subquery used as an expression.",
  );
  return `SELECT CASE WHEN count(*) > 1 THEN ${castTo(error, type)} ELSE any_value("${alias}"."c0") END FROM (${sql}) AS "${alias}"("c0")`;
}

export function bindInQuery(place: Place, node: InQuery): Bound {
  return finishIn(place, node, (test) => nullAsFalse(place, test));
}

/**
 * Spark joins to find out, and a comparison that is NULL finds no partner (`rewriteExistentialExpr`). A filter drops
 * both, and only where nothing stands around the test DuckDB joins, too.
 */
function nullAsFalse(place: Place, test: string): string {
  return place.filter !== false ? test : `coalesce(${test}, false)`;
}

/** `x NOT IN (SELECT …)`: where a comparison is NULL, false too. */
export function bindNotIn(place: Place, node: InQuery, at: number): Bound {
  const bound = finishIn(place, node, (test) => nullAsFalse(place, `(NOT ${test})`));
  return { ...bound, at, name: joinNames([bound], ([x]) => `(NOT ${x})`) };
}

function finishIn(place: Place, node: InQuery, decide: (test: string) => string): Bound {
  const query = bindQuery(place, node.query);
  const operands = node.operand.kind === "row" ? node.operand.args.map((a) => a.expression) : [node.operand];
  const parts = operands.map((e) => place.binder.bind({ ...place, filter: false }, e));
  if (parts.length !== query.columns.length)
    throw fail(
      place,
      node.query.at,
      "NUM_COLUMNS_MISMATCH",
      `IN compares ${parts.length} with ${query.columns.length} columns`,
      "Select as many columns as stand before IN.",
    );
  const { values, test } = compareRows(place, node, parts, query);
  const [only] = parts;
  const list = nameOf("listquery", node.query, query);
  const isNull = parts.length === 1 && only?.literal?.type === "null";
  const result = derive(values, {
    sql: isNull ? castTo("NULL", BOOLEAN) : decide(test),
    type: BOOLEAN,
    nullable: true,
    name: list === undefined || parts.length > 1 ? undefined : joinNames(parts, ([x]) => `(${x} IN (${list}))`),
    at: node.at,
    throws: true,
    volatile: query.volatile,
  });
  const origins = { all: [...result.origins.all, ...testOrigins(query).all] };
  return { ...result, origins, loose: [...result.loose, ...looseOf(query, node.at).loose] };
}

function compareRows(place: Place, node: InQuery, parts: readonly Bound[], query: BoundSubquery) {
  const alias = place.binder.newName("s");
  const pairs = parts.map((part, i) => {
    const column = query.columns[i] ?? { ...part, name: "" };
    const type = commonType(part.type, column.type);
    if (type === undefined) throw noCommonType(place, node.at, "IN", [part.type, column.type]);
    if (!isComparable(type)) throw unsupported(place, node.at, `IN with ${describe(type)}`, "Compare single values.");
    const value = coerce(place, part, type);
    const asColumn: Bound = { ...value, sql: `"${alias}"."c${i}"`, type: column.type, loose: [] };
    return { value, column: coerce(place, asColumn, type).sql };
  });
  const values = pairs.map((p) => p.value);
  const list = pairs.map((_, i) => `"c${i}"`).join(", ");
  const rows = `FROM (${query.sql}) AS "${alias}"(${list})`;
  const [only, second] = pairs;
  if (only !== undefined && second === undefined)
    return { values, test: `(${only.value.sql} IN (SELECT ${only.column} ${rows}))` };
  // A row compares its parts one by one, which DuckDB's rows do not: for them NULL is a value.
  const equal = pairs.map((p) => `(${p.value.sql} = ${p.column})`).join(" AND ");
  const test = `(SELECT CASE WHEN bool_or(${equal}) THEN true WHEN count(*) FILTER (WHERE (${equal}) IS NULL) = 0 THEN false END ${rows})`;
  return { values, test };
}

export function bindExists(place: Place, { query, at }: Exists): Bound {
  const bound = bindQuery(place, query);
  const sql = `EXISTS (${bound.sql})`;
  const own = {
    type: BOOLEAN,
    nullable: false,
    name: nameOf("exists", query, bound),
    at,
    volatile: bound.volatile,
    origins: testOrigins(bound),
  };
  return { ...derive([], { sql, ...own }), ...looseOf(bound, at) };
}
