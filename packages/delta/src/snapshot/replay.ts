import { DeltaError } from "../error.js";
import type { ParquetReader } from "../files/parquet.js";
import {
  type Action,
  type AddFile,
  type CommitInfo,
  commitInfoOf,
  fileKey,
  type Metadata,
  type Protocol,
} from "../log/actions.js";
import { readActions, readInOrder, reasonOf } from "../log/log.js";
import { type CheckpointFiles, type Log, logFolder } from "../log/log-files.js";
import type { Store } from "../store/store.js";
import { readCheckpoint } from "./checkpoint.js";
import { readCompaction } from "./compaction.js";
import { commitsBetween, type Segment, segmentsTo } from "./segment.js";

/** What the log up to a version adds up to. Source: the Delta protocol, "Action Reconciliation". */
export interface LogState {
  protocol: Protocol | undefined;
  metadata: Metadata | undefined;
  /** By `fileKey`. */
  readonly files: Map<string, AddFile>;
  /** Newest version by application. */
  readonly transactions: Map<string, bigint>;
  /** Configuration by domain. */
  readonly domains: Map<string, string>;
  /** Of the last commit only. */
  commitInfo: CommitInfo | undefined;
}

export function emptyState(): LogState {
  return {
    protocol: undefined,
    metadata: undefined,
    files: new Map(),
    transactions: new Map(),
    domains: new Map(),
    commitInfo: undefined,
  };
}

/** Moves the state on by the actions of one commit, compaction or checkpoint. */
export function applyActions(state: LogState, actions: readonly Action[]): void {
  state.commitInfo = undefined;
  for (const action of actions) {
    if ("add" in action) state.files.set(fileKey(action.add), action.add);
    else if ("remove" in action) state.files.delete(fileKey(action.remove));
    else if ("metaData" in action) state.metadata = action.metaData;
    else if ("protocol" in action) state.protocol = action.protocol;
    else if ("txn" in action) state.transactions.set(action.txn.appId, action.txn.version);
    else if ("commitInfo" in action) state.commitInfo = action.commitInfo;
    else if ("domainMetadata" in action) {
      const { domain, configuration, removed } = action.domainMetadata;
      if (removed) state.domains.delete(domain);
      else state.domains.set(domain, configuration);
    }
  }
}

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
export async function replay(store: Store, log: Log, version: bigint, parquet: ParquetReader): Promise<ReplayedState> {
  const { table } = log;
  const warnings: string[] = [];
  const { state, files } = await readStart(store, table, segmentsTo(log, version), parquet, warnings);
  const contents = readInOrder(files, (file) =>
    "first" in file ? readCompaction(store, table, file) : readActions(store, table, file.version),
  );
  for await (const actions of contents) applyActions(state, actions);
  // A checkpoint of the version itself does not tell what the commit says of itself.
  if (files.length === 0 && commitsBetween(log, version, version) !== undefined)
    state.commitInfo = commitInfoOf(await readActions(store, table, version));
  return { ...assertStarted(state, table), warnings };
}

/** The state of the newest checkpoint that can be read, with the files that follow it. */
async function readStart(
  store: Store,
  table: string,
  segments: readonly Segment[],
  parquet: ParquetReader,
  warnings: string[],
): Promise<{ state: LogState; files: Segment["files"] }> {
  let damage: DeltaError | undefined;
  for (const { checkpoint, files } of segments) {
    const state = emptyState();
    if (checkpoint === undefined) return { state, files };
    try {
      applyActions(state, await readCheckpoint(store, table, checkpoint, parquet));
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
function assertStarted(state: LogState, table: string): LogState & { protocol: Protocol; metadata: Metadata } {
  const { protocol, metadata } = state;
  if (protocol !== undefined && metadata !== undefined) return { ...state, protocol, metadata };
  const missing = protocol === undefined ? "protocol" : "metaData";
  throw new DeltaError("DELTA_TABLE_UNREADABLE", `The log of ${table} holds no ${missing} action.`, {
    table,
    path: logFolder(table),
    hint: "Version 0 of a Delta table states protocol and metadata: restore the log from a backup.",
  });
}
