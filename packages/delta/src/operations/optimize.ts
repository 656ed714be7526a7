import { fileLayout } from "../engine/file-layout.js";
import type { FileRewriter } from "../engine/file-rewriter.js";
import { DeltaError, type DeltaErrorCode } from "../error.js";
import type { ColumnPath, Condition } from "../files/condition.js";
import { mayMatch } from "../files/prune.js";
import type { AddFile } from "../log/actions.js";
import { assertWritable } from "../protocol/protocol.js";
import { findPlace, formatPath } from "../schema/field-path.js";
import type { StructType } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import { statsColumns } from "../snapshot/stats-columns.js";
import type { Store } from "../store/store.js";
import { clusteringColumns } from "./clustering.js";
import { compactionDue } from "./compaction-policy.js";
import { columnsOf, formatCondition } from "./format-condition.js";
import { openTable } from "./open-table.js";
import {
  MAX_DELETED_ROWS_RATIO,
  planClustering,
  planCompaction,
  planPurge,
  planZOrder,
  type RewriteGroup,
} from "./optimize-plan.js";
import { type RewriteOperation, type RewriteOptions, type RewriteResult, rewriteGroups } from "./rewrite-groups.js";

export interface OptimizeOptions extends RewriteOptions {
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
 * `OPTIMIZE`: gathers small files into files of about the target size and drops deleted rows. A clustered table's new
 * rows are laid out along a Hilbert curve over its clustering columns; `zOrderBy` lays out all rows along a Z-order
 * curve. Rows, row ids and change feed stay the same. A second run finds nothing to do, except with `zOrderBy` or `full`.
 *
 * @throws DeltaError NO_DELTA_TABLE, DELTA_UNSUPPORTED_FEATURES_FOR_WRITE, DELTA_NON_PARTITION_COLUMN_REFERENCE,
 * DELTA_CLUSTERING_WITH_PARTITION_PREDICATE, DELTA_CLUSTERING_WITH_ZORDER_BY, DELTA_OPTIMIZE_FULL_NOT_SUPPORTED,
 * DELTA_ZORDERING_ON_PARTITION_COLUMN, DELTA_ZORDERING_COLUMN_DOES_NOT_EXIST, DELTA_ZORDERING_ON_COLUMN_WITHOUT_STATS,
 * all before anything is written; then what `rewriteGroups` throws
 */
export async function optimize(
  store: Store,
  table: string,
  rewriter: FileRewriter,
  options: OptimizeOptions = {},
): Promise<RewriteResult> {
  const snapshot = await openWritable(store, table);
  const groups = planOptimize(snapshot, options);
  return rewriteGroups(store, snapshot, groups, rewriter, describe(snapshot, options, false), options);
}

/** As Spark's history shows an OPTIMIZE. */
function describe(
  snapshot: Snapshot,
  { where, zOrderBy = [], full = false }: OptimizeOptions,
  auto: boolean,
): RewriteOperation {
  const clusterBy = clusteringColumns(snapshot) ?? [];
  return {
    operation: "OPTIMIZE",
    operationParameters: {
      predicate: predicateOf(where),
      zOrderBy: JSON.stringify(zOrderBy.map(formatPath)),
      clusterBy: JSON.stringify(clusterBy.map(formatPath)),
      auto: String(auto),
      ...(clusterBy.length > 0 ? { isFull: String(full) } : {}),
    },
  };
}

/** What `optimize` writes anew. Throws as it does. */
export function planOptimize(snapshot: Snapshot, options: OptimizeOptions = {}): RewriteGroup[] {
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

function sizes({ minFileSize }: OptimizeOptions): { readonly minFileSize?: number } {
  return minFileSize === undefined ? {} : { minFileSize };
}

/**
 * `REORG TABLE … APPLY (PURGE)`: writes every file with deleted rows anew without them. The old files go with VACUUM.
 * Values of dropped columns go only with files that have deleted rows, too: the log does not tell which files hold them.
 *
 * @throws as `optimize`
 */
export async function purge(
  store: Store,
  table: string,
  rewriter: FileRewriter,
  { where, ...options }: RewriteOptions & Pick<OptimizeOptions, "where"> = {},
): Promise<RewriteResult> {
  const snapshot = await openWritable(store, table);
  const operationParameters = { predicate: predicateOf(where), applyPurge: "true" };
  const groups = planPurge(filesWhere(snapshot, where));
  return rewriteGroups(store, snapshot, groups, rewriter, { operation: "REORG", operationParameters }, options);
}

/**
 * Does what `compactionDue` says, most of the time nothing: to be called after each batch of a table that takes many.
 *
 * @throws as `optimize`
 */
export async function compact(
  store: Store,
  table: string,
  rewriter: FileRewriter,
  options: RewriteOptions = {},
): Promise<RewriteResult> {
  const snapshot = await openWritable(store, table);
  return rewriteGroups(store, snapshot, compactionDue(snapshot), rewriter, describe(snapshot, {}, true), options);
}

async function openWritable(store: Store, table: string): Promise<Snapshot> {
  const snapshot = await openTable(store, table);
  assertWritable(snapshot.protocol, snapshot);
  return snapshot;
}

function predicateOf(where: Condition | undefined): string {
  return JSON.stringify(where === undefined ? [] : [formatCondition(where)]);
}

function filesWhere(snapshot: Snapshot, where: Condition | undefined): readonly AddFile[] {
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

function assertForClustered(snapshot: Snapshot, { where, zOrderBy = [] }: OptimizeOptions): void {
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

function refusal({ table, version }: Snapshot, code: DeltaErrorCode, message: string, hint: string): DeltaError {
  return new DeltaError(code, message, { table, version, hint });
}
