import type { Change } from "../commit/change.js";
import { hasBounds } from "../files/bounds.js";
import { hasStatsOf } from "../files/stats-text.js";
import { CLUSTERING_DOMAIN, clusteringColumns, formatClusteringDomain } from "../schema/clustering-columns.js";
import { columnMappingMode, physicalSchema, translatePath } from "../schema/column-mapping.js";
import { refusal } from "../schema/definition.js";
import { type FieldPath, formatPath, samePath } from "../schema/field-path.js";
import { requireField } from "../schema/require-field.js";
import { formatType } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";

/** As many as Spark takes. */
const MOST_COLUMNS = 4;

/**
 * CLUSTER BY: the columns by which OPTIMIZE lays rows together from now on; none for CLUSTER BY NONE. Undefined when
 * nothing changes. Files that are there stay as they are until they are optimized.
 * Source: the Delta protocol, "Writer Requirements for Clustered Table".
 *
 * @throws DeltaError DELTA_ALTER_TABLE_CLUSTER_BY_ON_PARTITIONED_TABLE_NOT_ALLOWED, DELTA_CLUSTER_BY_INVALID_NUM_COLUMNS,
 * DELTA_COLUMN_NOT_FOUND_IN_SCHEMA, DELTA_DUPLICATE_COLUMNS_FOUND, DELTA_CLUSTERING_COLUMNS_DATATYPE_NOT_SUPPORTED,
 * DELTA_CLUSTERING_COLUMN_MISSING_STATS for a file without statistics of a column
 */
export function clusterBy(snapshot: Snapshot, columns: readonly FieldPath[]): Change | undefined {
  const before = clusteringColumns(snapshot);
  if (columns.length === 0 && before === undefined) return undefined;
  if (snapshot.metadata.partitionColumns.length > 0)
    throw refusal(
      snapshot,
      "DELTA_ALTER_TABLE_CLUSTER_BY_ON_PARTITIONED_TABLE_NOT_ALLOWED",
      `${snapshot.table} cannot be clustered: it is partitioned by ${snapshot.metadata.partitionColumns.join(", ")}.`,
      "Write the rows into a new table without partitions.",
    );
  if (columns.length > MOST_COLUMNS)
    throw refusal(
      snapshot,
      "DELTA_CLUSTER_BY_INVALID_NUM_COLUMNS",
      `${snapshot.table} cannot be clustered by ${columns.length} columns.`,
      `Name ${MOST_COLUMNS} at most.`,
    );
  const paths = columns.map((column) => requireClusterable(snapshot, column));
  const twice = paths.find((path, at) => paths.findIndex((other) => samePath(other, path)) < at);
  if (twice !== undefined)
    throw refusal(
      snapshot,
      "DELTA_DUPLICATE_COLUMNS_FOUND",
      `${formatPath(twice)} is there twice among the clustering columns.`,
      "Name it once.",
    );
  const physical = physicalSchema(snapshot.schema, columnMappingMode(snapshot.metadata.configuration));
  const names = paths.map((path) => translatePath(path, snapshot.schema, physical) ?? []);
  paths.forEach((path, at) => {
    assertStats(snapshot, path, names[at] ?? []);
  });
  return {
    operation: "CLUSTER BY",
    operationParameters: {
      oldClusteringColumns: (before ?? []).map(formatPath).join(","),
      newClusteringColumns: paths.map(formatPath).join(","),
    },
    domains: new Map([[CLUSTERING_DOMAIN, formatClusteringDomain(names)]]),
    features: ["clustering", "domainMetadata"],
  };
}

function requireClusterable(snapshot: Snapshot, column: FieldPath): FieldPath {
  const { path, field } = requireField(snapshot, column);
  if (!hasBounds(field.type))
    throw refusal(
      snapshot,
      "DELTA_CLUSTERING_COLUMNS_DATATYPE_NOT_SUPPORTED",
      `${snapshot.table} cannot be clustered by ${formatPath(path)}: files have no bounds of a ${formatType(field.type)}.`,
      "Choose columns of numbers, texts, dates or times.",
    );
  return path;
}

function assertStats(snapshot: Snapshot, path: FieldPath, physical: readonly string[]): void {
  const without = snapshot.files.find(({ stats }) => !hasStatsOf(stats, physical));
  if (without !== undefined)
    throw refusal(
      snapshot,
      "DELTA_CLUSTERING_COLUMN_MISSING_STATS",
      `${snapshot.table} cannot be clustered by ${formatPath(path)}: the file ${without.path} has no statistics of it.`,
      "List the column in delta.dataSkippingStatsColumns, or raise delta.dataSkippingNumIndexedCols, and rewrite the rows.",
    );
}
