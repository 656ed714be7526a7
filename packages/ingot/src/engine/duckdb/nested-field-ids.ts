import { type DataType as DeltaType, fieldId, physicalSchema, type Snapshot, type StructType } from "@ingot/delta";
import { quoteText } from "../../sql/lower/lower-text.js";
import { quotePath } from "./quote-path.js";

/**
 * A condition that holds for every row, and stops the query when a file gives a nested field another name than its
 * physical one. DuckDB finds columns by field id, but the fields within them by name: without this such a field, of a
 * table that came from Iceberg, would read as NULL. Undefined when no column has fields within it.
 */
export function nestedNamesCondition(
  { table, schema }: Snapshot,
  files: readonly { readonly path: string }[],
): string | undefined {
  const { fields } = physicalSchema(schema, "id");
  const nested = fields.flatMap((field) => structsWithin(field.type)).flatMap((struct) => struct.fields);
  if (nested.length === 0) return undefined;
  const paths = files.map(({ path }) => quotePath(path)).join(", ");
  const names = nested.map((field) => `(${fieldId(field)}, ${quoteText(field.name)})`).join(", ");
  const refusal = `[DELTA_UNSUPPORTED_FEATURES_FOR_READ] A data file of ${table} has nested fields whose names are not their physical names: column mapping by id finds the columns of such a file, not the fields within them.`;
  return `(SELECT CASE WHEN bool_or(name <> physical) THEN error(${quoteText(refusal)}) ELSE true END FROM parquet_schema([${paths}]) JOIN (VALUES ${names}) f(id, physical) ON field_id = f.id)`;
}

function structsWithin(type: DeltaType): StructType[] {
  switch (type.kind) {
    case "struct":
      return [type, ...type.fields.flatMap((field) => structsWithin(field.type))];
    case "array":
      return structsWithin(type.element);
    case "map":
      return [...structsWithin(type.key), ...structsWithin(type.value)];
    default:
      return [];
  }
}
