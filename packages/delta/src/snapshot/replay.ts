import { type At, DeltaError, reasonOf } from "../error.js";
import type { ParquetReader } from "../files/parquet.js";
import type { Metadata, Protocol } from "../log/actions.js";
import { readActions, readCommitInfo, readInOrder, readText } from "../log/log.js";
import { type CheckpointFiles, checksumPath, type Log, logFolder } from "../log/log-files.js";
import type { Store } from "../store/store.js";
import { readCheckpoint } from "./checkpoint.js";
import { readCompaction } from "./compaction.js";
import { applyActions, emptyState, type LogState, type StateOptions } from "./log-state.js";
import { commitsBetween, type Segment, segmentsTo } from "./segment.js";
import { sumFiles, verifyChecksum } from "./version-checksum.js";

export interface ReplayedState extends LogState {
  readonly protocol: Protocol;
  readonly metadata: Metadata;
  /** Damage that was found and does not matter to the state, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * The state of a table at a version. A checkpoint that cannot be read is passed over with a warning, as long as the
 * files behind it give the state, too.
 *
 * @throws DeltaError DELTA_VERSION_NOT_FOUND, DELTA_TABLE_UNREADABLE
 */
export async function replay(
  store: Store,
  log: Log,
  version: bigint,
  parquet: ParquetReader,
  options: StateOptions = {},
): Promise<ReplayedState> {
  const { table } = log;
  const warnings: string[] = [];
  const checksum = readChecksum(store, log, version);
  const { state, files } = await readStart(store, table, segmentsTo(log, version), parquet, options, warnings);
  const contents = readInOrder(files, (file) =>
    "first" in file ? readCompaction(store, table, file) : readActions(store, table, file.version),
  );
  for await (const actions of contents) applyActions(state, actions);
  // A checkpoint of the version itself does not tell what the commit says of itself.
  if (files.length === 0 && commitsBetween(log, version, version) !== undefined)
    state.commitInfo = await readCommitInfo(store, table, version);
  const started = assertStarted(state, { table, version });
  const told = await checksum;
  const warning =
    told === undefined
      ? undefined
      : verifyChecksum(told, { ...started, sums: sumFiles(started.files.values()) }, { table, version });
  return { ...started, warnings: warning === undefined ? warnings : [...warnings, warning] };
}

/** The text of the version's checksum file; undefined where there is none, or none any more. */
async function readChecksum(store: Store, { table, checksums }: Log, version: bigint): Promise<string | undefined> {
  if (!checksums.has(version)) return undefined;
  return readText(store, checksumPath(table, version)).catch(() => undefined);
}

/** The state of the newest checkpoint that can be read, with the files that follow it. */
async function readStart(
  store: Store,
  table: string,
  segments: readonly Segment[],
  parquet: ParquetReader,
  options: StateOptions,
  warnings: string[],
): Promise<{ state: LogState; files: Segment["files"] }> {
  let damage: DeltaError | undefined;
  for (const { checkpoint, files } of segments) {
    const state = emptyState(options);
    if (checkpoint === undefined) return { state, files };
    try {
      applyActions(state, await readCheckpoint(store, table, checkpoint, parquet, options));
      return { state, files };
    } catch (cause) {
      damage = damaged(table, checkpoint, cause);
      warnings.push(damage.message);
    }
  }
  throw damage ?? new Error("unreachable: a version has a segment");
}

function damaged(table: string, { version, names }: CheckpointFiles, cause: unknown): DeltaError {
  const path = `${logFolder(table)}/${names[0]}`;
  return new DeltaError("DELTA_TABLE_UNREADABLE", `The checkpoint ${path} cannot be read: ${reasonOf(cause)}.`, {
    table,
    version,
    path,
    hint: "The commits before it are gone, so nothing else tells the table's state: restore the file from a backup.",
    cause,
  });
}

/** @throws DeltaError DELTA_TABLE_UNREADABLE when no commit so far told the protocol and the metadata */
function assertStarted(state: LogState, at: At): LogState & { protocol: Protocol; metadata: Metadata } {
  const { protocol, metadata } = state;
  if (protocol !== undefined && metadata !== undefined) return { ...state, protocol, metadata };
  const missing = protocol === undefined ? "protocol" : "metaData";
  throw new DeltaError("DELTA_TABLE_UNREADABLE", `The log of ${at.table} holds no ${missing} action.`, {
    ...at,
    path: logFolder(at.table),
    hint: "Version 0 of a Delta table states protocol and metadata: restore the log from a backup.",
  });
}
