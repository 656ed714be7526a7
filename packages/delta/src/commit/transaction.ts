import { DeltaError } from "../error.js";
import { hyparquetReader, type ParquetReader } from "../files/parquet.js";
import { hyparquetWriter, type ParquetWriter } from "../files/parquet-writer.js";
import type { Action } from "../log/actions.js";
import { formatCommit } from "../log/commit-file.js";
import { readActions } from "../log/log.js";
import { commitPath, listLog } from "../log/log-files.js";
import { maintainLog } from "../snapshot/maintain-log.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import type { Change, TableDefinition } from "./change.js";
import { advance, commitActions, type Tip, tipOf } from "./commit-actions.js";
import type { CommitNotes } from "./commit-info.js";
import { type Conflict, findConflict } from "./conflict.js";
import { type StagedCommit, stageChange, stageCreation } from "./stage.js";

/** What every operation that commits takes. */
export interface CommitOptions extends CommitNotes {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Reads checkpoints, and writes them; without them a reader and a writer in JavaScript do, loaded when needed. */
  readonly reader?: ParquetReader;
  readonly writer?: ParquetWriter;
  /**
   * What follows a commit that is made; that it fails changes nothing about the commit. Default: the version's checksum,
   * a checkpoint every `delta.checkpointInterval` versions, and then the clean-up of the log.
   *
   * @param before the snapshot that the commit was made on; undefined for a new table
   */
  readonly afterCommit?: (version: bigint, before: Snapshot | undefined) => Promise<void>;
}

/** How often a commit goes behind others before it gives up. */
const MAX_ATTEMPTS = 100;

/**
 * Commits version 0 of a new table. A log without version 0, from which a clean-up took the oldest commits, is a table,
 * too.
 *
 * @throws DeltaError DELTA_PROTOCOL_CHANGED when the table is there by now, and what `stageCreation` throws
 */
export async function createTable(
  store: Store,
  table: string,
  definition: TableDefinition,
  change: Change,
  options: CommitOptions = {},
): Promise<{ readonly version: bigint }> {
  const { now = Date.now } = options;
  const staged = stageCreation(table, definition, change, now());
  const tip = tipOf(staged.base, Number.NaN);
  const isThere = (await listLog(store, table)) !== undefined;
  const winner = isThere ? [] : await put(store, staged, tip, now(), options);
  if (winner !== undefined) throw lost(table, 0n, { code: "DELTA_PROTOCOL_CHANGED", reason: "it created the table" });
  return done(store, table, undefined, 0n, options);
}

/**
 * Commits a change of the table as the snapshot shows it. When other writers were faster, the change goes behind their
 * commits where these do not matter to it (see `findConflict`), row ids and times set anew; else it is given up, with
 * nothing written but the files that the caller wrote.
 *
 * Not every error proves that nothing was committed: a caller that removes its files asks `provesNoCommit`.
 *
 * @throws DeltaError a conflict with the winner's version, and what `stageChange` throws
 */
export async function commit(
  store: Store,
  snapshot: Snapshot,
  change: Change,
  options: CommitOptions = {},
): Promise<{ readonly version: bigint }> {
  const { table } = snapshot;
  const { now = Date.now } = options;
  const staged = stageChange(snapshot, change);
  let tip = tipOf(snapshot, snapshot.timestamp);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    let winner = await put(store, staged, tip, now(), options);
    if (winner === undefined) return done(store, table, snapshot, tip.version + 1n, options);
    // Others may be several commits ahead: reading them costs less than trying every version.
    while (winner !== undefined) {
      const conflict = findConflict(staged.contender, winner);
      if (conflict !== undefined) throw lost(table, tip.version + 1n, conflict);
      tip = advance(tip, winner, staged.startsTimes ? await fileTime(store, table, tip.version + 1n) : Number.NaN);
      winner = await readIfThere(store, table, tip.version + 1n);
    }
  }
  throw new DeltaError(
    "DELTA_MAX_COMMIT_RETRIES_EXCEEDED",
    `Other writers were faster ${MAX_ATTEMPTS} times in a row; ${table} was at version ${tip.version} last.`,
    { table, version: tip.version, hint: "Try again when fewer writers are at work." },
  );
}

/**
 * Whether an error of `commit` or of what calls it proves that nothing was committed, so that the files which were
 * written for it may go. Errors of the store leave it open, and so does a log that cannot be read: the answer to a put
 * may be lost.
 */
export function provesNoCommit(error: unknown): boolean {
  return error instanceof DeltaError && error.code !== "DELTA_TABLE_UNREADABLE";
}

/** Nothing may turn a commit that was made into an error: its files are part of the table. */
async function done(
  store: Store,
  table: string,
  before: Snapshot | undefined,
  version: bigint,
  { now = Date.now, afterCommit, reader = hyparquetReader, writer = hyparquetWriter }: CommitOptions,
): Promise<{ readonly version: bigint }> {
  try {
    if (afterCommit !== undefined) await afterCommit(version, before);
    else await maintainLog(store, table, before, version, { now, reader, writer });
  } catch {
    // The log is whole without a checkpoint; the next commit that is due for one makes it.
  }
  return { version };
}

/** Undefined when the commit was made, else the actions of the commit that has the version. */
async function put(
  store: Store,
  staged: StagedCommit,
  tip: Tip,
  now: number,
  notes: CommitNotes,
): Promise<readonly Action[] | undefined> {
  const { table } = staged.base;
  const version = tip.version + 1n;
  const content = formatCommit(commitActions(staged, tip, now, notes));
  try {
    if (await store.putIfAbsent(commitPath(table, version), content)) return undefined;
  } catch (error) {
    // The commit may be made and only the answer lost, or another one has the version: the log knows.
    const found = await readActions(store, table, version).catch(() => undefined);
    if (found === undefined) throw error;
    return isOurs(found, staged) ? undefined : found;
  }
  const winner = await readActions(store, table, version);
  // A store that repeats a request whose answer was lost finds its own commit.
  return isOurs(winner, staged) ? undefined : winner;
}

function isOurs(actions: readonly Action[], { txnId }: StagedCommit): boolean {
  return actions.some((action) => "commitInfo" in action && action.commitInfo["txnId"] === txnId);
}

/** A commit that is damaged counts as not there: the attempt to take its version tells what is wrong with it. */
function readIfThere(store: Store, table: string, version: bigint): Promise<Action[] | undefined> {
  return readActions(store, table, version).catch(() => undefined);
}

/** The commit that first states its time must be later than the file of the commit before it. */
async function fileTime(store: Store, table: string, version: bigint): Promise<number> {
  const log = await listLog(store, table);
  return log?.commits.find((commit) => commit.version === version)?.timestamp ?? Number.NaN;
}

function lost(table: string, version: bigint, { code, reason }: Conflict): DeltaError {
  return new DeltaError(code, `Another writer committed version ${version} of ${table} first, and ${reason}.`, {
    table,
    version,
    path: commitPath(table, version),
    hint: "Read a new snapshot, see whether the work is still to be done, and commit again.",
  });
}
