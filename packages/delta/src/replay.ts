import { type Action, type AddFile, type CommitInfo, fileKey, type Metadata, type Protocol } from "./actions.js";
import { DeltaError } from "./error.js";
import { type CommitFile, logFolder, readCommits } from "./log.js";
import type { Store } from "./store.js";

/** What the commits so far add up to. Source: the Delta protocol, "Action Reconciliation". */
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

/** Moves the state on by one commit. */
export function applyCommit(state: LogState, actions: readonly Action[]): void {
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

/** The state after the last of these commits, the first of which is version 0. */
export async function replay(
  store: Store,
  table: string,
  commits: readonly CommitFile[],
): Promise<LogState & { protocol: Protocol; metadata: Metadata }> {
  const state = emptyState();
  for await (const commit of readCommits(store, table, commits)) applyCommit(state, commit.actions);
  return assertStarted(state, table);
}

/** @throws DeltaError DELTA_TABLE_UNREADABLE when no commit so far told the protocol and the metadata */
export function assertStarted(state: LogState, table: string): LogState & { protocol: Protocol; metadata: Metadata } {
  const { protocol, metadata } = state;
  if (protocol !== undefined && metadata !== undefined) return { ...state, protocol, metadata };
  const missing = protocol === undefined ? "protocol" : "metaData";
  throw new DeltaError("DELTA_TABLE_UNREADABLE", `The log of ${table} holds no ${missing} action.`, {
    table,
    path: logFolder(table),
    hint: "Version 0 of a Delta table states protocol and metadata: restore the log from a backup.",
  });
}
