import type { AddFile, CommitInfo, Metadata, Protocol } from "./actions.js";
import { DeltaError } from "./error.js";
import { listCommits } from "./log.js";
import { assertKnownReaderFeatures, assertReadable, readSchema } from "./protocol.js";
import { replay } from "./replay.js";
import type { StructType } from "./schema.js";
import type { Store } from "./store.js";
import { commitTimestamp, resolveTimestamp } from "./timeline.js";

/** A table as it stands at one version. */
export interface Snapshot {
  readonly table: string;
  readonly version: bigint;
  /** When this version was committed, milliseconds since the epoch. */
  readonly timestamp: number;
  readonly protocol: Protocol;
  readonly metadata: Metadata;
  readonly schema: StructType;
  /** The files that hold the rows, in the order in which they came in. */
  readonly files: readonly AddFile[];
  /** The newest version that each application has committed. */
  readonly transactions: ReadonlyMap<string, bigint>;
  /** The configuration of each metadata domain. */
  readonly domains: ReadonlyMap<string, string>;
  /** What this version's commit says of itself. */
  readonly commitInfo: CommitInfo | undefined;
}

export type AsOf = { readonly version: bigint } | { readonly timestamp: string | number };

/**
 * Reads a table's state from its log. Undefined when there is no log: whether the folder is empty or holds other
 * files, and what that means, `store.list` tells the caller.
 *
 * @throws DeltaError DELTA_TABLE_UNREADABLE, DELTA_UNSUPPORTED_FEATURES_FOR_READ, DELTA_VERSION_NOT_FOUND
 */
export async function readSnapshot(store: Store, table: string, asOf?: AsOf): Promise<Snapshot | undefined> {
  const all = await listCommits(store, table);
  if (all === undefined) return undefined;
  let version = BigInt(all.length - 1);
  if (asOf !== undefined)
    version = "version" in asOf ? asOf.version : await resolveTimestamp(store, table, all, asOf.timestamp);
  const commits = all.slice(0, Number(version) + 1);
  const last = commits.at(-1);
  if (last?.version !== version)
    throw new DeltaError(
      "DELTA_VERSION_NOT_FOUND",
      `${table} has no version ${version}; it has 0 to ${all.length - 1}.`,
      {
        table,
        version,
        hint: "Choose a version within this range, or leave it out to read the newest one.",
      },
    );

  const { protocol, metadata, files, transactions, domains, commitInfo } = await replay(store, table, commits);
  const at = { table, version };
  assertKnownReaderFeatures(protocol, at);
  const schema = readSchema(metadata, at);
  const snapshot = {
    ...at,
    timestamp: commitTimestamp(table, last, commitInfo, metadata),
    protocol,
    metadata,
    schema,
    files: [...files.values()],
    transactions,
    domains,
    commitInfo,
  };
  assertReadable({ ...snapshot, configuration: metadata.configuration }, at);
  return snapshot;
}
