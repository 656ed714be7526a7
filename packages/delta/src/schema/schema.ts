import { formatJson, isObject, type Json, type JsonObject, parseJson } from "../log/json.js";

/** Delta's data types under the protocol's names ("Schema Serialization Format"). */
export type DataType = PrimitiveType | DecimalType | ArrayType | MapType | StructType;

export interface PrimitiveType {
  readonly kind: PrimitiveName;
}
export interface DecimalType {
  readonly kind: "decimal";
  readonly precision: number;
  readonly scale: number;
}
export interface ArrayType {
  readonly kind: "array";
  readonly element: DataType;
  readonly containsNull: boolean;
}
export interface MapType {
  readonly kind: "map";
  readonly key: DataType;
  readonly value: DataType;
  readonly valueContainsNull: boolean;
}
export interface StructType {
  readonly kind: "struct";
  readonly fields: readonly Field[];
}

/** A column, or a field of a struct. */
export interface Field {
  readonly name: string;
  readonly type: DataType;
  readonly nullable: boolean;
  /** Comments, constraints and the marks of table features, by key. */
  readonly metadata: JsonObject;
}

const PRIMITIVES = [
  "byte",
  "short",
  "integer",
  "long",
  "float",
  "double",
  "string",
  "binary",
  "boolean",
  "date",
  "timestamp",
  "timestamp_ntz",
  "void",
  "variant",
] as const;

/** Assigning to it sets an object's prototype. */
export const NO_NAME = "__proto__";

export type PrimitiveName = (typeof PRIMITIVES)[number];

/** Throws TypeError for a type that is unknown, SyntaxError when the text is no schema; both name the column. */
export function parseSchema(schemaString: string): StructType {
  const schema = parseType(parseJson(schemaString), "schema");
  if (schema.kind !== "struct") throw new SyntaxError(`the schema is ${schema.kind}, not struct`);
  return schema;
}

export function formatSchema(schema: StructType): string {
  return formatJson(toJson(schema));
}

/** The primitive type of a name such as `decimal(15, 2)`. Throws TypeError for one that is unknown. */
export function parseTypeName(name: string): DataType {
  return parsePrimitive(name, "a column");
}

/** A type in the protocol's words: `decimal(15,2)`; a list, map or struct as the JSON text of a schema. */
export function formatType(type: DataType): string {
  const json = toJson(type);
  return typeof json === "string" ? json : formatJson(json);
}

/** A type and all types within it. */
export function* typesWithin(type: DataType): Generator<DataType> {
  yield type;
  switch (type.kind) {
    case "struct":
      for (const field of type.fields) yield* typesWithin(field.type);
      break;
    case "array":
      yield* typesWithin(type.element);
      break;
    case "map":
      yield* typesWithin(type.key);
      yield* typesWithin(type.value);
      break;
  }
}

function parseType(json: Json | undefined, path: string): DataType {
  if (typeof json === "string") return parsePrimitive(json, path);
  if (!isObject(json)) throw new SyntaxError(`${path} has no type`);
  switch (json["type"]) {
    case "struct":
      if (!Array.isArray(json["fields"])) throw new SyntaxError(`${path} is a struct without fields`);
      return {
        kind: "struct",
        fields: distinct(
          json["fields"].map((field: Json) => parseField(field, path)),
          path,
        ),
      };
    case "array":
      return {
        kind: "array",
        element: parseType(json["elementType"], `${path}.element`),
        containsNull: json["containsNull"] !== false,
      };
    case "map":
      return {
        kind: "map",
        key: parseType(json["keyType"], `${path}.key`),
        value: parseType(json["valueType"], `${path}.value`),
        valueContainsNull: json["valueContainsNull"] !== false,
      };
    // Within lists the protocol's own example writes the name this way.
    case "variant":
      return { kind: "variant" };
    default:
      throw new TypeError(`${path} has the unknown type ${formatJson(json["type"] ?? null)}`);
  }
}

/** Rows are objects by name, where one of two would be lost. */
function distinct(fields: readonly Field[], path: string): readonly Field[] {
  const names = new Set<string>();
  for (const { name } of fields) {
    if (names.has(name)) throw new SyntaxError(`${path} has two fields named ${name}`);
    names.add(name);
  }
  return fields;
}

function parsePrimitive(name: string, path: string): DataType {
  const kind = PRIMITIVES.find((primitive) => primitive === name);
  if (kind !== undefined) return { kind };
  if (name === "decimal") return { kind: "decimal", precision: 10, scale: 0 };
  const [, precision, scale] = /^decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(name) ?? [];
  if (precision === undefined || Number(precision) > 38 || Number(scale) > Number(precision))
    throw new TypeError(`${path} has the unknown type ${name}`);
  return { kind: "decimal", precision: Number(precision), scale: Number(scale) };
}

function parseField(json: Json, parent: string): Field {
  if (!isObject(json) || typeof json["name"] !== "string") throw new SyntaxError(`${parent} has a field without name`);
  const { name, type, nullable, metadata } = json;
  if (name === NO_NAME)
    throw new TypeError(`${parent} has a field named ${name}, which objects of JavaScript cannot have`);
  return {
    name,
    type: parseType(type, `${parent}.${name}`),
    nullable: nullable !== false,
    metadata: isObject(metadata) ? metadata : {},
  };
}

function toJson(type: DataType): Json {
  switch (type.kind) {
    case "decimal":
      return `decimal(${type.precision},${type.scale})`;
    case "array":
      return { type: "array", elementType: toJson(type.element), containsNull: type.containsNull };
    case "map":
      return {
        type: "map",
        keyType: toJson(type.key),
        valueType: toJson(type.value),
        valueContainsNull: type.valueContainsNull,
      };
    case "struct":
      return {
        type: "struct",
        fields: type.fields.map(({ name, type: fieldType, nullable, metadata }) => {
          return { name, type: toJson(fieldType), nullable, metadata };
        }),
      };
    default:
      return type.kind;
  }
}
