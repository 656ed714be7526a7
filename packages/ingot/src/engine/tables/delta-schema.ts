import type { Field as DeltaField, DataType as DeltaType, PrimitiveName, StructType } from "@ingot/delta";
import type { AtomicName, DataType, Field } from "../../model/data-type.js";

/** Names that Spark's SQL and Delta's schema text spell differently. */
const TO_DELTA: Readonly<Record<string, string>> = {
  tinyint: "byte",
  smallint: "short",
  int: "integer",
  bigint: "long",
};
const FROM_DELTA = Object.fromEntries(Object.entries(TO_DELTA).map(([spark, delta]) => [delta, spark]));

/** Metadata of a column, beside Delta's own, that every pipeline reads: see {@link Field.trueAmount}. */
const TRUE_AMOUNT = "ingot.trueAmount";

export function toDeltaSchema(fields: readonly Field[]): StructType {
  return { kind: "struct", fields: fields.map(toDeltaField) };
}

export function fromDeltaSchema(schema: StructType): Field[] {
  return schema.fields.map(fromDeltaField);
}

function toDeltaField(field: Field): DeltaField {
  return {
    name: field.name,
    type: toDeltaType(field.type),
    nullable: field.nullable,
    metadata: {
      ...(field.comment === undefined ? {} : { comment: field.comment }),
      ...(field.trueAmount === undefined ? {} : { [TRUE_AMOUNT]: field.trueAmount }),
    },
  };
}

function fromDeltaField(field: DeltaField): Field {
  const comment = field.metadata["comment"];
  return {
    name: field.name,
    type: fromDeltaType(field.type),
    nullable: field.nullable,
    ...(typeof comment === "string" ? { comment } : {}),
    ...(field.metadata[TRUE_AMOUNT] === true ? { trueAmount: true } : {}),
  };
}

function toDeltaType(type: DataType): DeltaType {
  switch (type.kind) {
    case "decimal":
      return type;
    case "array":
      return { ...type, element: toDeltaType(type.element) };
    case "map":
      return { ...type, key: toDeltaType(type.key), value: toDeltaType(type.value) };
    case "struct":
      return toDeltaSchema(type.fields);
    default:
      return { kind: (TO_DELTA[type.kind] ?? type.kind) as PrimitiveName };
  }
}

function fromDeltaType(type: DeltaType): DataType {
  switch (type.kind) {
    case "decimal":
      return type;
    case "array":
      return { ...type, element: fromDeltaType(type.element) };
    case "map":
      return { ...type, key: fromDeltaType(type.key), value: fromDeltaType(type.value) };
    case "struct":
      return { kind: "struct", fields: fromDeltaSchema(type) };
    default:
      return { kind: (FROM_DELTA[type.kind] ?? type.kind) as AtomicName };
  }
}
