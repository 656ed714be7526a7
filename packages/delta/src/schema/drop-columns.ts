import { columnMappingMode } from "./column-mapping.js";
import { type Altered, type Definition, refusal } from "./definition.js";
import { assertNotReferenced } from "./expression-references.js";
import { type FieldPath, findPlace, formatPath, replaceFields, startsWith } from "./field-path.js";
import { requirePlace } from "./require-field.js";
import { changeStatsColumns } from "./stats-property.js";

/**
 * DROP COLUMNS, at any depth. The values stay in the files and are read no more, so none is written.
 *
 * @param clustering the table's clustering columns
 * @throws DeltaError DELTA_UNSUPPORTED_DROP_COLUMN without column mapping, DELTA_COLUMN_NOT_FOUND_IN_SCHEMA,
 * DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN, DELTA_UNSUPPORTED_DROP_CLUSTERING_COLUMN,
 * DELTA_UNSUPPORTED_DROP_NESTED_COLUMN_FROM_NON_STRUCT_TYPE, DELTA_DROP_COLUMN_ON_SINGLE_FIELD_SCHEMA,
 * DELTA_NON_PARTITION_COLUMN_ABSENT, DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE,
 * DELTA_GENERATED_COLUMNS_DEPENDENT_COLUMN_CHANGE
 */
export function dropColumns(
  table: Definition,
  columns: readonly FieldPath[],
  clustering: readonly FieldPath[],
): Altered {
  if (columnMappingMode(table.metadata.configuration) === "none")
    throw refusal(
      table,
      "DELTA_UNSUPPORTED_DROP_COLUMN",
      `No column of ${table.table} can be dropped: its files know columns by their names, so a new column would show old values.`,
      "Set the table property delta.columnMapping.mode to name first.",
    );
  const altered = columns.reduce((definition, column) => dropColumn(definition, column, clustering), table);
  const { partitionColumns, configuration } = altered.metadata;
  if (altered.schema.fields.every(({ name }) => partitionColumns.includes(name)))
    throw refusal(
      table,
      "DELTA_NON_PARTITION_COLUMN_ABSENT",
      `Only partition columns would be left in ${table.table}.`,
      "Keep one other column at least.",
    );
  return { schema: altered.schema, configuration };
}

function dropColumn(table: Definition, column: FieldPath, clustering: readonly FieldPath[]): Definition {
  const { path, field } = requirePlace(table, column);
  const name = formatPath(path);
  if (field === undefined)
    throw refusal(
      table,
      "DELTA_UNSUPPORTED_DROP_NESTED_COLUMN_FROM_NON_STRUCT_TYPE",
      `${name} of ${table.table} cannot be dropped: it is part of a list or a map.`,
      "Drop the column around it, or a field of a struct.",
    );
  if (path.length === 1 && table.metadata.partitionColumns.includes(field.name))
    throw refusal(
      table,
      "DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN",
      `${name} cannot be dropped: ${table.table} is partitioned by it.`,
      "Write the rows into a new table with other partitions.",
    );
  const clustered = clustering.find((clusteringColumn) => startsWith(clusteringColumn, path));
  if (clustered !== undefined)
    throw refusal(
      table,
      "DELTA_UNSUPPORTED_DROP_CLUSTERING_COLUMN",
      `${name} cannot be dropped: ${table.table} is clustered by ${formatPath(clustered)}.`,
      "Cluster the table by other columns first (ALTER TABLE … CLUSTER BY).",
    );
  const around = findPlace(table.schema, path.slice(0, -1))?.type;
  if (around?.kind === "struct" && around.fields.length === 1)
    throw refusal(
      table,
      "DELTA_DROP_COLUMN_ON_SINGLE_FIELD_SCHEMA",
      `${name} of ${table.table} cannot be dropped: nothing would be left beside it.`,
      path.length === 1 ? "Drop the table." : "Drop the struct around it.",
    );
  assertNotReferenced(table, path, "be dropped", true);
  return {
    ...table,
    schema: replaceFields(table.schema, path.slice(0, -1), (fields) => fields.filter((f) => f.name !== field.name)),
    metadata: {
      ...table.metadata,
      configuration: changeStatsColumns(table.metadata.configuration, path, undefined),
    },
  };
}
