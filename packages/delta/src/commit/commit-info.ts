import { numRecords } from "../files/stats.js";
import type { CommitInfo } from "../log/actions.js";
import type { JsonObject } from "../log/json.js";
import type { Change, NewFile } from "./change.js";
import { tracksRows } from "./row-tracking.js";
import type { StagedCommit } from "./stage.js";

/** What the caller of any operation may add to the table's history. */
export interface CommitNotes {
  /** Any text: a run, a ticket. */
  readonly userMetadata?: string;
  /** The engine that wrote the files, with its version. Default: this library with its own. */
  readonly engineInfo?: string;
}

/** Name and version of this package, as others write theirs: `Apache-Spark/4.2.0 Delta-Lake/4.4.0`. */
export const LIBRARY_INFO = "Ingot-Delta/0.1.0";

/**
 * What a commit says of itself, in the fields that Spark writes.
 *
 * @param inCommitTimestamp undefined where the table's commits state no time
 */
export function commitInfo(
  { change, base, remove, isolation, txnId }: StagedCommit,
  now: number,
  inCommitTimestamp: number | undefined,
  { userMetadata, engineInfo = LIBRARY_INFO }: CommitNotes,
): CommitInfo {
  const { configuration } = base.metadata;
  return {
    inCommitTimestamp,
    timestamp: now,
    operation: change.operation,
    operationParameters: change.operationParameters ?? {},
    readVersion: base.version,
    isolationLevel: isolation,
    isBlindAppend: change.isBlindAppend ?? false,
    operationMetrics: { ...measure(change, remove.length), ...change.operationMetrics },
    userMetadata,
    tags: tracksRows(configuration) ? { "delta.rowTracking.preserved": String(keepsRowIds(change)) } : undefined,
    engineInfo,
    txnId,
  };
}

/** Rows keep their ids where none is updated or copied, whatever is said: then files come, or go, or all are replaced. */
function keepsRowIds({ add = [], mask = [], remove = [], rowIdsPreserved }: Change): boolean {
  const mayMove = add.length > 0 && (mask.length > 0 || (remove !== "all" && remove.length > 0));
  return rowIdsPreserved ?? !mayMove;
}

const WRITES = /^(WRITE|STREAMING UPDATE|(CREATE|REPLACE|CREATE OR REPLACE) TABLE( AS SELECT)?)$/;

/** Spark's metrics of a write; other operations know their own. Rows are told only when every file tells them. */
function measure({ operation, add = [] }: Change, removed: number): JsonObject {
  if (!WRITES.test(operation) || add.length + removed === 0) return {};
  return {
    numFiles: add.length.toString(),
    numOutputRows: countRows(add)?.toString(),
    numOutputBytes: add.reduce((sum, { size }) => sum + size, 0).toString(),
    numRemovedFiles: removed === 0 ? undefined : removed.toString(),
  };
}

function countRows(files: readonly NewFile[]): number | undefined {
  let rows = 0;
  for (const { stats } of files) {
    const count = numRecords(stats);
    if (count === undefined) return undefined;
    rows += count;
  }
  return rows;
}
