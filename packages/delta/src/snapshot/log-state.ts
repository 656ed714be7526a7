import {
  type Action,
  type AddFile,
  type CommitInfo,
  fileKey,
  type Metadata,
  type Protocol,
  type RemoveFile,
  type Transaction,
} from "../log/actions.js";

/** What the log up to a version adds up to. Source: the Delta protocol, "Action Reconciliation". */
export interface LogState {
  protocol: Protocol | undefined;
  metadata: Metadata | undefined;
  /** By `fileKey`. */
  readonly files: Map<string, AddFile>;
  /** The newest by application. */
  readonly transactions: Map<string, Transaction>;
  /** Configuration by domain. */
  readonly domains: Map<string, string>;
  /** Files that were removed, by `fileKey`; undefined where nobody asked for them. */
  readonly tombstones: Map<string, RemoveFile> | undefined;
  /** Of the last commit only. */
  commitInfo: CommitInfo | undefined;
}

/** What to gather beside what every snapshot holds. */
export interface StateOptions {
  /** Default false: most of many a checkpoint, and of use for the next one only. */
  readonly tombstones?: boolean;
}

export function emptyState({ tombstones = false }: StateOptions = {}): LogState {
  return {
    protocol: undefined,
    metadata: undefined,
    files: new Map(),
    transactions: new Map(),
    domains: new Map(),
    tombstones: tombstones ? new Map() : undefined,
    commitInfo: undefined,
  };
}

/** Moves the state on by the actions of one commit, compaction or checkpoint. */
export function applyActions(state: LogState, actions: readonly Action[]): void {
  state.commitInfo = undefined;
  for (const action of actions) {
    if ("add" in action) {
      const key = fileKey(action.add);
      state.files.set(key, action.add);
      state.tombstones?.delete(key);
    } else if ("remove" in action) {
      const key = fileKey(action.remove);
      state.files.delete(key);
      state.tombstones?.set(key, action.remove);
    } else if ("metaData" in action) state.metadata = action.metaData;
    else if ("protocol" in action) state.protocol = action.protocol;
    else if ("txn" in action) state.transactions.set(action.txn.appId, action.txn);
    else if ("commitInfo" in action) state.commitInfo = action.commitInfo;
    else if ("domainMetadata" in action) {
      const { domain, configuration, removed } = action.domainMetadata;
      if (removed) state.domains.delete(domain);
      else state.domains.set(domain, configuration);
    }
  }
}
