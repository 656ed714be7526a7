import { DeltaError } from "../error.js";
import { hyparquetReader, type ParquetReader } from "../files/parquet.js";
import {
  type CheckpointFiles,
  type Log,
  logFileVersion,
  logFolder,
  requireLog,
  sidecarsFolder,
} from "../log/log-files.js";
import { assertMaintainable } from "../protocol/protocol.js";
import { isLeftover } from "../store/local-store.js";
import type { Entry, Store } from "../store/store.js";
import { readCheckpoint, readSidecarPaths } from "./checkpoint.js";
import { logProperties } from "./log-properties.js";
import { replay } from "./replay.js";
import { commitsBetween } from "./segment.js";

export interface CleanUpOptions {
  /** Every version from this one on stays readable, whatever its age. */
  readonly keepFrom?: bigint;
  /**
   * Milliseconds: every version that was the newest at some moment since then stays readable. Default
   * `delta.logRetentionDuration` (30 days), reckoned from the last midnight in UTC.
   */
  readonly retention?: number;
  /** Tells what would go, and removes nothing. */
  readonly dryRun?: boolean;
  readonly reader?: ParquetReader;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface LogCleanUp {
  /** The oldest version that is readable afterwards; undefined where nothing could go. */
  readonly oldestVersion: bigint | undefined;
  /** What was removed, or would be. */
  readonly paths: readonly string[];
}

const DAY = 86_400_000;
/** How many files are removed at once. */
const BATCH = 16;

/**
 * Removes what no version that is to be kept needs: the log before the newest whole checkpoint that is not newer than
 * the oldest of these versions, and sidecars that no checkpoint names. The commit of that checkpoint stays, too, since it tells
 * its time. Without such a checkpoint no version goes. Data files stay; VACUUM removes them.
 * Source: the Delta protocol, "Metadata Cleanup".
 *
 * What a killed writer left in the folder of the log goes once it is a day older than the last midnight: no put takes that
 * long. That of Spark and delta-rs goes, too; they themselves leave it for good, and every listing of the log has to pass it.
 *
 * @throws DeltaError NO_DELTA_TABLE, DELTA_TABLE_UNREADABLE, DELTA_VERSION_NOT_FOUND for a `keepFrom` after the newest
 * version, DELTA_INVALID_INTERVAL, DELTA_UNSUPPORTED_FEATURES_FOR_READ, DELTA_UNSUPPORTED_FEATURES_FOR_WRITE
 */
export async function cleanUpLog(store: Store, table: string, options: CleanUpOptions = {}): Promise<LogCleanUp> {
  const { reader = hyparquetReader, dryRun = false, now = Date.now } = options;
  const log = await requireLog(store, table);
  const { protocol, metadata } = await replay(store, log, log.newest, reader);
  const at = { table, version: log.newest };
  assertMaintainable(protocol, at);
  const { logRetention } = logProperties(at, metadata.configuration);
  const kept = options.keepFrom ?? newestAt(log, cutoffOf(options, logRetention, now()));
  if (kept !== undefined && kept > log.newest) throw notThere(log, kept);
  const checkpoint = kept === undefined ? undefined : await coveringCheckpoint(store, log, kept, reader);
  const remove = async (paths: readonly string[]): Promise<void> => {
    // The oldest first: what is left after a failure has no gap behind its oldest version.
    for (let at = 0; !dryRun && at < paths.length; at += BATCH)
      await Promise.all(paths.slice(at, at + BATCH).map((path) => store.delete(path)));
  };

  const entries = await store.list(logFolder(table));
  const expired = checkpoint === undefined ? [] : expiredFiles(table, entries, checkpoint.version);
  await remove(expired);
  const before = midnight(now()) - DAY;
  const sidecars = await unusedSidecars(store, log, checkpoint?.version, before, reader);
  const leftovers = leftoverFiles(table, entries, before);
  await remove([...sidecars, ...leftovers]);
  return { oldestVersion: checkpoint?.version, paths: [...expired, ...sidecars, ...leftovers] };
}

function cutoffOf({ retention }: CleanUpOptions, logRetention: number, now: number): number {
  return retention === undefined ? midnight(now) - logRetention : now - retention;
}

/** The newest version that was there at a time; undefined when none was. */
function newestAt({ commits }: Log, time: number): bigint | undefined {
  return commits.findLast(({ timestamp }) => timestamp <= time)?.version;
}

/** The newest checkpoint from which all versions from `kept` on can be read; a damaged one is none. */
async function coveringCheckpoint(
  store: Store,
  log: Log,
  kept: bigint,
  reader: ParquetReader,
): Promise<CheckpointFiles | undefined> {
  for (const checkpoint of log.checkpoints) {
    if (checkpoint.version > kept) continue;
    if (commitsBetween(log, checkpoint.version + 1n, log.newest) === undefined) return undefined;
    const isWhole = await readCheckpoint(store, log.table, checkpoint, reader).then(
      () => true,
      () => false,
    );
    if (isWhole) return checkpoint;
  }
  return undefined;
}

/** Commits, checkpoints and checksums before a version; compactions that begin at it, too. The oldest first. */
function expiredFiles(table: string, entries: readonly Entry[], version: bigint): string[] {
  return entries
    .flatMap((entry) => {
      const { version: first, isCommitRange } = logFileVersion(entry);
      if (entry.kind !== "file" || first === undefined) return [];
      return first < version || (isCommitRange && first === version) ? [{ name: entry.name, first }] : [];
    })
    .sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))
    .map(({ name }) => `${logFolder(table)}/${name}`);
}

/** A commit that delta-rs was going to rename. Spark's have the names of our own: `.<name>.<uuid>.tmp`. */
const DELTA_RS = /^_commit_[0-9a-f-]{36}\.json\.tmp$/;

function leftoverFiles(table: string, entries: readonly Entry[], before: number): string[] {
  return entries.flatMap(({ name, kind, modified }) =>
    kind === "file" && modified < before && (isLeftover(name) || DELTA_RS.test(name))
      ? [`${logFolder(table)}/${name}`]
      : [],
  );
}

/** Sidecars that are old enough to belong to no checkpoint that is being written; none where one cannot be read. */
async function unusedSidecars(
  store: Store,
  log: Log,
  oldest: bigint | undefined,
  before: number,
  reader: ParquetReader,
): Promise<string[]> {
  const folder = sidecarsFolder(log.table);
  const old = (await store.list(folder)).filter(({ kind, modified }) => kind === "file" && modified < before);
  if (old.length === 0) return [];
  const used = new Set<string>();
  for (const checkpoint of log.checkpoints) {
    if (oldest !== undefined && checkpoint.version < oldest) continue;
    const paths = await readSidecarPaths(store, log.table, checkpoint, reader).catch(() => undefined);
    if (paths === undefined) return [];
    // By the name alone, which is unique: a checkpoint may name the folder by another URI.
    for (const path of paths) used.add(path.slice(path.lastIndexOf("/") + 1));
  }
  return old.filter(({ name }) => !used.has(name)).map(({ name }) => `${folder}/${name}`);
}

function midnight(time: number): number {
  return time - (((time % DAY) + DAY) % DAY);
}

function notThere({ table, newest }: Log, version: bigint): DeltaError {
  return new DeltaError("DELTA_VERSION_NOT_FOUND", `${table} has no version ${version}; its newest is ${newest}.`, {
    table,
    version,
    hint: "Keep the log from a version on that is there.",
  });
}
