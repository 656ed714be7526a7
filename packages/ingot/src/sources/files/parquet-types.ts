import type { SchemaElement, SchemaTree } from "hyparquet";
import type { DataType, Field } from "../../model/data-type.js";

/** A type that Spark does not read from Parquet, or a layout of it that DuckDB reads otherwise. */
export class UnreadableType extends Error {
  /** Names from the column down. */
  readonly path: readonly string[];
  readonly type: string;

  constructor(path: readonly string[], type: string) {
    super();
    this.path = path;
    this.type = type;
  }
}

/**
 * The columns of a Parquet file with their types as Spark 4.2 reads them (`ParquetToSparkSchemaConverter`, and the
 * rules of the format for lists of older writers).
 *
 * @throws UnreadableType
 */
export function parquetFields({ children }: SchemaTree): Field[] {
  return children.map((child) => fieldOf(child, []));
}

function fieldOf(node: SchemaTree, above: readonly string[]): Field {
  const { name, repetition_type: repetition } = node.element;
  const path = [...above, name];
  const type = typeOf(node, path);
  // A repeated field outside a list is a list of its own.
  if (repetition === "REPEATED") {
    return { name, type: { kind: "array", element: type, containsNull: false }, nullable: false };
  }
  return { name, type, nullable: repetition !== "REQUIRED" };
}

function typeOf(node: SchemaTree, path: readonly string[]): DataType {
  const { element, children } = node;
  const logical = element.logical_type?.type;
  const { converted_type: converted } = element;
  if (element.type !== undefined) return primitiveType(element, path);
  if (logical === "LIST" || converted === "LIST") return listType(node, path);
  if (logical === "MAP" || converted === "MAP" || converted === "MAP_KEY_VALUE") return mapType(node, path);
  if (logical === "VARIANT") throw new UnreadableType(path, "VARIANT");
  return { kind: "struct", fields: children.map((child) => fieldOf(child, path)) };
}

function listType({ element, children }: SchemaTree, path: readonly string[]): DataType {
  const [repeated] = children;
  if (repeated === undefined || children.length > 1) throw new UnreadableType(path, "LIST");
  const [only, ...others] = repeated.children;
  const isOld = repeated.element.name === "array" || repeated.element.name === `${element.name}_tuple`;
  // DuckDB takes the one field for the element itself.
  if (isOld && only !== undefined && others.length === 0)
    throw new UnreadableType(path, "LIST of structs of one field");
  const isElement = only === undefined || others.length > 0;
  if (isElement) return { kind: "array", element: typeOf(repeated, path), containsNull: false };
  const { type, nullable } = fieldOf(only, path);
  return { kind: "array", element: type, containsNull: nullable };
}

function mapType({ children }: SchemaTree, path: readonly string[]): DataType {
  const [key, value] = children[0]?.children.map((child) => fieldOf(child, path)) ?? [];
  if (key === undefined || value === undefined) throw new UnreadableType(path, "MAP");
  return { kind: "map", key: key.type, value: value.type, valueContainsNull: value.nullable };
}

function primitiveType(element: SchemaElement, path: readonly string[]): DataType {
  const type = annotatedType(element);
  if (type === undefined) {
    const annotation = element.logical_type?.type ?? element.converted_type;
    throw new UnreadableType(path, annotation === undefined ? String(element.type) : `${element.type} (${annotation})`);
  }
  return type;
}

function annotatedType(element: SchemaElement): DataType | undefined {
  const { type, logical_type: logical, converted_type: converted } = element;
  if (logical?.type === "DECIMAL") return { kind: "decimal", precision: logical.precision, scale: logical.scale };
  if (converted === "DECIMAL") return { kind: "decimal", precision: element.precision ?? 0, scale: element.scale ?? 0 };
  switch (type) {
    case "BOOLEAN":
      return { kind: "boolean" };
    case "FLOAT":
      return { kind: "float" };
    case "DOUBLE":
      return { kind: "double" };
    case "INT96":
      return { kind: "timestamp" };
    case "INT32":
    case "INT64":
      return integerType(element);
    case "BYTE_ARRAY":
      if (logical === undefined && converted === undefined) return { kind: "binary" };
      if (logical?.type === "BSON" || converted === "BSON") return { kind: "binary" };
      return isText(element) ? { kind: "string" } : undefined;
    default:
      return logical === undefined && converted === undefined ? { kind: "binary" } : undefined;
  }
}

function isText({ logical_type: logical, converted_type: converted }: SchemaElement): boolean {
  return ["STRING", "ENUM", "JSON"].includes(logical?.type ?? "") || ["UTF8", "ENUM", "JSON"].includes(converted ?? "");
}

const SIGNED = { 8: "tinyint", 16: "smallint", 32: "int", 64: "bigint" } as const;
const UNSIGNED = { 8: "smallint", 16: "int", 32: "bigint" } as const;

function integerType({ type, logical_type: logical, converted_type: converted }: SchemaElement): DataType | undefined {
  if (logical?.type === "TIMESTAMP") {
    if (logical.unit === "NANOS") return undefined;
    return { kind: logical.isAdjustedToUTC ? "timestamp" : "timestamp_ntz" };
  }
  if (converted === "TIMESTAMP_MILLIS" || converted === "TIMESTAMP_MICROS") return { kind: "timestamp" };
  if (logical?.type === "DATE" || converted === "DATE") return { kind: "date" };
  const width = logical?.type === "INTEGER" ? logical.bitWidth : Number(/^U?INT_(\d+)$/.exec(converted ?? "")?.[1]);
  if (Number.isNaN(width)) {
    if (logical !== undefined || converted !== undefined) return undefined;
    return { kind: type === "INT32" ? "int" : "bigint" };
  }
  const isSigned = logical?.type === "INTEGER" ? logical.isSigned : converted?.startsWith("INT_");
  if (isSigned === true) return { kind: SIGNED[width as keyof typeof SIGNED] };
  if (width === 64) return { kind: "decimal", precision: 20, scale: 0 };
  return { kind: UNSIGNED[width as keyof typeof UNSIGNED] };
}
