import type { DataType } from "../../model/data-type.js";
import { coerce, noCommonType } from "../bind/bind-place.js";
import { extractField } from "../bind/bind-scope.js";
import type { Bound } from "../bind/bound.js";
import { commonTypeOf, INT, STRING } from "../bind/type-rules.js";
import { castTo } from "../lower/lower-text.js";
import { arg, argOf, constantOf, mismatch, type Use, unsupportedForm } from "./function.js";
import { callHost } from "./host/host-function.js";
import { JSON_FIELD } from "./host/json.js";

/** A column that a generator makes; `list` is DuckDB's list of its values, as long as those of its other columns. */
export interface GeneratedColumn {
  readonly name: string;
  readonly type: DataType;
  readonly nullable: boolean;
  readonly list: string;
}

/** A function that makes rows of the values of one row. */
export interface Generator {
  readonly arity: readonly [least: number, most: number];
  /** Whether a row for which it makes nothing stays, with NULLs. */
  readonly outer: boolean;
  readonly bind: (use: Use) => readonly GeneratedColumn[];
}

const generator = (
  arity: readonly [number, number],
  bind: (use: Use) => readonly GeneratedColumn[],
  outer = false,
): Generator => ({ arity, outer, bind });

/** Generators with a translation; they stand alone in a select list, after LATERAL VIEW and in FROM. */
export const GENERATORS: ReadonlyMap<string, Generator> = new Map([
  ["explode", generator([1, 1], (use) => explode(use))],
  ["explode_outer", generator([1, 1], (use) => explode(use), true)],
  ["posexplode", generator([1, 1], posexplode)],
  ["posexplode_outer", generator([1, 1], posexplode, true)],
  ["inline", generator([1, 1], inline)],
  ["inline_outer", generator([1, 1], inline, true)],
  ["stack", generator([2, 1024], stack)],
  ["json_tuple", generator([2, 64], jsonTuple)],
]);

function explode(use: Use): readonly GeneratedColumn[] {
  const { type, sql } = arg(use, 0);
  if (type.kind === "array") return [{ name: "col", type: type.element, nullable: type.containsNull, list: sql }];
  if (type.kind !== "map") throw mismatch(use, arg(use, 0), "an ARRAY or MAP");
  return [
    { name: "key", type: type.key, nullable: false, list: `map_keys(${sql})` },
    { name: "value", type: type.value, nullable: type.valueContainsNull, list: `map_values(${sql})` },
  ];
}

function posexplode(use: Use): readonly GeneratedColumn[] {
  const columns = explode(use);
  const places = castTo(`range(len(${columns[0]?.list}))`, { kind: "array", element: INT, containsNull: false });
  return [{ name: "pos", type: INT, nullable: false, list: places }, ...columns];
}

function inline(use: Use): readonly GeneratedColumn[] {
  const { type, sql } = arg(use, 0);
  if (type.kind !== "array" || type.element.kind !== "struct") throw mismatch(use, arg(use, 0), "an ARRAY of STRUCT");
  const { fields } = type.element;
  return fields.map((field) => ({
    name: field.name,
    type: field.type,
    nullable: field.nullable || type.containsNull,
    list: `list_transform(${sql}, lambda s: ${extractField("s", field)})`,
  }));
}

/** `stack(rows, value, …)`: the values fill the rows one by one, NULL where they end. */
function stack(use: Use): readonly GeneratedColumn[] {
  const rows = constantOf(use, 0);
  if (rows === undefined || rows < 1)
    throw unsupportedForm(use, "stack into a computed number of rows", "Write a number of 1 or more.", arg(use, 0).at);
  const values = use.args.slice(1);
  const width = Math.ceil(values.length / rows);
  return Array.from({ length: width }, (_, column): GeneratedColumn => {
    const own = Array.from({ length: rows }, (_, row) => values[row * width + column]);
    const given = own.filter((v): v is Bound => v !== undefined);
    const type = commonTypeOf(given.map((v) => v.type));
    if (type === undefined)
      throw noCommonType(
        use.place,
        use.call.at,
        "stack",
        given.map((v) => v.type),
      );
    const texts = own.map((v) => (v === undefined ? castTo("NULL", type) : coerce(use.place, v, type).sql));
    const nullable = given.length < rows || given.some((v) => v.nullable);
    return { name: `col${column}`, type, nullable, list: `[${texts.join(", ")}]` };
  });
}

/** One row: the fields of the outermost object as texts. */
function jsonTuple(use: Use): readonly GeneratedColumn[] {
  const text = argOf(use, 0, STRING).sql;
  return use.args.slice(1).map((_, i) => {
    const name = argOf(use, i + 1, STRING).sql;
    return { name: `c${i}`, type: STRING, nullable: true, list: `[${callHost(JSON_FIELD, text, name)}]` };
  });
}
