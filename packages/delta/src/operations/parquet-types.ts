import type { SchemaElement, SchemaTree } from "hyparquet";
import type { DataType, Field, StructType } from "../schema/schema.js";

/**
 * The columns of a Parquet file as Spark reads them, all nullable. Source: Spark's `ParquetToSparkSchemaConverter`.
 *
 * Throws TypeError for a type that Spark does not read, with the column's path.
 */
export function schemaOfParquet({ children }: SchemaTree): StructType {
  return { kind: "struct", fields: children.map(toField) };
}

function toField(tree: SchemaTree): Field {
  const { element } = tree;
  // Repeated without a list around it: a list itself.
  const type: DataType =
    element.repetition_type === "REPEATED"
      ? { kind: "array", element: toType(tree), containsNull: true }
      : toType(tree);
  return { name: element.name, type, nullable: true, metadata: {} };
}

function toType(tree: SchemaTree): DataType {
  const { element, children } = tree;
  if (element.type !== undefined) return toPrimitive(tree);
  const logical = element.logical_type?.type;
  if (logical === "LIST" || element.converted_type === "LIST") return toList(tree);
  if (logical === "MAP" || element.converted_type === "MAP" || element.converted_type === "MAP_KEY_VALUE")
    return toMap(tree);
  if (logical !== undefined) throw unknown(tree);
  return { kind: "struct", fields: children.map(toField) };
}

/** The repeated child is the list's level, except in files of older writers, where it is the element. */
function toList(tree: SchemaTree): DataType {
  const [repeated] = tree.children;
  if (repeated === undefined || tree.children.length > 1) throw unknown(tree);
  const { name, type } = repeated.element;
  const isElement =
    type !== undefined || repeated.children.length > 1 || name === "array" || name === `${tree.element.name}_tuple`;
  const [only = repeated] = repeated.children;
  return { kind: "array", element: isElement ? toType(repeated) : toField(only).type, containsNull: true };
}

function toMap(tree: SchemaTree): DataType {
  const [key, value] = tree.children[0]?.children ?? [];
  if (key === undefined || value === undefined) throw unknown(tree);
  return { kind: "map", key: toField(key).type, value: toField(value).type, valueContainsNull: true };
}

function toPrimitive(tree: SchemaTree): DataType {
  const { element } = tree;
  const decimal = decimalOf(element);
  switch (element.type) {
    case "BOOLEAN":
      return { kind: "boolean" };
    case "FLOAT":
      return { kind: "float" };
    case "DOUBLE":
      return { kind: "double" };
    case "INT96":
      return { kind: "timestamp" };
    case "INT32":
      return decimal ?? integer(tree, 32);
    case "INT64":
      return decimal ?? timestampOf(tree) ?? integer(tree, 64);
    case "BYTE_ARRAY":
      return decimal ?? textOf(tree);
    case "FIXED_LEN_BYTE_ARRAY":
      if (decimal !== undefined) return decimal;
      if (element.logical_type === undefined && element.converted_type === undefined) return { kind: "binary" };
      throw unknown(tree);
    default:
      throw unknown(tree);
  }
}

function decimalOf({ converted_type, logical_type, precision, scale }: SchemaElement): DataType | undefined {
  if (logical_type?.type === "DECIMAL")
    return { kind: "decimal", precision: logical_type.precision, scale: logical_type.scale };
  if (converted_type !== "DECIMAL" || precision === undefined) return undefined;
  return { kind: "decimal", precision, scale: scale ?? 0 };
}

/** Unsigned integers take the next larger type. */
function integer(tree: SchemaTree, width: 32 | 64): DataType {
  const { converted_type, logical_type } = tree.element;
  if (logical_type?.type === "DATE" || converted_type === "DATE") return { kind: "date" };
  const [, unsigned, bits = width] =
    logical_type?.type === "INTEGER"
      ? ["", logical_type.isSigned ? "" : "U", logical_type.bitWidth]
      : (/^(U?)INT_(\d+)$/.exec(converted_type ?? `INT_${width}`) ?? ["", "?"]);
  const places = ["byte", "short", "integer", "long", "decimal"] as const;
  const place = [8, 16, 32, 64].indexOf(Number(bits)) + (unsigned === "U" ? 1 : 0);
  const kind =
    place < 0 || unsigned === "?" || (logical_type && logical_type.type !== "INTEGER") ? undefined : places[place];
  if (kind === undefined) throw unknown(tree);
  return kind === "decimal" ? { kind, precision: 20, scale: 0 } : { kind };
}

function timestampOf(tree: SchemaTree): DataType | undefined {
  const { converted_type, logical_type } = tree.element;
  if (logical_type?.type === "TIMESTAMP") {
    if (logical_type.unit === "NANOS") throw unknown(tree);
    return { kind: logical_type.isAdjustedToUTC ? "timestamp" : "timestamp_ntz" };
  }
  return converted_type === "TIMESTAMP_MILLIS" || converted_type === "TIMESTAMP_MICROS"
    ? { kind: "timestamp" }
    : undefined;
}

function textOf(tree: SchemaTree): DataType {
  const { converted_type, logical_type } = tree.element;
  const name = logical_type?.type ?? converted_type;
  if (name === undefined || name === "BSON") return { kind: "binary" };
  if (name === "STRING" || name === "UTF8" || name === "ENUM" || name === "JSON") return { kind: "string" };
  throw unknown(tree);
}

function unknown({ path, element }: SchemaTree): TypeError {
  const type = element.logical_type?.type ?? element.converted_type ?? element.type ?? "a group of an unknown shape";
  return new TypeError(`the column ${path.join(".")} is ${type}`);
}
