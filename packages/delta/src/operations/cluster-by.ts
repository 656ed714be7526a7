import type { Change } from "../commit/change.js";
import { clusteringColumns } from "../schema/clustering-columns.js";
import { refusal } from "../schema/definition.js";
import { type FieldPath, formatPath } from "../schema/field-path.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import { planClustering } from "./plan-clustering.js";

/**
 * CLUSTER BY: the columns by which OPTIMIZE lays rows together from now on; none for CLUSTER BY NONE. Undefined when
 * nothing changes. Files that are there stay as they are until they are optimized.
 *
 * @throws DeltaError DELTA_ALTER_TABLE_CLUSTER_BY_ON_PARTITIONED_TABLE_NOT_ALLOWED, and what `planClustering` throws
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
  const planned = planClustering(snapshot, columns, snapshot.files);
  return {
    operation: "CLUSTER BY",
    operationParameters: {
      oldClusteringColumns: (before ?? []).map(formatPath).join(","),
      newClusteringColumns: planned.columns.map(formatPath).join(","),
    },
    domains: planned.domains,
    features: ["clustering", "domainMetadata"],
  };
}
