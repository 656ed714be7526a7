import type { Change, NewFile, TableDefinition } from "../commit/change.js";
import type { TransactOptions } from "../commit/transact.js";
import { assertRemovable } from "../commit/valid-change.js";
import { fileLayout } from "../engine/file-layout.js";
import type { LiveFile, RewriteTask, Rewritten, RowChange, TouchedFile } from "../engine/row-change.js";
import type { At } from "../error.js";
import { readDeletionVectors, vectorPath } from "../files/deletion-vector.js";
import { writeDeletionVectors } from "../files/deletion-vector-file.js";
import type { Rows } from "../files/roaring-bitmap.js";
import { union } from "../files/row-sets.js";
import { numRecords } from "../files/stats.js";
import type { AddFile } from "../log/actions.js";
import { isOn } from "../log/configuration.js";
import { resolvePath } from "../log/path.js";
import { assertWritable } from "../protocol/protocol.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { evolveSchema, redefine } from "./evolve-schema.js";
import { transactFiles } from "./transact-files.js";

export interface RowChangeResult {
  /** The version that holds the change; the one that was read where there was nothing to change. */
  readonly version: bigint;
  /** Rows; all 0 where the table had the change's transactions already. */
  readonly rows: Rewritten["rows"];
}

export interface RowChangeOptions extends TransactOptions {
  /** What the table is to be with the change, in the place of its `rowSchema`: of `planDefinition`. */
  readonly definition?: TableDefinition;
  /** Metadata domains that come with it: of `planClustering`. */
  readonly domains?: NonNullable<Change["domains"]>;
}

const NO_ROWS: Rewritten["rows"] = { inserted: 0, updated: 0, deleted: 0, copied: 0 };

/**
 * Carries out a change of single rows in one commit: by deletion vectors where `delta.enableDeletionVectors` is on,
 * else by writing the touched files anew; with change files where `delta.enableChangeDataFeed` is on. When another
 * writer was faster, and with something that this change depends on, it is planned again on the newer version.
 * A change that touches no row and adds none makes no commit, unless it has transactions to note or brings columns.
 *
 * @throws DeltaError NO_DELTA_TABLE, what `transact` throws, and what the engine throws; nothing is committed then
 */
export async function changeRows(
  store: Store,
  table: string,
  change: RowChange,
  options: RowChangeOptions = {},
): Promise<RowChangeResult> {
  const { definition, domains, ...transaction } = options;
  let rows = NO_ROWS;
  try {
    const { version, isCommitted } = await transactFiles(
      store,
      table,
      async (before, wrote) => {
        // What the commit would refuse for certain is refused before anything is written.
        assertWritable(before.protocol, before);
        const { snapshot, metadata } =
          definition === undefined ? evolveSchema(before, change.rowSchema) : redefine(before, definition);
        const { task, searched } = await plan(store, snapshot, change);
        const rewritten = await change.write(task);
        wrote([...rewritten.add, ...rewritten.changeFiles].map(({ path }) => resolvePath(table, path)));
        rows = rewritten.rows;
        const hasNothing = task.touched.length === 0 && rewritten.add.length === 0;
        if (hasNothing && metadata === undefined && transaction.transactions === undefined) return undefined;
        const planned = {
          ...(await toChange(store, task, searched, change, rewritten)),
          ...(metadata && { metadata }),
          ...(domains && { domains }),
        };
        wrote(vectorFiles(table, planned));
        return planned;
      },
      transaction,
    );
    return { version, rows: isCommitted ? rows : NO_ROWS };
  } finally {
    await change.close?.();
  }
}

async function plan(
  store: Store,
  snapshot: Snapshot,
  change: RowChange,
): Promise<{ task: RewriteTask; searched: readonly AddFile[] }> {
  const { configuration } = snapshot.metadata;
  await change.prepare?.(snapshot);
  const searched = snapshot.files.filter((file) => change.mayTouch(file));
  const files = await liveFiles(store, snapshot, searched);
  const touched = (await change.find(snapshot, files)).filter((file) => file.touched.length > 0);
  if (touched.length > 0) assertRemovable(snapshot.metadata, snapshot);
  const task: RewriteTask = {
    snapshot,
    layout: fileLayout(snapshot),
    touched,
    by: isOn(configuration, "delta.enableDeletionVectors") && touched.every(isCounted) ? "vectors" : "copy",
    changeFeed: isOn(configuration, "delta.enableChangeDataFeed"),
  };
  return { task, searched };
}

/** Files with the rows that their vectors hide. */
export async function liveFiles(store: Store, snapshot: At, files: readonly AddFile[]): Promise<LiveFile[]> {
  const vectors = await readDeletionVectors(store, snapshot, files);
  return files.map((file, i) => ({ file, deleted: vectors[i] }));
}

async function toChange(
  store: Store,
  { snapshot, touched, by, layout }: RewriteTask,
  searched: readonly AddFile[],
  change: RowChange,
  { add, changeFiles, rows }: Rewritten,
): Promise<Change> {
  const isMasked = (file: TouchedFile): boolean => by === "vectors" && !isEmptied(file);
  const masked = touched.filter(isMasked);
  const vectors = await writeDeletionVectors(store, snapshot.table, masked.map(allDeleted));
  const remove = touched.filter((file) => !isMasked(file)).map(({ file }) => file);
  return {
    operation: change.operation,
    operationParameters: change.operationParameters,
    operationMetrics: measure(change.operation, rows, { add, changeFiles, remove, masked }),
    add,
    remove,
    mask: masked.map(({ file }, i) => ({ file, deletionVector: vectors[i] })),
    changeFiles,
    reads: { files: searched, wouldRead: (file) => change.mayTouch(file) },
    rulesEnforced: true,
    rowIdsPreserved: layout.rowTracking !== undefined,
  };
}

function vectorFiles(table: string, { mask = [] }: Change): string[] {
  const paths = mask.flatMap(({ deletionVector }) =>
    deletionVector === undefined ? [] : [vectorPath(table, deletionVector)],
  );
  return [...new Set(paths)];
}

function allDeleted({ deleted, touched }: TouchedFile): Rows {
  return deleted === undefined ? touched : union(deleted, touched);
}

/** A file with a vector must tell how many rows it has. */
function isCounted({ file }: TouchedFile): boolean {
  return numRecords(file.stats) !== undefined;
}

/** Nothing is left in the file. */
function isEmptied({ file, deleted, touched }: TouchedFile): boolean {
  return numRecords(file.stats) === (deleted?.length ?? 0) + touched.length;
}

/** Spark's metrics, which the change feed of other readers relies on to pass over a merge that changed nothing. */
function measure(
  operation: string,
  rows: Rewritten["rows"],
  files: {
    readonly add: readonly NewFile[];
    readonly changeFiles: readonly NewFile[];
    readonly remove: readonly AddFile[];
    readonly masked: readonly TouchedFile[];
  },
): Record<string, string> {
  const vectors = {
    numDeletionVectorsAdded: files.masked.filter(({ deleted }) => deleted === undefined).length,
    numDeletionVectorsUpdated: files.masked.filter(({ deleted }) => deleted !== undefined).length,
    numDeletionVectorsRemoved: files.remove.filter(({ deletionVector }) => deletionVector !== undefined).length,
  };
  const counts =
    operation === "MERGE"
      ? {
          numTargetRowsInserted: rows.inserted,
          numTargetRowsUpdated: rows.updated,
          numTargetRowsDeleted: rows.deleted,
          numTargetRowsCopied: rows.copied,
          numOutputRows: rows.inserted + rows.updated + rows.copied,
          numTargetFilesAdded: files.add.length,
          numTargetFilesRemoved: files.remove.length,
          numTargetChangeFilesAdded: files.changeFiles.length,
          numTargetDeletionVectorsAdded: vectors.numDeletionVectorsAdded,
          numTargetDeletionVectorsUpdated: vectors.numDeletionVectorsUpdated,
          numTargetDeletionVectorsRemoved: vectors.numDeletionVectorsRemoved,
        }
      : {
          ...(operation === "DELETE" ? { numDeletedRows: rows.deleted } : {}),
          ...(operation === "UPDATE" ? { numUpdatedRows: rows.updated } : {}),
          ...(operation === "WRITE" ? { numOutputRows: rows.inserted, numDeletedRows: rows.deleted } : {}),
          numCopiedRows: rows.copied,
          numAddedFiles: files.add.length,
          numRemovedFiles: files.remove.length,
          numAddedChangeFiles: files.changeFiles.length,
          ...vectors,
        };
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count.toString()]));
}
