import type { ArrayType, DataType, MapType, StructType } from "../../model/data-type.js";
import { extractField } from "../bind/bind-scope.js";
import { castTo, quoteText } from "./lower-text.js";
import type { LowerCast, LoweredCast } from "./lowered-cast.js";

/** A cast of an array, map or struct: part by part, or to its text. */
export function fromNested(
  sql: string,
  from: DataType,
  to: DataType,
  lenient: boolean,
  cast: LowerCast,
): LoweredCast | undefined {
  if (to.kind === "string") return nestedText(sql, from, cast);
  if (from.kind === "array" && to.kind === "array") return castArray(sql, from, to, lenient, cast);
  if (from.kind === "map" && to.kind === "map") return castMap(sql, from, to, lenient, cast);
  if (from.kind === "struct" && to.kind === "struct") return castStruct(sql, from, to, lenient, cast);
  return undefined;
}

/** A cast of NULL gives NULL, which also holds where the element is of no type. */
function castArray(
  sql: string,
  from: ArrayType,
  to: ArrayType,
  lenient: boolean,
  cast: LowerCast,
): LoweredCast | undefined {
  if (from.element.kind === "void") return { sql: castTo(sql, to), throws: false };
  const element = cast("e", from.element, to.element, lenient);
  if (element === undefined) return undefined;
  return { sql: `list_transform(${sql}, lambda e: ${element.sql})`, throws: element.throws };
}

function castMap(sql: string, from: MapType, to: MapType, lenient: boolean, cast: LowerCast): LoweredCast | undefined {
  const key = castArray(`map_keys(${sql})`, arrayOf(from.key), arrayOf(to.key), lenient, cast);
  const value = castArray(`map_values(${sql})`, arrayOf(from.value), arrayOf(to.value), lenient, cast);
  if (key === undefined || value === undefined) return undefined;
  return { sql: castTo(`map(${key.sql}, ${value.sql})`, to), throws: key.throws || value.throws };
}

function castStruct(
  sql: string,
  from: StructType,
  to: StructType,
  lenient: boolean,
  cast: LowerCast,
): LoweredCast | undefined {
  if (from.fields.length !== to.fields.length) return undefined;
  const parts = from.fields.map((field, i) => {
    const target = to.fields[i] ?? field;
    return cast(extractField(sql, field), field.type, target.type, lenient);
  });
  const texts: string[] = [];
  for (const [i, part] of parts.entries()) {
    if (part === undefined) return undefined;
    texts.push(`${quoteText(to.fields[i]?.name ?? "")}: ${part.sql}`);
  }
  const throws = parts.some((p) => p?.throws === true);
  return { sql: `CASE WHEN ${sql} IS NOT NULL THEN {${texts.join(", ")}} END`, throws };
}

const arrayOf = (element: DataType): ArrayType => ({ kind: "array", element, containsNull: true });

/** `[1, null]`, `{a -> 1}`, `{1, x}` (`ToPrettyString`'s plain sister in `Cast`). */
function nestedText(sql: string, from: DataType, cast: LowerCast): LoweredCast | undefined {
  switch (from.kind) {
    case "array": {
      const element = partText("e", from.element, cast);
      if (element === undefined) return undefined;
      return { sql: listText(`list_transform(${sql}, lambda e: ${element})`, sql, "[", "]"), throws: false };
    }
    case "map": {
      const key = partText("e['key']", from.key, cast);
      const value = partText("e['value']", from.value, cast);
      if (key === undefined || value === undefined) return undefined;
      // A value that is NULL has a space before it, as every value has.
      const entries = `list_transform(map_entries(${sql}), lambda e: ${key} || ' -> ' || ${value})`;
      return { sql: listText(entries, sql, "{", "}"), throws: false };
    }
    case "struct": {
      const parts = from.fields.map((field) => partText(extractField(sql, field), field.type, cast));
      if (parts.some((p) => p === undefined)) return undefined;
      const texts = parts.join(" || ', ' || ");
      return {
        sql: `CASE WHEN ${sql} IS NOT NULL THEN '{' || ${texts === "" ? "''" : texts} || '}' END`,
        throws: false,
      };
    }
    default:
      return undefined;
  }
}

function partText(sql: string, type: DataType, cast: LowerCast): string | undefined {
  const text = cast(sql, type, { kind: "string" }, false);
  return text === undefined ? undefined : `coalesce(${text.sql}, 'null')`;
}

function listText(list: string, source: string, open: string, close: string): string {
  return `CASE WHEN ${source} IS NOT NULL THEN '${open}' || array_to_string(${list}, ', ') || '${close}' END`;
}
