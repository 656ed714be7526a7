import type { JsonObject } from "../log/json.js";
import { withoutMarks } from "./assign-column-mapping.js";
import { assertColumnNames } from "./column-names.js";
import { type Definition, refusal } from "./definition.js";
import { assertNotReferenced } from "./expression-references.js";
import { type FieldPath, formatPath, mapFields } from "./field-path.js";
import { type DataType, type Field, formatType, type StructType } from "./schema.js";
import { canWidenByWrite, isSameType, isWideningOn, recordTypeChanges } from "./type-widening.js";

/**
 * The schema of a table after a write of rows that have another one: the table's columns in their order, then columns
 * that are new, at every depth, nullable. Columns that the rows lack stay; they are NULL there. Types must be the
 * same, or become wider within their family where `delta.enableTypeWidening` is on. Rows of BYTE or SHORT fit into a
 * SHORT or INTEGER column, and rows that are all NULL (`void`) into any.
 * Source: Spark's `mergeSchema` option; the Delta protocol, "Type Widening".
 *
 * @throws DeltaError DELTA_FAILED_TO_MERGE_FIELDS, DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE or
 * DELTA_GENERATED_COLUMNS_DEPENDENT_COLUMN_CHANGE for a type that an expression depends on, and as `assertColumnNames`
 */
export function mergeSchema(table: Definition, incoming: StructType): StructType {
  assertColumnNames({ ...table, schema: incoming }, table);
  const merged = mergeFields(table, table.schema, incoming, []);
  const recorded = recordTypeChanges(table, merged);
  assertColumnNames({ ...table, schema: recorded }, table);
  return recorded;
}

function mergeFields(table: Definition, current: StructType, incoming: StructType, path: FieldPath): StructType {
  const named = (fields: readonly Field[], name: string) =>
    fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
  const kept = current.fields.map((field) => {
    const update = named(incoming.fields, field.name);
    return update === undefined
      ? field
      : { ...field, type: mergeTypes(table, field.type, update.type, [...path, field.name]) };
  });
  const added = incoming.fields.filter((field) => named(current.fields, field.name) === undefined);
  return { kind: "struct", fields: [...kept, ...mapFields({ kind: "struct", fields: added }, asNewField).fields] };
}

function mergeTypes(table: Definition, current: DataType, incoming: DataType, path: FieldPath): DataType {
  if (current.kind === "struct" && incoming.kind === "struct") return mergeFields(table, current, incoming, path);
  if (current.kind === "array" && incoming.kind === "array")
    return { ...current, element: mergeTypes(table, current.element, incoming.element, [...path, "element"]) };
  if (current.kind === "map" && incoming.kind === "map")
    return {
      ...current,
      key: mergeTypes(table, current.key, incoming.key, [...path, "key"]),
      value: mergeTypes(table, current.value, incoming.value, [...path, "value"]),
    };
  if (isSameType(current, incoming) || incoming.kind === "void" || fits(incoming, current)) return current;
  if (current.kind === "void") return incoming;
  if (isWideningOn(table) && canWidenByWrite(current, incoming)) {
    assertNotReferenced(table, path, `become ${formatType(incoming)}`);
    return incoming;
  }
  throw refusal(
    table,
    "DELTA_FAILED_TO_MERGE_FIELDS",
    `The column ${formatPath(path)} of ${table.table} is ${formatType(current)}; the rows to write have ${formatType(incoming)}.`,
    canWidenByWrite(current, incoming)
      ? "Cast the rows to the column's type, or set the table property delta.enableTypeWidening to true."
      : "Cast the rows to the column's type.",
  );
}

/** Files hold all three as INT32. */
const SMALL: readonly string[] = ["byte", "short", "integer"];

function fits(from: DataType, to: DataType): boolean {
  return SMALL.includes(from.kind) && SMALL.includes(to.kind) && SMALL.indexOf(from.kind) < SMALL.indexOf(to.kind);
}

/** As no table has it yet: what another table's features noted of it does not come along. */
function asNewField(field: Field): Field {
  const { metadata, ...rest } = withoutMarks(field);
  const kept = Object.entries(metadata).filter(([key]) => !key.startsWith("delta.") && !key.endsWith("_DEFAULT"));
  return { ...rest, nullable: true, metadata: Object.fromEntries(kept) as JsonObject };
}
