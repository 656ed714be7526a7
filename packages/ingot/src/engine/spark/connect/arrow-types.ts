import { type Field as ArrowField, type DataType as ArrowType, DataType as Is, TimeUnit } from "apache-arrow";
import type { DataType, Field } from "../../../model/data-type.js";
import { unsupportedType } from "./unsupported-type.js";

/**
 * The columns of a result, of the Arrow schema in which Spark sends it.
 *
 * @throws IngotError NOT_SUPPORTED for a type that Ingot has not: intervals, VARIANT, TIME, GEOMETRY
 */
export function fieldOfArrow(field: ArrowField, column = field.name): Field {
  // VARIANT, GEOMETRY and GEOGRAPHY come as structs of their bytes; only the metadata of a field tells.
  const children: readonly ArrowField[] = field.type.children ?? [];
  const disguise = children.find(({ metadata }) => metadata.has("variant") || metadata.has("geometry"));
  if (disguise !== undefined) throw unsupportedType(column, disguise.metadata.has("variant") ? "variant" : "geometry");
  return { name: field.name, type: typeOfArrow(column, field.type), nullable: field.nullable };
}

function typeOfArrow(column: string, type: ArrowType): DataType {
  const within = (child: ArrowField) => fieldOfArrow(child, column);
  if (Is.isNull(type)) return { kind: "void" };
  if (Is.isBool(type)) return { kind: "boolean" };
  if (Is.isInt(type)) return { kind: INTEGERS[type.bitWidth] };
  if (Is.isFloat(type)) return { kind: type.precision === 1 ? "float" : "double" };
  if (Is.isDecimal(type)) return { kind: "decimal", precision: type.precision, scale: type.scale };
  if (Is.isUtf8(type)) return { kind: "string" };
  if (Is.isBinary(type)) return { kind: "binary" };
  if (Is.isDate(type)) return { kind: "date" };
  if (Is.isTimestamp(type) && type.unit === TimeUnit.MICROSECOND) {
    return { kind: type.timezone ? "timestamp" : "timestamp_ntz" };
  }
  if (Is.isMap(type)) {
    const [key, value] = type.children[0]?.type.children.map(within) ?? [];
    if (key && value) return { kind: "map", key: key.type, value: value.type, valueContainsNull: value.nullable };
  }
  if (Is.isList(type)) {
    const [element] = type.children.map(within);
    if (element) return { kind: "array", element: element.type, containsNull: element.nullable };
  }
  if (Is.isStruct(type)) return { kind: "struct", fields: type.children.map(within) };
  throw unsupportedType(column, String(type));
}

const INTEGERS = { 8: "tinyint", 16: "smallint", 32: "int", 64: "bigint" } as const;
