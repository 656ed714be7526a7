import type { AtomicName, DataType, Field } from "../../../model/data-type.js";
import type { DataType_StructField as SparkField, DataType as SparkType } from "./protocol/types_pb.js";
import { unsupportedType } from "./unsupported-type.js";

/**
 * The columns of a schema as Spark describes it.
 *
 * @throws IngotError NOT_SUPPORTED for a type that Ingot has not: intervals, VARIANT, TIME, GEOMETRY
 */
export function fieldsOfSchema({ kind }: SparkType): readonly Field[] {
  if (kind.case !== "struct") throw new Error(`a schema of kind ${kind.case}`);
  return kind.value.fields.map((field) => fieldOf(field));
}

function fieldOf({ name, dataType, nullable, metadata }: SparkField, column = name): Field {
  const comment: unknown = metadata === undefined ? undefined : JSON.parse(metadata).comment;
  return {
    name,
    type: typeOf(column, dataType),
    nullable,
    ...(typeof comment === "string" ? { comment } : {}),
  };
}

function typeOf(column: string, type: SparkType | undefined): DataType {
  const kind = type?.kind;
  switch (kind?.case) {
    case "decimal":
      return { kind: "decimal", precision: kind.value.precision ?? 10, scale: kind.value.scale ?? 0 };
    case "array":
      return {
        kind: "array",
        element: typeOf(column, kind.value.elementType),
        containsNull: kind.value.containsNull,
      };
    case "map":
      return {
        kind: "map",
        key: typeOf(column, kind.value.keyType),
        value: typeOf(column, kind.value.valueType),
        valueContainsNull: kind.value.valueContainsNull,
      };
    case "struct":
      return { kind: "struct", fields: kind.value.fields.map((field) => fieldOf(field, column)) };
    default: {
      const atomic = ATOMIC[kind?.case ?? ""];
      if (atomic === undefined) throw unsupportedType(column, kind?.case ?? "none");
      return { kind: atomic };
    }
  }
}

const ATOMIC: Readonly<Record<string, AtomicName>> = {
  null: "void",
  boolean: "boolean",
  byte: "tinyint",
  short: "smallint",
  integer: "int",
  long: "bigint",
  float: "float",
  double: "double",
  string: "string",
  // A query sees texts; only the table that holds them checks and pads.
  char: "string",
  varChar: "string",
  binary: "binary",
  date: "date",
  timestamp: "timestamp",
  timestampNtz: "timestamp_ntz",
};
