import { fileLayout } from "../engine/file-layout.js";
import type { ColumnPath, Condition } from "../files/condition.js";
import { mayMatch } from "../files/prune.js";
import type { AddFile } from "../log/actions.js";
import { clusteringColumns } from "../schema/clustering-columns.js";
import { refusal } from "../schema/definition.js";
import { findPlace, formatPath } from "../schema/field-path.js";
import type { StructType } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import { statsColumns } from "../snapshot/stats-columns.js";
import { columnsOf, formatCondition } from "./format-condition.js";
import {
  MAX_DELETED_ROWS_RATIO,
  planClustering,
  planCompaction,
  planZOrder,
  type RewriteGroup,
} from "./optimize-plan.js";

/** What of a table OPTIMIZE writes anew, and in which order. */
export interface OptimizeScope {
  /** Only partitions for which it is true; it names partition columns only. Not for clustered tables. */
  readonly where?: Condition;
  /** `ZORDER BY`: columns by path, the case of names aside. Not for clustered tables. */
  readonly zOrderBy?: readonly ColumnPath[];
  /** `OPTIMIZE … FULL`: all files of a clustered table are laid out anew, also those clustered by other columns. */
  readonly full?: boolean;
  /** Bytes; smaller files are gathered. Default: the target size (`delta.targetFileSize`, 128 MB without it). */
  readonly minFileSize?: number;
  /** A file of which more than this share of the rows is deleted is written anew. Default 0.05. */
  readonly maxDeletedRowsRatio?: number;
}

/**
 * The groups of files that OPTIMIZE writes anew. Nothing is read but the snapshot.
 *
 * @throws DeltaError as `optimize`
 */
export function planOptimize(snapshot: Snapshot, options: OptimizeScope = {}): RewriteGroup[] {
  const { where, zOrderBy = [], full = false, maxDeletedRowsRatio = MAX_DELETED_ROWS_RATIO } = options;
  const { targetFileSize } = fileLayout(snapshot);
  const columns = clusteringColumns(snapshot);
  if (columns !== undefined) assertForClustered(snapshot, options);
  if (full && (columns ?? []).length === 0)
    throw refusal(
      snapshot,
      "DELTA_OPTIMIZE_FULL_NOT_SUPPORTED",
      `${snapshot.table} has no clustering columns, so there is nothing to lay out in full.`,
      "Leave out full, or give the table clustering columns first.",
    );
  const files = filesWhere(snapshot, where);
  if (columns !== undefined && columns.length > 0)
    return planClustering(files, columns, { targetFileSize, maxDeletedRowsRatio }, full);
  if (zOrderBy.length > 0) return planZOrder(files, zOrderColumns(snapshot, zOrderBy));
  return planCompaction(files, { minFileSize: targetFileSize, targetFileSize, maxDeletedRowsRatio, ...sizes(options) });
}

function sizes({ minFileSize }: OptimizeScope): { readonly minFileSize?: number } {
  return minFileSize === undefined ? {} : { minFileSize };
}

/**
 * The files of the partitions for which a condition is true.
 *
 * @throws DeltaError DELTA_NON_PARTITION_COLUMN_REFERENCE where it names another column
 */
export function filesWhere(snapshot: Snapshot, where: Condition | undefined): readonly AddFile[] {
  if (where === undefined) return snapshot.files;
  const { partitionColumns } = snapshot.metadata;
  const partitions = new Set(partitionColumns.map((name) => name.toLowerCase()));
  const other = columnsOf(where).find(
    ([name, ...rest]) => rest.length > 0 || !partitions.has(name?.toLowerCase() ?? ""),
  );
  if (other !== undefined)
    throw refusal(
      snapshot,
      "DELTA_NON_PARTITION_COLUMN_REFERENCE",
      `The predicate names ${formatPath(other)}, which is no partition column of ${snapshot.table}.`,
      `Name partition columns only: [${partitionColumns.join(", ")}].`,
    );
  return snapshot.files.filter(mayMatch(where, snapshot));
}

function assertForClustered(snapshot: Snapshot, { where, zOrderBy = [] }: OptimizeScope): void {
  const { table } = snapshot;
  if (where !== undefined)
    throw refusal(
      snapshot,
      "DELTA_CLUSTERING_WITH_PARTITION_PREDICATE",
      `${table} is clustered, so it has no partitions to choose from.`,
      `Remove the predicate ${formatCondition(where)}.`,
    );
  if (zOrderBy.length > 0)
    throw refusal(
      snapshot,
      "DELTA_CLUSTERING_WITH_ZORDER_BY",
      `${table} is clustered, so its own columns give the order of its rows.`,
      `Remove ZORDER BY (${zOrderBy.map(formatPath).join(", ")}), or change the clustering columns.`,
    );
}

/** The columns as the schema spells them. */
function zOrderColumns(snapshot: Snapshot, columns: readonly ColumnPath[]): readonly ColumnPath[] {
  const { table, schema, metadata } = snapshot;
  const data: StructType = {
    kind: "struct",
    fields: schema.fields.filter(({ name }) => !metadata.partitionColumns.includes(name)),
  };
  const withStats = statsColumns(data, metadata.configuration).counts;
  return columns.map((column) => {
    const found = findPlace(schema, column);
    if (found === undefined)
      throw refusal(
        snapshot,
        "DELTA_ZORDERING_COLUMN_DOES_NOT_EXIST",
        `The Z-order column ${formatPath(column)} is not in ${table}.`,
        `Its columns are ${schema.fields.map(({ name }) => formatPath([name])).join(", ")}.`,
      );
    if (findPlace(data, column) === undefined)
      throw refusal(
        snapshot,
        "DELTA_ZORDERING_ON_PARTITION_COLUMN",
        `${formatPath(found.path)} is a partition column of ${table}; within a partition it has one value.`,
        "Z-order by data columns.",
      );
    if (found.type.kind === "struct" || findPlace(withStats, column) === undefined)
      throw refusal(
        snapshot,
        "DELTA_ZORDERING_ON_COLUMN_WITHOUT_STATS",
        `Readers could not profit from an order by ${formatPath(found.path)}: ${table} keeps no statistics of it.`,
        "Raise delta.dataSkippingNumIndexedCols, or name it in delta.dataSkippingStatsColumns.",
      );
    return found.path;
  });
}
