import { type ArrayType, type DataType, sameType } from "../../model/data-type.js";
import { bindConcat } from "../bind/bind-operators.js";
import { coerce, noCommonType } from "../bind/bind-place.js";
import { anyNullable, type Bound } from "../bind/bound.js";
import { BIGINT, BOOLEAN, commonTypeOf, INT, isAtomic, isComparable, isFloating, STRING } from "../bind/type-rules.js";
import { lowerCast } from "../lower/lower-cast.js";
import { orderKey } from "../lower/lower-order.js";
import { castTo, normalizeZero, quoteText, raise } from "../lower/lower-text.js";
import {
  arg,
  argOf,
  type Functions,
  type Lowered,
  mismatch,
  nameWithDefault,
  type SparkFunction,
  scalar,
  type Use,
  unsupportedForm,
} from "./function.js";
import { REVERSE_BYTES } from "./host/bytes.js";
import { callHost } from "./host/host-function.js";

const fn = (arity: readonly [number, number], bind: (use: Use) => Lowered): SparkFunction =>
  scalar(arity[0], arity[1], bind);

/** Arrays as sets and lists. Where Spark tells NULL apart, so do these: lists of DuckDB mostly pass it over. */
export const ARRAYS: Functions = {
  array_contains: fn([2, 2], contains),
  array_position: fn([2, 2], position),
  array_distinct: fn([1, 1], (use) =>
    sameArray(use, (a, { element }) => {
      needComparable(use, element);
      return `spark_distinct(${withoutNegativeZero(a, element)})`;
    }),
  ),
  array_remove: fn([2, 2], remove),
  array_append: fn([2, 2], (use) => extended(use, (a, x) => `list_append(${a}, ${x})`)),
  array_prepend: fn([2, 2], (use) => extended(use, (a, x) => `list_prepend(${x}, ${a})`)),
  array_insert: fn([3, 3], insert),
  array_compact: fn([1, 1], (use) => {
    const lowered = sameArray(use, (a) => `list_filter(${a}, lambda e: e IS NOT NULL)`);
    return { ...lowered, type: { ...(lowered.type as ArrayType), containsNull: false } };
  }),
  array_repeat: fn([2, 2], repeat),
  array_union: fn([2, 2], (use) => combined(use, (a, b) => `spark_distinct(list_concat(${a}, ${b}))`)),
  array_intersect: fn([2, 2], (use) =>
    combined(use, (a, b) => `list_filter(spark_distinct(${a}), lambda e: spark_holds(${b}, e))`),
  ),
  array_except: fn([2, 2], (use) =>
    combined(use, (a, b) => `list_filter(spark_distinct(${a}), lambda e: NOT spark_holds(${b}, e))`),
  ),
  arrays_overlap: fn([2, 2], (use) => {
    const [a, b] = twoArrays(use);
    const any = `list_has_any(list_filter(${a.sql}, lambda e: e IS NOT NULL), ${b.sql})`;
    const unknown = `len(${a.sql}) > 0 AND len(${b.sql}) > 0 AND (spark_holds(${a.sql}, NULL) OR spark_holds(${b.sql}, NULL))`;
    const sql = `CASE WHEN ${a.sql} IS NULL OR ${b.sql} IS NULL THEN NULL WHEN ${any} THEN true WHEN ${unknown} THEN NULL ELSE false END`;
    return { sql, type: BOOLEAN, nullable: true };
  }),
  array_join: fn([2, 3], join),
  array_max: fn([1, 1], (use) => extreme(use, "DESC")),
  array_min: fn([1, 1], (use) => extreme(use, "ASC")),
  sort_array: fn([1, 2], sort),
  shuffle: fn([1, 1], (use) => {
    // One random number for each row: its hashes with the places differ.
    const keyed = (a: string) => `list_transform(${a}, lambda e, i: {'k': hash(random(), i), 'v': e})`;
    const lowered = sameArray(use, (a) => `list_transform(list_sort(${keyed(a)}), lambda e: e['v'])`);
    return { ...lowered, sql: castTo(lowered.sql, lowered.type), volatile: true };
  }),
  slice: fn([3, 3], slice),
  reverse: fn([1, 1], (use) => {
    if (arg(use, 0).type.kind === "array") return sameArray(use, (a) => `list_reverse(${a})`);
    const text = argOf(use, 0, STRING, (t) => t.kind === "binary");
    if (text.type.kind === "binary")
      return { sql: callHost(REVERSE_BYTES, text.sql), type: text.type, nullable: text.nullable };
    return { sql: `spark_reverse(${text.sql})`, type: STRING, nullable: text.nullable, throws: text.throws };
  }),
  flatten: fn([1, 1], flatten),
  arrays_zip: fn([1, 64], zipped),
  get: fn([2, 2], (use) => {
    const array = arrayOf(use, 0);
    const index = argOf(use, 1, INT).sql;
    const sql = `CASE WHEN ${index} >= 0 THEN ${array.sql}[CAST(${index} AS BIGINT) + 1] END`;
    return { sql, type: array.type.element, nullable: true };
  }),
};

/** An array; NULL is one without a type. */
export function arrayOf(use: Use, index: number): Bound & { readonly type: ArrayType } {
  const bound = arg(use, index);
  if (bound.type.kind !== "array") throw mismatch(use, bound, "an ARRAY");
  return bound as Bound & { readonly type: ArrayType };
}

/** Sets know no -0.0. */
function withoutNegativeZero(sql: string, element: DataType): string {
  return isFloating(element) ? `list_transform(${sql}, lambda e: ${normalizeZero("e", element)})` : sql;
}

function sameArray(use: Use, lower: (array: string, type: ArrayType) => string): Lowered {
  const { sql, type, nullable } = arrayOf(use, 0);
  return { sql: lower(sql, type), type, nullable };
}

function needComparable(use: Use, element: DataType): void {
  if (!isComparable(element) && element.kind !== "void")
    throw mismatch(use, arg(use, 0), "an ARRAY of what can be compared");
}

/** The array and a value, both of the elements' common type. */
function withElement(use: Use, valueAt = 1): readonly [array: Bound & { readonly type: ArrayType }, value: Bound] {
  const array = arrayOf(use, 0);
  const value = arg(use, valueAt);
  const element = elementType(use, [array.type.element, value.type]);
  const type: ArrayType = { ...array.type, element };
  return [{ ...coerce(use.place, array, type), type }, coerce(use.place, value, element)];
}

/** Text and other types have no common element here (`findWiderTypeWithoutStringPromotion`). */
export function elementType(use: Use, types: readonly DataType[]): DataType {
  const common = commonTypeOf(types);
  const mixed = types.some((t) => t.kind === "string") && types.some((t) => t.kind !== "string" && t.kind !== "void");
  if (common === undefined || mixed) throw noCommonType(use.place, use.call.at, use.call.name, types);
  return common;
}

/** NULL without a type is no element to look for. */
function refuseNull(use: Use): void {
  if (arg(use, 1).type.kind === "void") throw mismatch(use, arg(use, 1), "a value that has a type");
}

function contains(use: Use): Lowered {
  refuseNull(use);
  const [array, value] = withElement(use);
  needComparable(use, array.type.element);
  const found = `list_contains(${keys(array)}, ${orderKey(value.sql, value.type)})`;
  const sql = `CASE WHEN ${array.sql} IS NULL OR ${value.sql} IS NULL THEN NULL WHEN ${found} THEN true WHEN spark_holds(${array.sql}, NULL) THEN NULL ELSE false END`;
  return { sql, type: BOOLEAN, nullable: anyNullable([array, value]) || array.type.containsNull };
}

/** What is compared instead of nested values, in which NULL equals NULL. */
function keys(array: Bound & { readonly type: ArrayType }): string {
  const { element } = array.type;
  return isAtomic(element) ? array.sql : `list_transform(${array.sql}, lambda x: ${orderKey("x", element)})`;
}

function position(use: Use): Lowered {
  refuseNull(use);
  const [array, value] = withElement(use);
  needComparable(use, array.type.element);
  const sql = `CASE WHEN ${array.sql} IS NOT NULL AND ${value.sql} IS NOT NULL THEN coalesce(list_position(${keys(array)}, ${orderKey(value.sql, value.type)}), 0) END`;
  return { sql: castTo(sql, BIGINT), type: BIGINT, nullable: anyNullable([array, value]) };
}

function remove(use: Use): Lowered {
  const [array, value] = withElement(use);
  needComparable(use, array.type.element);
  const sql = `CASE WHEN ${value.sql} IS NOT NULL THEN list_filter(${array.sql}, lambda e: e IS DISTINCT FROM ${value.sql}) END`;
  return { sql, type: array.type, nullable: anyNullable([array, value]) };
}

function extended(use: Use, lower: (array: string, value: string) => string): Lowered {
  const [array, value] = withElement(use);
  const type = { ...array.type, containsNull: array.type.containsNull || value.nullable };
  const sql = `CASE WHEN ${array.sql} IS NOT NULL THEN ${lower(array.sql, value.sql)} END`;
  return { sql, type, nullable: array.nullable };
}

/** At a place from 1, from the end when negative; places between are filled with NULL. */
function insert(use: Use): Lowered {
  const [array, value] = withElement(use, 2);
  if (arg(use, 1).type.kind === "void") throw mismatch(use, arg(use, 1), "INT");
  const place = argOf(use, 1, INT).sql;
  const type = { ...array.type, containsNull: true };
  const zero = castTo(raise("INVALID_INDEX_OF_ZERO", "The index 0 is invalid: array indexes start at 1."), type);
  const [list, nulls] = [array.sql, (count: string) => castTo(`list_resize([], ${count})`, type)];
  const behind = `len(${list}) + ${place} + 1`;
  const at = (n: string) => `list_concat(list_append(${list}[1:${n}], ${value.sql}), ${list}[${n} + 1:])`;
  const whens = [
    `WHEN ${list} IS NULL OR ${place} IS NULL THEN NULL`,
    `WHEN ${place} = 0 THEN ${zero}`,
    `WHEN ${place} > len(${list}) THEN list_append(list_concat(${list}, ${nulls(`${place} - 1 - len(${list})`)}), ${value.sql})`,
    `WHEN ${place} > 0 THEN ${at(`(${place} - 1)`)}`,
    `WHEN ${behind} < 0 THEN list_concat(list_prepend(${value.sql}, ${nulls(`-(${behind})`)}), ${list})`,
  ];
  const sql = `CASE ${whens.join(" ")} ELSE ${at(`(${behind})`)} END`;
  return { sql, type, nullable: array.nullable, throws: true };
}

function repeat(use: Use): Lowered {
  const value = arg(use, 0);
  const count = argOf(use, 1, INT);
  const type: ArrayType = { kind: "array", element: value.type, containsNull: value.nullable };
  const sql = castTo(`list_transform(range(greatest(${count.sql}, 0)), lambda i: ${value.sql})`, type);
  return { sql: `CASE WHEN ${count.sql} IS NOT NULL THEN ${sql} END`, type, nullable: count.nullable };
}

function twoArrays(use: Use): readonly [Bound & { type: ArrayType }, Bound & { type: ArrayType }] {
  const [a, b] = [arrayOf(use, 0), arrayOf(use, 1)];
  const element = elementType(use, [a.type.element, b.type.element]);
  // No implicit cast here (`ArrayBinaryLike`).
  if (![a, b].every(({ type }) => type.element.kind === "void" || sameType(type.element, element)))
    throw noCommonType(use.place, use.call.at, use.call.name, [a.type, b.type]);
  needComparable(use, element);
  const type: ArrayType = { kind: "array", element, containsNull: a.type.containsNull || b.type.containsNull };
  return [
    { ...coerce(use.place, a, type), type },
    { ...coerce(use.place, b, type), type },
  ];
}

function combined(use: Use, lower: (a: string, b: string) => string): Lowered {
  const [a, b] = twoArrays(use);
  const sql = `CASE WHEN ${a.sql} IS NOT NULL AND ${b.sql} IS NOT NULL THEN ${lower(a.sql, b.sql)} END`;
  return { sql, type: a.type, nullable: anyNullable([a, b]) };
}

/** NULL elements are left out, or replaced by the third argument. */
function join(use: Use): Lowered {
  const array = arrayOf(use, 0);
  const text = lowerCast("e", array.type.element, STRING, false);
  if (text === undefined || !isAtomic(array.type.element)) throw mismatch(use, array, "an ARRAY of STRING");
  const separator = argOf(use, 1, STRING);
  const replacement = use.args.length > 2 ? argOf(use, 2, STRING) : undefined;
  const part = replacement === undefined ? text.sql : `coalesce(${text.sql}, ${replacement.sql})`;
  const parts = `list_transform(${array.sql}, lambda e: ${part})`;
  // Of NULLs alone DuckDB makes NULL, Spark the empty text.
  const joined = `array_to_string(${replacement === undefined ? present(parts) : parts}, ${separator.sql})`;
  const needed = [separator, ...(replacement === undefined ? [] : [replacement])];
  const sql = `CASE WHEN ${needed.map((n) => `${n.sql} IS NOT NULL`).join(" AND ")} THEN ${joined} END`;
  return { sql, type: STRING, nullable: anyNullable(use.args) };
}

const present = (sql: string) => `list_filter(${sql}, lambda e: e IS NOT NULL)`;

function extreme(use: Use, order: "ASC" | "DESC"): Lowered {
  const array = arrayOf(use, 0);
  needComparable(use, array.type.element);
  return { sql: `(${sorted(present(array.sql), array.type, order)})[1]`, type: array.type.element, nullable: true };
}

/** By a key beside each element, where elements are no single values. */
function sorted(sql: string, type: ArrayType, order: "ASC" | "DESC"): string {
  const nulls = order === "ASC" ? "NULLS FIRST" : "NULLS LAST";
  if (isAtomic(type.element)) return `list_sort(${sql}, '${order}', '${nulls}')`;
  const pairs = `list_transform(${sql}, lambda e: {'n': e IS NOT NULL, 'k': ${orderKey("e", type.element)}, 'v': e})`;
  return `list_transform(list_sort(${pairs}, '${order}', '${nulls}'), lambda e: e['v'])`;
}

function sort(use: Use): Lowered {
  const array = arrayOf(use, 0);
  needComparable(use, array.type.element);
  const literal = use.args.length > 1 ? arg(use, 1).literal : { type: "boolean", value: "true" };
  if (literal?.type !== "boolean")
    throw unsupportedForm(use, "sort_array in a computed order", "Write true or false.", arg(use, 1).at);
  const sql = sorted(array.sql, array.type, literal.value === "true" ? "ASC" : "DESC");
  const name = use.args.length > 1 ? {} : { name: nameWithDefault(use, "true") };
  return { sql, type: array.type, nullable: array.nullable, ...name };
}

/** So many elements from a place, counted from 1 or from the end. */
function slice(use: Use): Lowered {
  const array = arrayOf(use, 0);
  const [start, length] = [argOf(use, 1, INT), argOf(use, 2, INT)];
  const wrongStart = raise("INVALID_PARAMETER_VALUE", "The start of slice is not 0: array indexes start at 1.");
  const wrongLength = raise("INVALID_PARAMETER_VALUE", "The length of slice is 0 or more.");
  const from = `(CASE WHEN ${start.sql} > 0 THEN ${start.sql} ELSE len(${array.sql}) + ${start.sql} + 1 END)`;
  const whens = [
    `WHEN ${array.sql} IS NULL OR ${start.sql} IS NULL OR ${length.sql} IS NULL THEN NULL`,
    `WHEN ${start.sql} = 0 THEN ${castTo(wrongStart, array.type)}`,
    `WHEN ${length.sql} < 0 THEN ${castTo(wrongLength, array.type)}`,
    `WHEN ${from} < 1 OR ${length.sql} = 0 THEN ${castTo("[]", array.type)}`,
  ];
  const sql = `CASE ${whens.join(" ")} ELSE list_slice(${array.sql}, ${from}, ${from} + ${length.sql} - 1) END`;
  return { sql, type: array.type, nullable: anyNullable(use.args), throws: true };
}

/** NULL where one of the arrays is. */
function flatten(use: Use): Lowered {
  const array = arrayOf(use, 0);
  const { element } = array.type;
  if (element.kind !== "array") throw mismatch(use, array, "an ARRAY of ARRAY");
  const sql = `CASE WHEN NOT spark_holds(${array.sql}, NULL) THEN flatten(${array.sql}) END`;
  return { sql, type: element, nullable: array.nullable || array.type.containsNull };
}

/** Structs of the elements at one place; columns keep their names, other arrays have their number. */
function zipped(use: Use): Lowered {
  const arrays = use.args.map((_, i) => arrayOf(use, i));
  const names = use.call.args.map(({ expression }, i) =>
    expression.kind === "column"
      ? (expression.path.at(-1) ?? "")
      : expression.kind === "field"
        ? expression.field
        : `${i}`,
  );
  if (new Set(names.map((n) => n.toLowerCase())).size < names.length)
    throw unsupportedForm(use, "arrays_zip of one name twice", "Rename a column.");
  const fields = arrays.map((a, i) => ({ name: names[i] ?? "", type: a.type.element, nullable: true }));
  const type: ArrayType = { kind: "array", element: { kind: "struct", fields }, containsNull: false };
  const length = `greatest(${arrays.map((a) => `len(${a.sql})`).join(", ")})`;
  const struct = arrays.map((a, i) => `${quoteText(names[i] ?? "")}: ${a.sql}[i]`).join(", ");
  const isNull = arrays.map((a) => `${a.sql} IS NULL`).join(" OR ");
  const list = castTo(`list_transform(range(1, ${length} + 1), lambda i: {${struct}})`, type);
  return { sql: `CASE WHEN ${isNull} THEN NULL ELSE ${list} END`, type, nullable: anyNullable(arrays) };
}

/** `concat` and `||` of arrays. NULL where one is. */
export function concatArrays(use: Use): Lowered {
  const arrays = use.args.map((_, i) => arrayOf(use, i));
  const element = elementType(
    use,
    arrays.map((a) => a.type.element),
  );
  const type: ArrayType = { kind: "array", element, containsNull: arrays.some((a) => a.type.containsNull) };
  const texts = arrays.map((a) => coerce(use.place, a, type).sql);
  const isNull = texts.map((t) => `${t} IS NULL`).join(" OR ");
  return {
    sql: `CASE WHEN ${isNull} THEN NULL ELSE list_concat(${texts.join(", ")}) END`,
    type,
    nullable: anyNullable(arrays),
  };
}

/** Of arrays, or of texts. */
export function concat(use: Use): Lowered {
  return use.args.some((a) => a.type.kind === "array")
    ? concatArrays(use)
    : bindConcat(use.place, "concat", use.args, use.call.at);
}
