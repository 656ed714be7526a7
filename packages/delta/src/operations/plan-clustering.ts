import { hasBounds } from "../files/bounds.js";
import { hasStatsOf } from "../files/stats-text.js";
import type { AddFile } from "../log/actions.js";
import { CLUSTERING_DOMAIN, formatClusteringDomain } from "../schema/clustering-columns.js";
import { columnMappingMode, physicalSchema, translatePath } from "../schema/column-mapping.js";
import { type Definition, refusal } from "../schema/definition.js";
import { type FieldPath, formatPath, samePath } from "../schema/field-path.js";
import { requireField } from "../schema/require-field.js";
import { formatType } from "../schema/schema.js";

/** As many as Spark takes. */
const MOST_COLUMNS = 4;

/** For a change's `domains`: the columns by which a table lays its rows together; none for CLUSTER BY NONE. */
export interface PlannedClustering {
  readonly domains: ReadonlyMap<string, string>;
  /** As the schema writes them. */
  readonly columns: readonly FieldPath[];
}

/**
 * Works out what a commit says of clustering columns. Source: the Delta protocol, "Writer Requirements for Clustered
 * Table".
 *
 * @param table what it is after the commit
 * @param files those that stay
 * @throws DeltaError DELTA_CLUSTER_BY_WITH_PARTITIONED_BY, DELTA_CLUSTER_BY_INVALID_NUM_COLUMNS,
 * DELTA_COLUMN_NOT_FOUND_IN_SCHEMA, DELTA_DUPLICATE_COLUMNS_FOUND, DELTA_CLUSTERING_COLUMNS_DATATYPE_NOT_SUPPORTED,
 * DELTA_CLUSTERING_COLUMN_MISSING_STATS for a file without statistics of a column
 */
export function planClustering(
  table: Definition,
  columns: readonly FieldPath[],
  files: readonly AddFile[] = [],
): PlannedClustering {
  const { partitionColumns, configuration } = table.metadata;
  if (columns.length > 0 && partitionColumns.length > 0)
    throw refusal(
      table,
      "DELTA_CLUSTER_BY_WITH_PARTITIONED_BY",
      `${table.table} cannot be clustered: it is partitioned by ${partitionColumns.join(", ")}.`,
      "Decide for one of them; clustering does what partitions do.",
    );
  if (columns.length > MOST_COLUMNS)
    throw refusal(
      table,
      "DELTA_CLUSTER_BY_INVALID_NUM_COLUMNS",
      `${table.table} cannot be clustered by ${columns.length} columns.`,
      `Name ${MOST_COLUMNS} at most.`,
    );
  const paths = columns.map((column) => requireClusterable(table, column));
  const twice = paths.find((path, at) => paths.findIndex((other) => samePath(other, path)) < at);
  if (twice !== undefined)
    throw refusal(
      table,
      "DELTA_DUPLICATE_COLUMNS_FOUND",
      `${formatPath(twice)} is there twice among the clustering columns.`,
      "Name it once.",
    );
  const physical = physicalSchema(table.schema, columnMappingMode(configuration));
  const names = paths.map((path) => translatePath(path, table.schema, physical) ?? []);
  paths.forEach((path, at) => {
    assertStats(table, path, names[at] ?? [], files);
  });
  return { columns: paths, domains: new Map([[CLUSTERING_DOMAIN, formatClusteringDomain(names)]]) };
}

function requireClusterable(table: Definition, column: FieldPath): FieldPath {
  const { path, field } = requireField(table, column);
  if (!hasBounds(field.type))
    throw refusal(
      table,
      "DELTA_CLUSTERING_COLUMNS_DATATYPE_NOT_SUPPORTED",
      `${table.table} cannot be clustered by ${formatPath(path)}: files have no bounds of a ${formatType(field.type)}.`,
      "Choose columns of numbers, texts, dates or times.",
    );
  return path;
}

function assertStats(table: Definition, path: FieldPath, physical: readonly string[], files: readonly AddFile[]): void {
  const without = files.find(({ stats }) => !hasStatsOf(stats, physical));
  if (without !== undefined)
    throw refusal(
      table,
      "DELTA_CLUSTERING_COLUMN_MISSING_STATS",
      `${table.table} cannot be clustered by ${formatPath(path)}: the file ${without.path} has no statistics of it.`,
      "List the column in delta.dataSkippingStatsColumns, or raise delta.dataSkippingNumIndexedCols, and rewrite the rows.",
    );
}
