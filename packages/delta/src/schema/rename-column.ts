import { columnMappingMode } from "./column-mapping.js";
import { assertColumnNames } from "./column-names.js";
import { type Altered, type Definition, refusal } from "./definition.js";
import { assertNotReferenced } from "./expression-references.js";
import { type FieldPath, formatPath, replaceFields } from "./field-path.js";
import { requireField } from "./require-field.js";
import { changeStatsColumns } from "./stats-property.js";

/**
 * RENAME COLUMN, at any depth. Files, statistics and partition values know the column by its physical name, so none is
 * written.
 *
 * @throws DeltaError DELTA_UNSUPPORTED_RENAME_COLUMN without column mapping, DELTA_COLUMN_NOT_FOUND_IN_SCHEMA,
 * DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE, DELTA_GENERATED_COLUMNS_DEPENDENT_COLUMN_CHANGE, and as `assertColumnNames`
 */
export function renameColumn(table: Definition, column: FieldPath, name: string): Altered {
  const { configuration, partitionColumns } = table.metadata;
  const { path, field } = requireField(table, column);
  if (columnMappingMode(configuration) === "none")
    throw refusal(
      table,
      "DELTA_UNSUPPORTED_RENAME_COLUMN",
      `${formatPath(path)} of ${table.table} cannot be renamed: its files know the column by this name.`,
      "Set the table property delta.columnMapping.mode to name first.",
    );
  assertNotReferenced(table, path, `be renamed to ${name}`);
  const altered = {
    schema: replaceFields(table.schema, path.slice(0, -1), (fields) =>
      fields.map((f) => (f.name === field.name ? { ...f, name } : f)),
    ),
    partitionColumns: path.length === 1 ? partitionColumns.map((p) => (p === field.name ? name : p)) : partitionColumns,
    configuration: changeStatsColumns(configuration, path, name),
  };
  assertColumnNames({ ...table, schema: altered.schema }, table);
  return altered;
}
