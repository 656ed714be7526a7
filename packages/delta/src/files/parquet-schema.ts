import type { SchemaElement } from "hyparquet";
import type { DataType, DecimalType, Field, PrimitiveName, StructType } from "../schema/schema.js";

/**
 * The Parquet schema of rows of a Delta type: every field OPTIONAL, lists and maps in three levels, as Spark writes.
 * Source: the Delta protocol, "Delta Data Type to Parquet Type Mappings".
 *
 * Throws TypeError for a type that Parquet files of a table do not hold.
 */
export function parquetSchema(schema: StructType): SchemaElement[] {
  return [{ name: "spark_schema", num_children: schema.fields.length }, ...fieldsOf(schema)];
}

function fieldsOf({ fields }: StructType): SchemaElement[] {
  return fields.flatMap((field) => {
    const [element, ...within] = elementsOf(field.name, field.type, "OPTIONAL");
    return element === undefined ? [] : [{ ...element, ...fieldIdOf(field) }, ...within];
  });
}

/** Column mapping puts the id of a field into the files, too. */
function fieldIdOf({ metadata }: Field): { field_id?: number } {
  const id = metadata["delta.columnMapping.id"];
  return typeof id === "number" ? { field_id: id } : {};
}

function elementsOf(name: string, type: DataType, repetition_type: "OPTIONAL" | "REQUIRED"): SchemaElement[] {
  switch (type.kind) {
    case "struct":
      return [{ name, repetition_type, num_children: type.fields.length }, ...fieldsOf(type)];
    case "array":
      return [
        { name, repetition_type, num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        ...elementsOf("element", type.element, "OPTIONAL"),
      ];
    case "map":
      return [
        { name, repetition_type, num_children: 1, converted_type: "MAP", logical_type: { type: "MAP" } },
        { name: "key_value", repetition_type: "REPEATED", num_children: 2 },
        ...elementsOf("key", type.key, "REQUIRED"),
        ...elementsOf("value", type.value, "OPTIONAL"),
      ];
    case "decimal":
      return [{ name, repetition_type, ...decimal(type) }];
    default:
      return [{ name, repetition_type, ...primitive(type.kind) }];
  }
}

type Physical = Omit<SchemaElement, "name" | "repetition_type">;

const timestamp = (isAdjustedToUTC: boolean): Physical => ({
  type: "INT64",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC, unit: "MICROS" },
});

const PRIMITIVES: Partial<Record<PrimitiveName, Physical>> = {
  boolean: { type: "BOOLEAN" },
  // No logical type: hyparquet-writer 0.17 writes its width as a 32-bit number, and DuckDB takes that for damage.
  byte: { type: "INT32", converted_type: "INT_8" },
  short: { type: "INT32", converted_type: "INT_16" },
  integer: { type: "INT32" },
  long: { type: "INT64" },
  float: { type: "FLOAT" },
  double: { type: "DOUBLE" },
  string: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  binary: { type: "BYTE_ARRAY" },
  date: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  timestamp: { ...timestamp(true), converted_type: "TIMESTAMP_MICROS" },
  timestamp_ntz: timestamp(false),
};

function primitive(kind: PrimitiveName): Physical {
  const physical = PRIMITIVES[kind];
  if (physical === undefined) throw new TypeError(`Parquet files of a table hold no ${kind}`);
  return physical;
}

/** As few bytes as the precision needs: 4, 8, or a fixed length. */
function decimal({ precision, scale }: DecimalType): Physical {
  const logical: Physical = {
    converted_type: "DECIMAL",
    precision,
    scale,
    logical_type: { type: "DECIMAL", precision, scale },
  };
  if (precision <= 9) return { type: "INT32", ...logical };
  if (precision <= 18) return { type: "INT64", ...logical };
  return { type: "FIXED_LEN_BYTE_ARRAY", type_length: decimalBytes(precision), ...logical };
}

function decimalBytes(precision: number): number {
  let bytes = 9;
  while (2n ** BigInt(8 * bytes - 1) <= 10n ** BigInt(precision)) bytes += 1;
  return bytes;
}
