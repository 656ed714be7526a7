import type { DataType } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import { coerce, describe } from "../bind/bind-place.js";
import { extractField } from "../bind/bind-scope.js";
import { anyNullable, callName } from "../bind/bound.js";
import { DOUBLE, INT, isAtomic, isDecimal, isFloating, isInteger, STRING } from "../bind/type-rules.js";
import { parseSchema, parseType } from "../ddl-types.js";
import { lowerCast } from "../lower/lower-cast.js";
import { castTo, duckdbType, quoteText } from "../lower/lower-text.js";
import {
  arg,
  argOf,
  type Functions,
  type Lowered,
  scalar,
  simple,
  textOf,
  type Use,
  unsupportedForm,
} from "./function.js";
import { FORMAT_DATE } from "./host/date-format.js";
import { FIT_JSON } from "./host/from-json.js";
import { callHost } from "./host/host-function.js";
import { DOUBLE_TEXT } from "./host/java-double.js";
import { GET_JSON_OBJECT, JSON_ARRAY_LENGTH, JSON_OBJECT_KEYS, QUOTE_JSON } from "./host/json.js";
import { schemaOfJson } from "./host/json-schema.js";

const KEYS: DataType = { kind: "array", element: STRING, containsNull: true };

export const JSONS: Functions = {
  get_json_object: simple([STRING, STRING], STRING, (text, path) => callHost(GET_JSON_OBJECT, text, path), {
    nullable: true,
  }),
  json_array_length: simple([STRING], INT, (s) => callHost(JSON_ARRAY_LENGTH, s), { nullable: true }),
  json_object_keys: simple([STRING], KEYS, (s) => callHost(JSON_OBJECT_KEYS, s), { nullable: true }),
  schema_of_json: scalar(1, 1, (use) => {
    const text = textOf(use, 0);
    if (text === undefined)
      throw unsupportedForm(
        use,
        "schema_of_json of what is no constant",
        "Write an example of the JSON.",
        arg(use, 0).at,
      );
    const schema = schemaOfJson(text);
    if (schema === undefined)
      throw unsupportedForm(use, "schema_of_json of what is no JSON", "Write an example of the JSON.", arg(use, 0).at);
    return { sql: quoteText(schema), type: STRING, nullable: false };
  }),
  to_json: scalar(1, 1, toJson),
  from_json: scalar(2, 2, fromJson),
};

/** The schema is a constant: a type, or columns of a struct. */
function fromJson(use: Use): Lowered {
  const ddl = textOf(use, 1);
  const at = arg(use, 1).at;
  if (ddl === undefined)
    throw unsupportedForm(use, "from_json with a computed schema", "Write the schema as a constant.", at);
  const type = schemaOf(use, ddl);
  if (!isReadable(type))
    throw unsupportedForm(
      use,
      `from_json of ${describe(type)}`,
      "Read moments and binary as STRING and cast them.",
      at,
    );
  const text = argOf(use, 0, STRING);
  const fitted = callHost(FIT_JSON, text.sql, quoteText(JSON.stringify(type)));
  const sql = castTo(`from_json(CAST(${fitted} AS JSON), ${quoteText(JSON.stringify(structureOf(type)))})`, type);
  const name = type.kind === "map" ? "entries" : callName("from_json", use.args.slice(0, 1));
  return { sql, type, nullable: true, throws: true, name };
}

function schemaOf(use: Use, ddl: string): DataType {
  try {
    return parseType(ddl);
  } catch (error) {
    if (!(error instanceof IngotError)) throw error;
  }
  try {
    return { kind: "struct", fields: parseSchema(ddl) };
  } catch (error) {
    if (!(error instanceof IngotError)) throw error;
    throw unsupportedForm(
      use,
      `The schema ${ddl}`,
      "Write columns such as 'a INT, b STRING', or one type.",
      arg(use, 1).at,
    );
  }
}

function isReadable(type: DataType): boolean {
  if (type.kind === "struct") return type.fields.every((f) => isReadable(f.type));
  if (type.kind === "array") return isReadable(type.element);
  if (type.kind === "map") return type.key.kind === "string" && isReadable(type.value) && isAtomic(type.value);
  return isInteger(type) || isDecimal(type) || isFloating(type) || ["string", "boolean", "date"].includes(type.kind);
}

/** DuckDB's form of a type for `from_json`. */
function structureOf(type: DataType): unknown {
  if (type.kind === "struct") return Object.fromEntries(type.fields.map((f) => [f.name, structureOf(f.type)]));
  return type.kind === "array" ? [structureOf(type.element)] : duckdbType(type);
}

function toJson(use: Use): Lowered {
  const value = arg(use, 0);
  if (!["struct", "array", "map"].includes(value.type.kind))
    throw unsupportedForm(use, `to_json of ${describe(value.type)}`, "Take a STRUCT, ARRAY or MAP.", value.at);
  return { sql: jsonText(use, value.sql, value.type), type: STRING, nullable: anyNullable(use.args) };
}

/** The JSON text of a value; NULL for NULL. Fields that are NULL are left out, elements and values are not. */
function jsonText(use: Use, sql: string, type: DataType): string {
  switch (type.kind) {
    case "struct": {
      const fields = type.fields.map((field) => {
        const value = extractField(sql, field);
        return `${quoteText(`${JSON.stringify(field.name)}:`)} || ${jsonText(use, value, field.type)}`;
      });
      const present = `list_filter([${fields.join(", ")}], lambda p: p IS NOT NULL)`;
      return `CASE WHEN ${sql} IS NOT NULL THEN '{' || array_to_string(${present}, ',') || '}' END`;
    }
    case "array": {
      const items = `list_transform(${sql}, lambda e: coalesce(${jsonText(use, "e", type.element)}, 'null'))`;
      return `CASE WHEN ${sql} IS NOT NULL THEN '[' || array_to_string(${items}, ',') || ']' END`;
    }
    case "map": {
      const key = lowerCast("e['key']", type.key, STRING, false);
      if (key === undefined || !isAtomic(type.key))
        throw unsupportedForm(use, `to_json of ${describe(type)}`, "Cast its keys to STRING.");
      const entry = `${callHost(QUOTE_JSON, key.sql)} || ':' || coalesce(${jsonText(use, "e['value']", type.value)}, 'null')`;
      const entries = `list_transform(map_entries(${sql}), lambda e: ${entry})`;
      return `CASE WHEN ${sql} IS NOT NULL THEN '{' || array_to_string(${entries}, ',') || '}' END`;
    }
    default:
      return atomicText(use, sql, type);
  }
}

function atomicText(use: Use, sql: string, type: DataType): string {
  if (type.kind === "string") return callHost(QUOTE_JSON, sql);
  if (type.kind === "binary") return `'"' || to_base64(${sql}) || '"'`;
  if (type.kind === "void") return castTo("NULL", STRING);
  if (type.kind === "date") return `'"' || ${castTo(sql, STRING)} || '"'`;
  if (type.kind === "timestamp" || type.kind === "timestamp_ntz") return momentText(sql, type.kind === "timestamp");
  if (isFloating(type)) {
    const text =
      type.kind === "double" ? callHost(DOUBLE_TEXT, sql) : (lowerCast(sql, type, STRING, false)?.sql ?? "NULL");
    return `CASE WHEN isfinite(${castTo(sql, DOUBLE)}) THEN ${text} ELSE '"' || ${text} || '"' END`;
  }
  const bound = { ...arg(use, 0), sql, type };
  return coerce(use.place, bound, STRING).sql;
}

/** Millis and the distance from UTC. */
function momentText(sql: string, zoned: boolean): string {
  const local = zoned ? castTo(sql, { kind: "timestamp_ntz" }) : sql;
  const offset = zoned ? `CAST((epoch_us(${local}) - epoch_us(${sql})) // 1000000 AS INTEGER)` : "0";
  const pattern = `yyyy-MM-dd'T'HH:mm:ss.SSS${zoned ? "XXX" : ""}`;
  return `'"' || ${callHost(FORMAT_DATE, `epoch_us(${local})`, offset, quoteText(pattern))} || '"'`;
}
