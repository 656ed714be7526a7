import { columnMappingMode, fieldId, physicalSchema, type Snapshot } from "@ingot/delta";
import type { DataType, Field } from "../../model/data-type.js";
import { duckdbType, quoteName, quoteText } from "../../sql/lower/lower-text.js";
import { fromDeltaSchema } from "../tables/delta-schema.js";
import { assertScannable } from "../tables/unsupported-columns.js";

/** A column of a table, and the same column as the data files hold it: names may differ at every depth. */
export interface MappedColumn {
  readonly logical: Field;
  readonly physical: Field;
  /** What finds it in a file, as a literal: the physical name, or the field id. */
  readonly key: string;
}

/**
 * The columns of a snapshot as they lie in its files.
 *
 * @param isById finds columns by field id, else by physical name
 * @throws IngotError DELTA_UNSUPPORTED_FEATURES_FOR_READ for a column of the type variant
 */
export function mapColumns(snapshot: Snapshot, isById: boolean): MappedColumn[] {
  assertScannable(snapshot);
  const { schema, metadata } = snapshot;
  const inFiles = physicalSchema(schema, columnMappingMode(metadata.configuration));
  const physicals = fromDeltaSchema(inFiles);
  return fromDeltaSchema(schema).map((logical, i) => {
    const physical = physicals[i] ?? logical;
    const field = inFiles.fields[i];
    const id = isById && field !== undefined ? fieldId(field) : undefined;
    return { logical, physical, key: id === undefined ? quoteText(physical.name) : String(id) };
  });
}

/**
 * DuckDB's `schema` option for `read_parquet`: finds each column, casts it to the table's type at every depth, and
 * gives NULL where a file lacks it. The columns come out as `c0`, `c1`…, so that no name of the user's hides a virtual
 * column.
 */
export function schemaOption(columns: readonly MappedColumn[]): string {
  const entries = columns.map(
    ({ key, physical }, i) =>
      `${key}: {name: 'c${i}', type: ${quoteText(duckdbType(physical.type))}, default_value: NULL}`,
  );
  return `schema = MAP {${entries.join(", ")}}`;
}

/** The value of a column under its users' names. */
export function logicalValue(column: MappedColumn, index: number): string {
  return renameFields(`c${index}`, column.physical.type, column.logical.type);
}

/**
 * A value with the names of struct fields as in another type. They are part of DuckDB's types; a struct is built anew
 * only where one differs.
 */
export function renameFields(value: string, from: DataType, to: DataType): string {
  if (duckdbType(from) === duckdbType(to)) return value;
  if (from.kind === "struct" && to.kind === "struct") {
    const fields = from.fields.flatMap((field, i) => {
      const renamed = to.fields[i];
      if (renamed === undefined) return [];
      const inner = renameFields(`struct_extract(${value}, ${quoteText(field.name)})`, field.type, renamed.type);
      return [`${quoteName(renamed.name)} := ${inner}`];
    });
    return `CASE WHEN ${value} IS NULL THEN NULL ELSE struct_pack(${fields.join(", ")}) END`;
  }
  if (from.kind === "array" && to.kind === "array")
    return transform(value, "e", renameFields("e", from.element, to.element));
  if (from.kind === "map" && to.kind === "map") {
    const key = renameFields("e.key", from.key, to.key);
    const inner = renameFields("e.value", from.value, to.value);
    return `map_from_entries(${transform(`map_entries(${value})`, "e", `struct_pack(key := ${key}, value := ${inner})`)})`;
  }
  return value;
}

function transform(list: string, parameter: string, body: string): string {
  return `list_transform(${list}, lambda ${parameter}: ${body})`;
}
