import type { FileRewriter } from "../engine/file-rewriter.js";
import type { Condition } from "../files/condition.js";
import { assertWritable } from "../protocol/protocol.js";
import { clusteringColumns } from "../schema/clustering-columns.js";
import { formatPath } from "../schema/field-path.js";
import { openTable } from "../snapshot/open-table.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { compactionDue } from "./compaction-policy.js";
import { formatCondition } from "./format-condition.js";
import { planPurge } from "./optimize-plan.js";
import { filesWhere, type OptimizeScope, planOptimize } from "./optimize-scope.js";
import { type RewriteOperation, type RewriteOptions, type RewriteResult, rewriteGroups } from "./rewrite-groups.js";

export interface OptimizeOptions extends RewriteOptions, OptimizeScope {}

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
  const snapshot = await openWritable(store, table, options);
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
  const snapshot = await openWritable(store, table, options);
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
  const snapshot = await openWritable(store, table, options);
  return rewriteGroups(store, snapshot, compactionDue(snapshot), rewriter, describe(snapshot, {}, true), options);
}

async function openWritable(store: Store, table: string, { reader }: RewriteOptions): Promise<Snapshot> {
  const snapshot = await openTable(store, table, undefined, reader);
  assertWritable(snapshot.protocol, snapshot);
  return snapshot;
}

function predicateOf(where: Condition | undefined): string {
  return JSON.stringify(where === undefined ? [] : [formatCondition(where)]);
}
