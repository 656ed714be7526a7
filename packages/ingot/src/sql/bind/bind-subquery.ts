import type { Exists, InQuery, Query, ScalarQuery } from "../parse/ast.js";
import { type BoundSubquery, coerce, fail, noCommonType, type Place, unsupported } from "./bind-place.js";
import { type Bound, derive, joinNames } from "./bound.js";
import { BOOLEAN, commonType, isAtomic } from "./type-rules.js";

function bindQuery(place: Place, query: Query): BoundSubquery {
  return place.binder.bindSubquery(query, place.scope);
}

/** In a grouped query, columns that a subquery takes from around it are as loose as its own would be. */
function looseOf(bound: BoundSubquery, at: number): Pick<Bound, "loose"> {
  return { loose: bound.correlated ? [{ name: undefined, at }] : [] };
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
  const { type } = single(place, query, bound);
  if (bound.correlated && !bound.single)
    throw unsupported(place, at, "A correlated subquery that may give several rows", "Aggregate within it.");
  const own = {
    type,
    nullable: true,
    name: bound.correlated ? undefined : "scalarsubquery()",
    at,
    throws: true,
    volatile: bound.volatile,
  };
  return { ...derive([], { sql: `(${bound.sql})`, ...own }), ...looseOf(bound, at) };
}

export function bindInQuery(place: Place, node: InQuery): Bound {
  const operand = place.binder.bind({ ...place, filter: false }, node.operand);
  const bound = bindQuery(place, node.query);
  const column = single(place, node.query, bound);
  const type = commonType(operand.type, column.type);
  if (type === undefined) throw noCommonType(place, node.at, "IN", [operand.type, column.type]);
  if (!isAtomic(type) || type.kind === "void")
    throw unsupported(place, node.at, "IN with nested values", "Compare single values.");
  const value = coerce(place, operand, type);
  const name = place.binder.newName("s");
  const asColumn: Bound = { ...value, sql: `"${name}"."c0"`, type: column.type, loose: [] };
  const rows =
    column.type.kind === type.kind && type.kind !== "decimal"
      ? bound.sql
      : `SELECT ${coerce(place, asColumn, type).sql} FROM (${bound.sql}) AS "${name}"("c0")`;
  const result = derive([value], {
    sql: `(${value.sql} IN (${rows}))`,
    type: BOOLEAN,
    nullable: true,
    name: bound.correlated ? undefined : joinNames([operand], ([x]) => `(${x} IN (listquery()))`),
    at: node.at,
    throws: true,
    volatile: bound.volatile,
  });
  return { ...result, loose: [...result.loose, ...looseOf(bound, node.at).loose] };
}

export function bindExists(place: Place, { query, at }: Exists): Bound {
  const bound = bindQuery(place, query);
  const sql = `EXISTS (${bound.sql})`;
  const own = {
    type: BOOLEAN,
    nullable: false,
    name: bound.correlated ? undefined : "exists()",
    at,
    volatile: bound.volatile,
  };
  return { ...derive([], { sql, ...own }), ...looseOf(bound, at) };
}
