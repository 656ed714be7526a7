import { randomUUID } from "node:crypto";
import type { Change, NewFile } from "../commit/change.js";
import { type TransactOptions, transact } from "../commit/transact.js";
import { provesNoCommit } from "../commit/transaction.js";
import { type FileLayout, fileLayout } from "../engine/file-layout.js";
import type { FileRewriter } from "../engine/file-rewriter.js";
import { type AddFile, fileKey } from "../log/actions.js";
import { formatJson } from "../log/json.js";
import { resolvePath } from "../log/path.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { liveFiles } from "./change-rows.js";
import { cubeMarks } from "./clustering-cube.js";
import { type RewriteGroup, totalSize } from "./optimize-plan.js";
import { deleteFiles } from "./transact-files.js";

/** How the commits describe themselves in the table's history. */
export type RewriteOperation = Pick<Change, "operation"> & Required<Pick<Change, "operationParameters">>;

export interface RewriteOptions extends Omit<TransactOptions, "transactions"> {
  /**
   * Commit whenever files of so many bytes are written anew, so that a failure or another writer costs less of a long
   * run. Default: one commit for all.
   */
  readonly commitBytes?: number;
}

export interface RewriteResult {
  /** The last commit's, or the version that was read where nothing was written anew. */
  readonly version: bigint;
  /** Spark's names: files and bytes that came and went. */
  readonly metrics: RewriteMetrics;
  /** Groups that were given up because another writer took one of their files away or changed the table's definition. */
  readonly givenUp: readonly RewriteGroup[];
}

export interface RewriteMetrics {
  readonly numFilesAdded: number;
  readonly numFilesRemoved: number;
  readonly bytesAdded: number;
  readonly bytesRemoved: number;
  readonly numDeletionVectorsRemoved: number;
}

interface Rewritten {
  readonly group: RewriteGroup;
  readonly added: readonly NewFile[];
}

/**
 * Writes the groups' rows anew and puts the new files in the old ones' place, with `dataChange: false`: the table's rows
 * stay the same, its change feed shows nothing. A group of which another writer took a file is given up, the others
 * stay. Files that are in no version in the end are deleted, except where an error of the store leaves open whether the
 * commit was made: VACUUM finds those.
 *
 * @throws what `transact` and the rewriter throw; groups that were committed before stay
 */
export async function rewriteGroups(
  store: Store,
  snapshot: Snapshot,
  groups: readonly RewriteGroup[],
  rewriter: FileRewriter,
  operation: RewriteOperation,
  { commitBytes = Number.POSITIVE_INFINITY, ...options }: RewriteOptions,
): Promise<RewriteResult> {
  const layout = fileLayout(snapshot);
  const committed: Rewritten[] = [];
  const givenUp: RewriteGroup[] = [];
  let { version } = snapshot;
  for (const batch of batchesOf(groups, commitBytes)) {
    const written = await writeAll(store, snapshot, batch, rewriter, layout);
    const commit = await commitAll(store, snapshot, written, operation, layout, options);
    version = commit.version;
    for (const rewritten of written) {
      if (commit.kept.has(rewritten)) committed.push(rewritten);
      else givenUp.push(rewritten.group);
    }
  }
  return { version, metrics: measure(committed), givenUp };
}

function batchesOf(groups: readonly RewriteGroup[], commitBytes: number): RewriteGroup[][] {
  const batches: RewriteGroup[][] = [];
  let left = 0;
  for (const group of groups) {
    const batch = batches.at(-1);
    if (batch === undefined || left <= 0) {
      batches.push([group]);
      left = commitBytes;
    } else batch.push(group);
    left -= totalSize(group.files);
  }
  return batches;
}

async function writeAll(
  store: Store,
  snapshot: Snapshot,
  groups: readonly RewriteGroup[],
  rewriter: FileRewriter,
  layout: FileLayout,
): Promise<Rewritten[]> {
  const written: Rewritten[] = [];
  try {
    for (const group of groups) {
      const live = await liveFiles(store, snapshot, group.files);
      const files = await rewriter.rewrite(snapshot, live, layout, group.order);
      const marks = group.marks === "new cube" ? cubeMarks(randomUUID(), group.order?.columns ?? []) : group.marks;
      written.push({ group, added: files.map((file) => ({ ...file, ...marks })) });
    }
    return written;
  } catch (error) {
    await discard(store, snapshot.table, written);
    throw error;
  }
}

async function commitAll(
  store: Store,
  snapshot: Snapshot,
  written: readonly Rewritten[],
  operation: RewriteOperation,
  layout: FileLayout,
  options: Omit<TransactOptions, "transactions">,
): Promise<{ readonly version: bigint; readonly kept: ReadonlySet<Rewritten> }> {
  const { table } = snapshot;
  let kept: readonly Rewritten[] = [];
  try {
    const { version } = await transact(
      store,
      table,
      async (newest) => {
        const present = new Map(newest.files.map((file) => [fileKey(file), file]));
        kept = hasDefinitionOf(newest, snapshot)
          ? written.filter(({ group }) => group.files.every((file) => present.has(fileKey(file))))
          : [];
        return kept.length === 0 ? undefined : toChange(kept, present, operation, layout);
      },
      options,
    );
    await discard(
      store,
      table,
      written.filter((rewritten) => !kept.includes(rewritten)),
    );
    return { version, kept: new Set(kept) };
  } catch (error) {
    if (provesNoCommit(error)) await discard(store, table, written);
    throw error;
  }
}

/** Files are written by a table's schema and properties; by others they might lack a column's values or row ids. */
function hasDefinitionOf(newest: Snapshot, snapshot: Snapshot): boolean {
  const definition = ({ metadata: { id, schemaString, partitionColumns, configuration } }: Snapshot): string =>
    formatJson([id, schemaString, partitionColumns, Object.entries(configuration).sort()]);
  return definition(newest) === definition(snapshot);
}

function toChange(
  kept: readonly Rewritten[],
  present: ReadonlyMap<string, AddFile>,
  operation: RewriteOperation,
  layout: FileLayout,
): Change {
  const remove = kept.flatMap(({ group }) => group.files.flatMap((file) => present.get(fileKey(file)) ?? []));
  const add = kept.flatMap(({ added }) => added);
  return {
    ...operation,
    operationMetrics: historyMetrics(add, remove),
    add,
    remove,
    dataChange: false,
    reads: { files: remove, wouldRead: () => false },
    rowIdsPreserved: layout.rowTracking !== undefined,
  };
}

async function discard(store: Store, table: string, written: readonly Rewritten[]): Promise<void> {
  await deleteFiles(
    store,
    written.flatMap(({ added }) => added.map(({ path }) => resolvePath(table, path))),
  );
}

function measure(rewritten: readonly Rewritten[]): RewriteMetrics {
  const removed = rewritten.flatMap(({ group }) => group.files);
  const added = rewritten.flatMap((group) => group.added);
  return {
    numFilesAdded: added.length,
    numFilesRemoved: removed.length,
    bytesAdded: added.reduce((sum, { size }) => sum + size, 0),
    bytesRemoved: totalSize(removed),
    numDeletionVectorsRemoved: removed.filter(({ deletionVector }) => deletionVector !== undefined).length,
  };
}

/** As Spark's history shows an OPTIMIZE. */
function historyMetrics(add: readonly NewFile[], remove: readonly AddFile[]): Record<string, string> {
  const sizes = add.map(({ size }) => size).sort((a, b) => a - b);
  const quantile = (share: number): number => sizes[Math.min(sizes.length - 1, Math.floor(share * sizes.length))] ?? 0;
  const metrics = {
    numAddedFiles: add.length,
    numRemovedFiles: remove.length,
    numAddedBytes: sizes.reduce((sum, size) => sum + size, 0),
    numRemovedBytes: totalSize(remove),
    minFileSize: quantile(0),
    p25FileSize: quantile(0.25),
    p50FileSize: quantile(0.5),
    p75FileSize: quantile(0.75),
    maxFileSize: sizes.at(-1) ?? 0,
    numDeletionVectorsRemoved: remove.filter(({ deletionVector }) => deletionVector !== undefined).length,
  };
  return Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, value.toString()]));
}
