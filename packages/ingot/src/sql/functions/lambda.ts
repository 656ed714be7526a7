import type { ArrayType, MapType } from "../../model/data-type.js";
import { bindLambda } from "../bind/bind-lambda.js";
import { coerce, expectBoolean } from "../bind/bind-place.js";
import { BOOLEAN, INT, isComparable } from "../bind/type-rules.js";
import { castTo, raise } from "../lower/lower-text.js";
import { arrayOf, elementType } from "./array.js";
import {
  arg,
  type BoundLambda,
  type Functions,
  type LambdaParameter,
  type Lowered,
  mismatch,
  nameWithDefault,
  type SparkFunction,
  type Use,
  unsupportedForm,
} from "./function.js";
import { makeMap, mapArgument } from "./map.js";

const higher = (
  arity: readonly [number, number],
  lambdas: readonly number[],
  bind: (use: Use) => Lowered,
): SparkFunction => ({
  kind: "scalar",
  arity,
  lambdas,
  bind,
});

const aggregate = higher([3, 4], [2, 3], fold);

/** Functions that take a function. */
export const LAMBDAS: Functions = {
  transform: higher([2, 2], [1], (use) => {
    const array = arrayOf(use, 0);
    const { sql, body } = bindLambda(use, 1, elementAndPlace(array), 1);
    const type: ArrayType = { kind: "array", element: body.type, containsNull: body.nullable };
    return {
      sql: castTo(`list_transform(${array.sql}, ${sql})`, type),
      type,
      nullable: array.nullable,
      throws: body.throws,
    };
  }),
  filter: higher([2, 2], [1], (use) => {
    const array = arrayOf(use, 0);
    const lambda = bindLambda(use, 1, elementAndPlace(array), 1);
    const sql = `list_filter(${array.sql}, ${condition(use, lambda)})`;
    return { sql, type: array.type, nullable: array.nullable, throws: lambda.body.throws };
  }),
  exists: higher([2, 2], [1], (use) => tested(use, "bool_or", "false")),
  forall: higher([2, 2], [1], (use) => tested(use, "bool_and", "true")),
  aggregate,
  reduce: aggregate,
  zip_with: higher([3, 3], [2], zip),
  array_sort: {
    ...higher([1, 2], [], (use) => (use.args.length === 1 ? sortPlain(use) : sortBy(use))),
    lambdas: [1],
  },
  transform_keys: higher([2, 2], [1], (use) => {
    const map = mapArgument(use, 0);
    const { sql, body } = bindEntry(use, map);
    const type: MapType = { ...map.type, key: body.type };
    const keys = `list_transform(map_entries(${map.sql}), ${sql})`;
    return { sql: makeMap(keys, `map_values(${map.sql})`, type, map.sql), type, nullable: map.nullable, throws: true };
  }),
  transform_values: higher([2, 2], [1], (use) => {
    const map = mapArgument(use, 0);
    const { sql, body } = bindEntry(use, map);
    const type: MapType = { ...map.type, value: body.type, valueContainsNull: body.nullable };
    const values = `list_transform(map_entries(${map.sql}), ${sql})`;
    const text = castTo(`map(map_keys(${map.sql}), ${values})`, type);
    return {
      sql: `CASE WHEN ${map.sql} IS NOT NULL THEN ${text} END`,
      type,
      nullable: map.nullable,
      throws: body.throws,
    };
  }),
  map_zip_with: higher([3, 3], [2], zipMaps),
  map_filter: higher([2, 2], [1], (use) => {
    const map = mapArgument(use, 0);
    const lambda = bindEntry(use, map);
    const entries = `list_filter(map_entries(${map.sql}), ${condition(use, lambda)})`;
    const sql = `CASE WHEN ${map.sql} IS NOT NULL THEN map_from_entries(${entries}) END`;
    return { sql, type: map.type, nullable: map.nullable, throws: lambda.body.throws };
  }),
};

/** DuckDB counts from 1. */
function elementAndPlace({ type }: { readonly type: ArrayType }): readonly LambdaParameter[] {
  return [
    { type: type.element, nullable: type.containsNull },
    { type: INT, nullable: false, sql: (name) => castTo(`(${name} - 1)`, INT) },
  ];
}

function condition(use: Use, { sql, body }: BoundLambda): string {
  expectBoolean(use.place, body);
  return body.type.kind === "void" ? sql.replace(/NULL$/, castTo("NULL", BOOLEAN)) : sql;
}

/** NULL where no element decides and one gives NULL. */
function tested(use: Use, aggregateName: string, empty: string): Lowered {
  const array = arrayOf(use, 0);
  const lambda = bindLambda(use, 1, elementAndPlace(array).slice(0, 1));
  const results = castTo(`list_transform(${array.sql}, ${condition(use, lambda)})`, {
    kind: "array",
    element: BOOLEAN,
    containsNull: true,
  });
  const decided = aggregateName === "bool_or" ? "true" : "false";
  const sql = `CASE WHEN ${array.sql} IS NULL THEN NULL WHEN list_contains(${results}, ${decided}) THEN ${decided} WHEN spark_holds(${results}, NULL) THEN NULL ELSE ${empty} END`;
  return { sql, type: BOOLEAN, nullable: true, throws: lambda.body.throws };
}

/** DuckDB's fold has one type for the sum and the elements: here a struct of both. */
function fold(use: Use): Lowered {
  const array = arrayOf(use, 0);
  const start = arg(use, 1);
  const { element } = array.type;
  if (element.kind === "void" || start.type.kind === "void")
    throw unsupportedForm(use, `${use.call.name} over NULL`, "Cast it to a type.", start.at);
  const type = start.type;
  const merged = bindLambda(use, 2, [
    { type, nullable: true, sql: (name) => `struct_extract(${name}, 'a')` },
    { type: element, nullable: array.type.containsNull, sql: (name) => `struct_extract(${name}, 'x')` },
  ]);
  if (JSON.stringify(merged.body.type) !== JSON.stringify(type) && merged.body.type.kind !== type.kind)
    throw mismatch(use, merged.body, `a lambda that gives what ${use.call.name} starts with; its result`);
  const [parameters = "", body = ""] = splitLambda(merged.sql);
  const next = coerce(use.place, { ...merged.body, sql: body }, type).sql;
  const none = castTo("NULL", element);
  const pair = (a: string, x: string) => `{'a': ${castTo(a, type)}, 'x': ${x}}`;
  const pairs = `list_transform(${array.sql}, lambda e: ${pair("NULL", "e")})`;
  const sum = `struct_extract(list_reduce(${pairs}, ${parameters}: ${pair(next, none)}, ${pair(start.sql, none)}), 'a')`;
  const throws = merged.body.throws || start.throws;
  const folded = `CASE WHEN ${array.sql} IS NOT NULL THEN ${sum} END`;
  if (use.args.length < 4) return { sql: folded, type, nullable: true, throws, name: nameOfFold(use) };
  const finish = bindLambda(use, 3, [{ type, nullable: true }]);
  const sql = `(list_transform([${folded}], ${finish.sql}))[1]`;
  const guarded = `CASE WHEN ${array.sql} IS NOT NULL THEN ${sql} END`;
  return { sql: guarded, type: finish.body.type, nullable: true, throws: throws || finish.body.throws };
}

function splitLambda(sql: string): readonly string[] {
  const at = sql.indexOf(": ");
  return [sql.slice(0, at), sql.slice(at + 2)];
}

/** A lambda whose parameters are read as fields of a struct each, as a lambda of one struct with all of the fields. */
function overOneStruct(sql: string): string {
  const [parameters = "", text = ""] = splitLambda(sql);
  const [row = "", ...others] = parameters.replace("lambda ", "").split(", ");
  const body = others.reduce(
    (all, other) => all.replaceAll(`struct_extract(${other},`, `struct_extract(${row},`),
    text,
  );
  return `lambda ${row}: ${body}`;
}

/** Spark shows the finish that is left out: the identity. */
function nameOfFold(use: Use): string | undefined {
  const names = use.args.map((a) => a.name);
  if (names.includes(undefined)) return undefined;
  const identity = "lambdafunction(namedlambdavariable(), namedlambdavariable())";
  return `${use.call.name.toLowerCase()}(${[...names, identity].join(", ")})`;
}

/** Elements at one place; the shorter array is filled with NULL. */
function zip(use: Use): Lowered {
  const [a, b] = [arrayOf(use, 0), arrayOf(use, 1)];
  const { sql, body } = bindLambda(use, 2, [
    { type: a.type.element, nullable: true, sql: (name) => `struct_extract(${name}, 'a')` },
    { type: b.type.element, nullable: true, sql: (name) => `struct_extract(${name}, 'b')` },
  ]);
  const type: ArrayType = { kind: "array", element: body.type, containsNull: body.nullable };
  const pairs = `list_transform(range(1, greatest(len(${a.sql}), len(${b.sql})) + 1), lambda i: {'a': ${a.sql}[i], 'b': ${b.sql}[i]})`;
  const list = castTo(`list_transform(${pairs}, ${overOneStruct(sql)})`, type);
  const nullable = a.nullable || b.nullable;
  return {
    sql: `CASE WHEN ${a.sql} IS NOT NULL AND ${b.sql} IS NOT NULL THEN ${list} END`,
    type,
    nullable,
    throws: body.throws,
  };
}

/** The values of each key of both maps, NULL where one map lacks it. */
function zipMaps(use: Use): Lowered {
  const [a, b] = [mapArgument(use, 0), mapArgument(use, 1)];
  const key = elementType(use, [a.type.key, b.type.key]);
  const { sql, body } = bindLambda(use, 2, [
    { type: key, nullable: false, sql: (name) => `struct_extract(${name}, 'k')` },
    { type: a.type.value, nullable: true, sql: (name) => `struct_extract(${name}, 'a')` },
    { type: b.type.value, nullable: true, sql: (name) => `struct_extract(${name}, 'b')` },
  ]);
  const [left, right] = [a, b].map((m) => coerce(use.place, m, { ...m.type, key }).sql);
  const keys = `spark_distinct(list_concat(map_keys(${left}), map_keys(${right})))`;
  const entries = `list_transform(${keys}, lambda k: {'k': k, 'a': ${left}[k], 'b': ${right}[k]})`;
  const type: MapType = { kind: "map", key, value: body.type, valueContainsNull: body.nullable };
  const made = castTo(`map(${keys}, list_transform(${entries}, ${overOneStruct(sql)}))`, type);
  return {
    sql: `CASE WHEN ${left} IS NOT NULL AND ${right} IS NOT NULL THEN ${made} END`,
    type,
    nullable: a.nullable || b.nullable,
    throws: body.throws,
  };
}

/** The order of a comparator: each element goes behind those that it does not come before. */
function sortBy(use: Use): Lowered {
  const array = arrayOf(use, 0);
  const element = { type: array.type.element, nullable: array.type.containsNull };
  const { sql, body } = bindLambda(use, 1, [element, { ...element, sql: (name) => `struct_extract(${name}, 'x')` }]);
  const [parameters = "", text = ""] = splitLambda(sql);
  const [left = "", right = ""] = parameters.replace("lambda ", "").split(", ");
  const error = raise("COMPARATOR_RETURNS_NULL", "The comparator of array_sort gave NULL.");
  const order = `coalesce(${coerce(use.place, { ...body, sql: text }, INT).sql}, CAST(${error} AS INTEGER))`;
  const [none, empty] = [castTo("NULL", array.type.element), castTo("[]", array.type)];
  const part = (sign: string) => `list_filter(s['l'], lambda ${left}: ${order} ${sign} 0)`;
  const next = `{'l': list_concat(list_append(${part("<=")}, struct_extract(${right}, 'x')), ${part(">")}), 'x': ${none}}`;
  const elements = `list_transform(${array.sql}, lambda e: {'l': ${empty}, 'x': e})`;
  const sorted = `struct_extract(list_reduce(${elements}, lambda s, ${right}: ${next}, {'l': ${empty}, 'x': ${none}}), 'l')`;
  return {
    sql: `CASE WHEN ${array.sql} IS NOT NULL THEN ${sorted} END`,
    type: array.type,
    nullable: array.nullable,
    throws: true,
  };
}

/** How Spark writes the comparator that is left out. */
const COMPARATOR = (() => {
  const v = "namedlambdavariable()";
  const order = `(IF((${v} < ${v}), -1, (IF((${v} > ${v}), 1, 0))))`;
  const one = `(IF((${v} IS NULL), 1, (IF((${v} IS NULL), -1, ${order}))))`;
  return `lambdafunction((IF(((${v} IS NULL) AND (${v} IS NULL)), 0, ${one})), ${v}, ${v})`;
})();

/** Without a lambda NULL comes last. */
function sortPlain(use: Use): Lowered {
  const array = arrayOf(use, 0);
  if (!isComparable(array.type.element)) throw mismatch(use, array, "an ARRAY of what can be compared");
  return {
    sql: `list_sort(${array.sql}, 'ASC', 'NULLS LAST')`,
    type: array.type,
    nullable: array.nullable,
    name: nameWithDefault(use, COMPARATOR),
  };
}

/** A lambda of key and value, over the map's entries. */
function bindEntry(use: Use, { type }: { readonly type: MapType }): BoundLambda {
  const { sql, body } = bindLambda(use, 1, [
    { type: type.key, nullable: false, sql: (name) => `struct_extract(${name}, 'key')` },
    { type: type.value, nullable: type.valueContainsNull, sql: (name) => `struct_extract(${name}, 'value')` },
  ]);
  return { sql: overOneStruct(sql), body };
}
