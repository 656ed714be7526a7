import type { ArrayType, DataType, MapType } from "../../model/data-type.js";
import { coerce, noCommonType } from "../bind/bind-place.js";
import { anyNullable, type Bound } from "../bind/bound.js";
import { BOOLEAN, commonTypeOf, isComparable, STRING } from "../bind/type-rules.js";
import { castTo, raise } from "../lower/lower-text.js";
import { arrayOf, elementType } from "./array.js";
import {
  arg,
  argOf,
  type Functions,
  type Lowered,
  mismatch,
  nameWithDefault,
  scalar,
  textOf,
  type Use,
  unsupportedForm,
} from "./function.js";

/** Maps. Two equal keys and a key of NULL are errors, as in Spark's default. */
export const MAPS: Functions = {
  map: scalar(0, 512, fromPairs),
  map_from_arrays: scalar(2, 2, (use) => {
    const [keys, values] = [arrayOf(use, 0), arrayOf(use, 1)];
    const type = mapType(keys.type.element, values.type.element, values.type.containsNull);
    return {
      sql: makeMap(keys.sql, values.sql, type, `CASE WHEN ${keys.sql} IS NOT NULL THEN ${values.sql} END`),
      type,
      nullable: anyNullable(use.args),
      throws: true,
    };
  }),
  map_from_entries: scalar(1, 1, (use) => {
    const array = arrayOf(use, 0);
    const { element } = array.type;
    const [key, value] = element.kind === "struct" ? element.fields : [];
    if (element.kind !== "struct" || key === undefined || value === undefined || element.fields.length !== 2)
      throw mismatch(use, array, "an ARRAY of STRUCT with two fields");
    const type = mapType(key.type, value.type, value.nullable);
    const column = (name: string) =>
      `list_transform(${array.sql}, lambda e: struct_extract(e, '${name.replaceAll("'", "''")}'))`;
    const made = makeMap(column(key.name), column(value.name), type, array.sql);
    const sql = array.type.containsNull ? `CASE WHEN NOT spark_holds(${array.sql}, NULL) THEN ${made} END` : made;
    return { sql, type, nullable: array.nullable || array.type.containsNull, throws: true };
  }),
  map_keys: scalar(1, 1, (use) => {
    const map = mapArgument(use, 0);
    return { sql: `map_keys(${map.sql})`, type: listOf(map.type.key, false), nullable: map.nullable };
  }),
  map_values: scalar(1, 1, (use) => {
    const map = mapArgument(use, 0);
    return {
      sql: `map_values(${map.sql})`,
      type: listOf(map.type.value, map.type.valueContainsNull),
      nullable: map.nullable,
    };
  }),
  map_entries: scalar(1, 1, (use) => {
    const map = mapArgument(use, 0);
    const { key, value, valueContainsNull } = map.type;
    const fields = [
      { name: "key", type: key, nullable: false },
      { name: "value", type: value, nullable: valueContainsNull },
    ];
    return { sql: `map_entries(${map.sql})`, type: listOf({ kind: "struct", fields }, false), nullable: map.nullable };
  }),
  map_contains_key: scalar(2, 2, (use) => {
    const given = mapArgument(use, 0);
    if (arg(use, 1).type.kind === "void") throw mismatch(use, arg(use, 1), "a key that has a type");
    const type = { ...given.type, key: elementType(use, [given.type.key, arg(use, 1).type]) };
    const map = coerce(use.place, given, type);
    const key = coerce(use.place, arg(use, 1), type.key);
    const sql = `CASE WHEN ${key.sql} IS NOT NULL THEN list_contains(map_keys(${map.sql}), ${key.sql}) END`;
    return { sql, type: BOOLEAN, nullable: anyNullable(use.args) };
  }),
  map_concat: scalar(1, 64, concatMaps),
  str_to_map: scalar(1, 3, splitMap),
};

const listOf = (element: DataType, containsNull: boolean): ArrayType => ({ kind: "array", element, containsNull });
const mapType = (key: DataType, value: DataType, valueContainsNull: boolean): MapType => ({
  kind: "map",
  key,
  value,
  valueContainsNull,
});

export function mapArgument(use: Use, index: number): Bound & { readonly type: MapType } {
  const bound = arg(use, index);
  if (bound.type.kind !== "map") throw mismatch(use, bound, "a MAP");
  return bound as Bound & { readonly type: MapType };
}

/** A map of its keys and values as lists; NULL where `source` is. */
export function makeMap(keys: string, values: string, type: MapType, source: string): string {
  const error = (condition: string, message: string) => castTo(raise(condition, message), type);
  const double = error("DUPLICATED_MAP_KEY", "A map cannot have one key twice.");
  const none = error("NULL_MAP_KEY", "A map cannot have NULL as a key.");
  const uneven = error("INVALID_PARAMETER_VALUE", "Keys and values of a map are as many.");
  const made = castTo(`map(${keys}, ${values})`, type);
  return `CASE WHEN ${source} IS NULL THEN NULL WHEN len(${keys}) <> len(${values}) THEN ${uneven} WHEN spark_holds(${keys}, NULL) THEN ${none} WHEN len(list_distinct(${keys})) < len(${keys}) THEN ${double} ELSE ${made} END`;
}

function fromPairs(use: Use): Lowered {
  if (use.args.length % 2 === 1)
    throw unsupportedForm(use, "map with an odd number of arguments", "Give keys and values in turn.");
  const own = (rest: number) => use.args.filter((_, i) => i % 2 === rest);
  const common = (values: readonly Bound[]) => {
    const types = values.map((v) => v.type);
    const type = commonTypeOf(types);
    if (type === undefined) throw noCommonType(use.place, use.call.at, "map", types);
    return type;
  };
  const [keys, values] = [own(0), own(1)];
  const type = mapType(common(keys), common(values), anyNullable(values));
  if (!isComparable(type.key) && type.key.kind !== "void")
    throw mismatch(use, arg(use, 0), "a key that can be compared");
  const list = (bounds: readonly Bound[], element: DataType) =>
    castTo(`[${bounds.map((b) => coerce(use.place, b, element).sql).join(", ")}]`, listOf(element, true));
  const [keyList, valueList] = [list(keys, type.key), list(values, type.value)];
  const literal = keys.every((k) => k.literal !== undefined && k.type.kind !== "void");
  const isPlain = literal && new Set(keys.map((k) => k.sql)).size === keys.length;
  const sql = isPlain ? castTo(`map(${keyList}, ${valueList})`, type) : makeMap(keyList, valueList, type, "''");
  return { sql, type, nullable: false, throws: !isPlain };
}

function concatMaps(use: Use): Lowered {
  const maps = use.args.map((_, i) => mapArgument(use, i));
  const type = mapType(
    elementType(
      use,
      maps.map((m) => m.type.key),
    ),
    elementType(
      use,
      maps.map((m) => m.type.value),
    ),
    maps.some((m) => m.type.valueContainsNull),
  );
  const texts = maps.map((m) => coerce(use.place, m, type).sql);
  const joined = (column: string) => `list_concat(${texts.map((t) => `${column}(${t})`).join(", ")})`;
  const isNull = texts.map((t) => `${t} IS NULL`).join(" OR ");
  const made = makeMap(joined("map_keys"), joined("map_values"), type, "''");
  return { sql: `CASE WHEN ${isNull} THEN NULL ELSE ${made} END`, type, nullable: anyNullable(maps), throws: true };
}

/** The delimiters are regular expressions in Spark: here constants of signs that stand for themselves. */
function splitMap(use: Use): Lowered {
  const text = argOf(use, 0, STRING);
  const [between = ",", within = ":"] = [1, 2].map((i) => (use.args.length > i ? textOf(use, i) : undefined));
  const isGiven = (index: number) => use.args.length <= index || textOf(use, index) !== undefined;
  if (!isGiven(1) || !isGiven(2) || ![between, within].every((d) => /^[^\\^$.|?*+()[\]{}']+$/.test(d)))
    throw unsupportedForm(
      use,
      "str_to_map by such delimiters",
      "Write signs that mean nothing in regular expressions.",
    );
  const parts = `string_split(${text.sql}, '${between}')`;
  const at = `instr(e, '${within}')`;
  const keys = `list_transform(${parts}, lambda e: CASE WHEN ${at} = 0 THEN e ELSE left(e, ${at} - 1) END)`;
  const values = `list_transform(${parts}, lambda e: CASE WHEN ${at} > 0 THEN substring(e, ${at} + ${[...within].length}) END)`;
  const type = mapType(STRING, STRING, true);
  const defaults = [",", ":"].slice(use.args.length - 1).join(", ");
  const name = use.args.length < 3 ? { name: nameWithDefault(use, defaults) } : {};
  return { sql: makeMap(keys, values, type, text.sql), type, nullable: text.nullable, throws: true, ...name };
}
