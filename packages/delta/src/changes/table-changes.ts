import { DeltaError } from "../error.js";
import {
  type AddFile,
  type ChangeFile,
  type CommitInfo,
  commitInfoOf,
  type Metadata,
  type RemoveFile,
} from "../log/actions.js";
import { type Commit, readCommits } from "../log/log.js";
import { listLog } from "../log/log-files.js";
import { assertKnownReaderFeatures, readSchema } from "../protocol/protocol.js";
import { commitsBetween } from "../snapshot/segment.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import { commitTimestamp } from "../snapshot/timeline.js";
import type { Store } from "../store/store.js";

/** What one commit did to the table. Files with `dataChange: false` brought or took no rows. */
export interface VersionChanges {
  readonly version: bigint;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly added: readonly AddFile[];
  readonly removed: readonly RemoveFile[];
  /** Files of the change data feed: where there are any, they alone tell the version's row changes. */
  readonly changeFiles: readonly ChangeFile[];
  /** Set where the commit changed schema or properties. */
  readonly metadata: Metadata | undefined;
  readonly commitInfo: CommitInfo | undefined;
}

/**
 * The changes from a version on, up to and with the snapshot's, oldest first; nothing when `fromVersion` lies beyond
 * the snapshot. Only these commits are read. A caller that goes on from a stored version compares `metadata.id` of the
 * snapshot first: a table that was made anew counts its versions from 0 again.
 *
 * @throws DeltaError DELTA_VERSION_NOT_FOUND, DELTA_TABLE_UNREADABLE, DELTA_UNSUPPORTED_FEATURES_FOR_READ
 */
export async function* readChanges(
  store: Store,
  snapshot: Snapshot,
  fromVersion: bigint,
): AsyncGenerator<VersionChanges> {
  const { table } = snapshot;
  const recent = await listLog(store, table, fromVersion);
  const commits =
    recent === undefined || fromVersion < 0n ? undefined : commitsBetween(recent, fromVersion, snapshot.version);
  if (commits === undefined) {
    const log = await listLog(store, table);
    const [first, last] = [log?.commits[0], log?.commits.at(-1)];
    const held = first === undefined ? "no commits" : `the commits of versions ${first.version} to ${last?.version}`;
    throw new DeltaError(
      "DELTA_VERSION_NOT_FOUND",
      `Versions ${fromVersion} to ${snapshot.version} of ${table} cannot be read: the log holds ${held}.`,
      {
        table,
        version: fromVersion,
        hint: "Begin with a snapshot: the log was cleaned up, or the table was made anew.",
      },
    );
  }
  for await (const commit of readCommits(store, table, commits)) yield toChanges(snapshot, commit);
}

function toChanges(snapshot: Snapshot, commit: Commit): VersionChanges {
  const { table } = snapshot;
  const { version, actions } = commit;
  const metadata = actions.flatMap((action) => ("metaData" in action ? [action.metaData] : [])).at(-1);
  const protocol = actions.flatMap((action) => ("protocol" in action ? [action.protocol] : [])).at(-1);
  const commitInfo = commitInfoOf(actions);

  // The snapshot was checked for its own version; within the range protocol and schema may have been others.
  const at = { table, version };
  if (protocol !== undefined) assertKnownReaderFeatures(protocol, at);
  if (metadata !== undefined) readSchema(metadata, at);

  return {
    version,
    timestamp: commitTimestamp(table, commit, commitInfo, snapshot.metadata),
    added: actions.flatMap((action) => ("add" in action ? [action.add] : [])),
    removed: actions.flatMap((action) => ("remove" in action ? [action.remove] : [])),
    changeFiles: actions.flatMap((action) => ("cdc" in action ? [action.cdc] : [])),
    metadata,
    commitInfo,
  };
}
