import { hyparquetReader, type ParquetReader } from "../files/parquet.js";
import type { AddFile, CommitInfo, Metadata, Protocol } from "../log/actions.js";
import { listLog } from "../log/log-files.js";
import { assertKnownReaderFeatures, readSchema } from "../protocol/protocol.js";
import type { StructType } from "../schema/schema.js";
import type { Store } from "../store/store.js";
import { replay } from "./replay.js";
import { type ReplayedTable, replayTable } from "./replay-table.js";
import { resolveTimestamp, versionTimestamp } from "./timeline.js";

/** A table as it stands at one version. */
export interface Snapshot {
  readonly table: string;
  readonly version: bigint;
  /** When this version was committed, milliseconds since the epoch. */
  readonly timestamp: number;
  readonly protocol: Protocol;
  readonly metadata: Metadata;
  readonly schema: StructType;
  /** The files that hold the rows, in the order in which the log tells them. */
  readonly files: readonly AddFile[];
  /** The newest version that each application has committed. */
  readonly transactions: ReadonlyMap<string, bigint>;
  /** The configuration of each metadata domain. */
  readonly domains: ReadonlyMap<string, string>;
  /** What this version's commit says of itself; undefined, too, where a clean-up took the commit. */
  readonly commitInfo: CommitInfo | undefined;
  /** Damage in the log that did not matter to this state, one sentence each: a checkpoint that is cut off. */
  readonly warnings: readonly string[];
}

export type AsOf = { readonly version: bigint } | { readonly timestamp: string | number };

/**
 * Reads a table's state from its log. Undefined when there is no log: whether the folder is empty or holds other
 * files, and what that means, `store.list` tells the caller.
 *
 * @param reader reads checkpoints; without it a reader in JavaScript is loaded when there is one to be read
 * @throws DeltaError DELTA_TABLE_UNREADABLE, DELTA_UNSUPPORTED_FEATURES_FOR_READ, DELTA_VERSION_NOT_FOUND
 */
export async function readSnapshot(
  store: Store,
  table: string,
  asOf?: AsOf,
  reader: ParquetReader = hyparquetReader,
): Promise<Snapshot | undefined> {
  const found = await replayAsOf(store, table, asOf, reader);
  if (found === undefined) return undefined;
  const { log, version, state } = found;
  const { protocol, metadata, files, transactions, domains, commitInfo, warnings } = state;
  const at = { table, version };
  assertKnownReaderFeatures(protocol, at);
  return {
    ...at,
    timestamp: versionTimestamp(log, version, commitInfo, metadata),
    protocol,
    metadata,
    schema: readSchema(metadata, at),
    files: [...files.values()],
    transactions: new Map([...transactions].map(([appId, txn]) => [appId, txn.version])),
    domains,
    commitInfo,
    warnings,
  };
}

async function replayAsOf(
  store: Store,
  table: string,
  asOf: AsOf | undefined,
  reader: ParquetReader,
): Promise<ReplayedTable | undefined> {
  if (asOf === undefined || "version" in asOf) return replayTable(store, table, asOf?.version, reader);
  const log = await listLog(store, table);
  if (log === undefined) return undefined;
  const version = await resolveTimestamp(store, log, asOf.timestamp, reader);
  return { log, version, state: await replay(store, log, version, reader) };
}
