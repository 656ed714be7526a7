import { DeltaError } from "../error.js";
import type { Action } from "../log/actions.js";
import { formatCommit } from "../log/commit-file.js";
import { readActions } from "../log/log.js";
import { commitPath } from "../log/log-files.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import type { Change, TableDefinition } from "./change.js";
import { type StagedCommit, stageChange, stageCreation } from "./stage.js";

/** Milliseconds since the epoch. */
export type Clock = () => number;

/**
 * Commits version 0 of a new table.
 *
 * @throws DeltaError DELTA_CONCURRENT_WRITE when the table is there by now, and what `stageCreation` throws
 */
export async function createTable(
  store: Store,
  table: string,
  definition: TableDefinition,
  change: Change,
  now: Clock = Date.now,
): Promise<{ readonly version: bigint }> {
  const staged = stageCreation(table, definition, change, now());
  const winner = await put(store, table, 0n, staged);
  if (winner !== undefined) throw lost(table, 0n, "it created the table");
  return { version: 0n };
}

/**
 * Commits a change of the table as the snapshot shows it. When another writer was faster, a blind append goes behind
 * its commit as long as that commit leaves protocol, metadata and the progress of the same applications alone; any
 * other change is given up, with nothing written but the files that the caller wrote.
 *
 * An error of the store does not prove that nothing was committed: a caller that removes its files after one looks
 * into the log first.
 *
 * @throws DeltaError DELTA_CONCURRENT_WRITE with the winner's version, and what `stageChange` throws
 */
export async function commit(
  store: Store,
  snapshot: Snapshot,
  change: Change,
  now: Clock = Date.now,
): Promise<{ readonly version: bigint }> {
  const { table } = snapshot;
  const staged = stageChange(snapshot, change, now());
  for (let version = snapshot.version + 1n; ; version += 1n) {
    const winner = await put(store, table, version, staged);
    if (winner === undefined) return { version };
    const conflict = findConflict(change, winner);
    if (conflict !== undefined) throw lost(table, version, conflict);
  }
}

/** Undefined when the commit was made, else the actions of the commit that has the version. */
async function put(
  store: Store,
  table: string,
  version: bigint,
  staged: StagedCommit,
): Promise<readonly Action[] | undefined> {
  const content = formatCommit(staged.actions);
  try {
    if (await store.putIfAbsent(commitPath(table, version), content)) return undefined;
  } catch (error) {
    // The commit may be made and only the answer lost: the log knows.
    const found = await readActions(store, table, version).catch(() => []);
    if (isOurs(found, staged)) return undefined;
    throw error;
  }
  const winner = await readActions(store, table, version);
  // A store that repeats a request whose answer was lost finds its own commit.
  return isOurs(winner, staged) ? undefined : winner;
}

function isOurs(actions: readonly Action[], { txnId }: StagedCommit): boolean {
  return actions.some((action) => "commitInfo" in action && action.commitInfo["txnId"] === txnId);
}

/** What the winner did that the change cannot be put behind. */
function findConflict(change: Change, winner: readonly Action[]): string | undefined {
  const appIds = new Set(change.transactions?.map(({ appId }) => appId));
  for (const action of winner) {
    if ("protocol" in action) return "it changed the protocol";
    if ("metaData" in action) return "it changed the schema or the properties";
    if ("txn" in action && appIds.has(action.txn.appId)) return `it is of the same application, ${action.txn.appId}`;
  }
  if (change.metadata !== undefined) return "this commit changes the schema or the properties";
  return change.isBlindAppend === true ? undefined : "this commit depends on what it read before";
}

function lost(table: string, version: bigint, conflict: string): DeltaError {
  return new DeltaError(
    "DELTA_CONCURRENT_WRITE",
    `Another writer committed version ${version} of ${table} first, and ${conflict}.`,
    {
      table,
      version,
      path: commitPath(table, version),
      hint: "Read a new snapshot, see whether the work is still to be done, and commit again.",
    },
  );
}
