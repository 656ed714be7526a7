import type { DataType, Field } from "../../model/data-type.js";
import { sameType } from "../../model/data-type.js";
import { coerce, describe, noCommonType } from "../bind/bind-place.js";
import { type Bound, callName, joinNames } from "../bind/bound.js";
import { markOf, structOrigins } from "../bind/origins.js";
import { atomic, commonTypeOf, INT, isAtomic } from "../bind/type-rules.js";
import { castTo, quoteText, raise } from "../lower/lower-text.js";
import {
  arg,
  argOf,
  type Functions,
  type Lowered,
  mismatch,
  scalar,
  textOf,
  type Use,
  unsupportedForm,
} from "./function.js";

export const NESTED: Functions = {
  struct: scalar(1, 256, (use) => makeStruct(use, use.args, structNames(use))),
  named_struct: scalar(2, 512, namedStruct),
  array: scalar(0, 1024, makeArray),
  size: scalar(1, 1, size),
  cardinality: scalar(1, 1, size),
  array_size: scalar(1, 1, size),
  element_at: scalar(2, 2, elementAt),
  try_element_at: scalar(2, 2, tryElementAt),
};

/** Columns keep their names; other values are `col1`, `col2`, … by their place. */
function structNames(use: Use): readonly string[] {
  return use.call.args.map(({ name, expression }, i) => {
    if (name !== undefined) return name;
    if (expression.kind === "column") return expression.path.at(-1) ?? "";
    return expression.kind === "field" ? expression.field : `col${i + 1}`;
  });
}

function namedStruct(use: Use): Lowered {
  const names: string[] = [];
  const values: Bound[] = [];
  for (let i = 0; i < use.args.length; i += 2) {
    const name = textOf(use, i);
    if (name === undefined || i + 1 >= use.args.length)
      throw unsupportedForm(use, "named_struct without a name for each value", "Write 'name', value, 'name', value.");
    names.push(name);
    values.push(arg(use, i + 1));
  }
  return { ...makeStruct(use, values, names), name: callName("named_struct", use.args) };
}

function makeStruct(use: Use, values: readonly Bound[], names: readonly string[]): Lowered {
  if (new Set(names.map((n) => n.toLowerCase())).size < names.length)
    throw unsupportedForm(use, "A struct with one field name twice", "Name the fields apart with AS.");
  const fields = values.map((v, i): Field => {
    const { type, nullable, origins } = v;
    return { name: names[i] ?? "", type, nullable, ...markOf(origins) };
  });
  const isStruct = use.call.name.toLowerCase() === "struct";
  const shown = (name: string, i: number) => (use.call.args[i]?.name === undefined ? name : `${name} AS ${names[i]}`);
  return {
    sql: `{${values.map((v, i) => `${quoteText(names[i] ?? "")}: ${v.sql}`).join(", ")}}`,
    type: { kind: "struct", fields },
    nullable: false,
    origins: structOrigins(names, values),
    ...(isStruct ? { name: joinNames(values, (all) => `struct(${all.map(shown).join(", ")})`) } : {}),
  };
}

function makeArray(use: Use): Lowered {
  const element = commonTypeOf(use.args.map((a) => a.type));
  if (element === undefined)
    throw noCommonType(
      use.place,
      use.call.at,
      "array",
      use.args.map((a) => a.type),
    );
  const values = use.args.map((a) => coerce(use.place, a, element));
  const type: DataType = { kind: "array", element, containsNull: use.args.some((a) => a.nullable) };
  return {
    sql: castTo(`[${values.map((v) => v.sql).join(", ")}]`, type),
    type,
    nullable: false,
    throws: values.some((v) => v.throws),
  };
}

function size(use: Use): Lowered {
  const value = arg(use, 0);
  if (value.type.kind === "void") return { sql: castTo("NULL", INT), type: INT, nullable: true };
  if (value.type.kind !== "array" && value.type.kind !== "map") throw mismatch(use, value, "an ARRAY or MAP");
  const name = use.call.name.toLowerCase();
  if (name === "array_size" && value.type.kind === "map") throw mismatch(use, value, "an ARRAY");
  const length = value.type.kind === "map" ? "cardinality" : "len";
  return { sql: castTo(`${length}(${value.sql})`, INT), type: INT, nullable: value.nullable };
}

/** Arrays count from 1, from the end when negative, and know no place outside; a missing key of a map is NULL. */
function elementAt(use: Use): Lowered {
  const value = arg(use, 0);
  if (value.type.kind === "map") {
    const given = arg(use, 1);
    const isText = (type: DataType) => type.kind === "string";
    const common = commonTypeOf([given.type, value.type.key]);
    if (common === undefined || !sameType(common, value.type.key) || isText(given.type) !== isText(value.type.key))
      throw mismatch(use, given, describe(value.type.key));
    const key = coerce(use.place, given, value.type.key);
    return { sql: `${value.sql}[${key.sql}]`, type: value.type.value, nullable: true };
  }
  if (value.type.kind !== "array") throw mismatch(use, value, "an ARRAY or MAP");
  const index = placeOf(use);
  const error = castTo(
    `CASE WHEN ${index} = 0 THEN ${raise("INVALID_INDEX_OF_ZERO", "The index 0 is invalid: array indexes start at 1.")} ELSE ${raise("INVALID_ARRAY_INDEX_IN_ELEMENT_AT", "The index is out of bounds. Use try_element_at to get NULL instead.")} END`,
    value.type.element,
  );
  return {
    sql: `CASE WHEN ${index} = 0 OR abs(${index}) > len(${value.sql}) THEN ${error} ELSE ${value.sql}[${index}] END`,
    type: value.type.element,
    nullable: true,
    throws: true,
  };
}

/** A place in an array: INT, and no text that could be one. */
function placeOf(use: Use): string {
  const index = arg(use, 1);
  if (!["int", "smallint", "tinyint"].includes(index.type.kind)) throw mismatch(use, index, "INT");
  return coerce(use.place, index, INT).sql;
}

/** NULL for a place outside; still none for the index 0. */
function tryElementAt(use: Use): Lowered {
  const value = arg(use, 0);
  if (value.type.kind !== "array") return elementAt(use);
  const index = placeOf(use);
  const zero = castTo(
    raise("INVALID_INDEX_OF_ZERO", "The index 0 is invalid: array indexes start at 1."),
    value.type.element,
  );
  const sql = `CASE WHEN ${index} = 0 THEN ${zero} ELSE ${value.sql}[${index}] END`;
  return { sql, type: value.type.element, nullable: true, throws: true };
}

/** `array[i]`, counted from 0; `map[key]`. */
export function subscript(use: Use): Lowered {
  const value = arg(use, 0);
  const name =
    value.name === undefined || arg(use, 1).name === undefined ? undefined : `${value.name}[${arg(use, 1).name}]`;
  if (value.type.kind === "map") {
    const map = value.type;
    const key = argOf(use, 1, map.key, (type) => !isAtomic(type) && sameType(type, map.key));
    return { sql: `${value.sql}[${key.sql}]`, type: map.value, nullable: true, throws: key.throws, name };
  }
  if (value.type.kind !== "array") throw mismatch(use, value, "an ARRAY or MAP");
  const bound = argOf(use, 1, INT, (t) => ["bigint", "smallint", "tinyint"].includes(t.kind));
  const index = castTo(bound.sql, atomic("bigint"));
  const error = castTo(
    raise("INVALID_ARRAY_INDEX", "The index is out of bounds. Use get() to get NULL instead."),
    value.type.element,
  );
  return {
    sql: `CASE WHEN ${index} < 0 OR ${index} >= len(${value.sql}) THEN ${error} ELSE ${value.sql}[${index} + 1] END`,
    type: value.type.element,
    nullable: true,
    throws: true,
    name,
  };
}
