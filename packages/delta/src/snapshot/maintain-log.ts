import type { ParquetReader } from "../files/parquet.js";
import type { ParquetWriter } from "../files/parquet-writer.js";
import type { Action } from "../log/actions.js";
import { readActions, readInOrder } from "../log/log.js";
import { checksumPath } from "../log/log-files.js";
import type { Store } from "../store/store.js";
import { cleanUpLog } from "./clean-up-log.js";
import { logProperties } from "./log-properties.js";
import type { Snapshot } from "./snapshot.js";
import { advance, formatChecksum } from "./version-checksum.js";
import { writeCheckpoint } from "./write-checkpoint.js";

export interface MaintenanceOptions {
  /** Without them reader and writer in JavaScript are loaded when a checkpoint is due. */
  readonly reader?: ParquetReader;
  readonly writer?: ParquetWriter;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * What a writer does for the log once its commit is made: it writes the version's checksum file; every
 * `delta.checkpointInterval` versions a checkpoint, and after that it cleans the log up where
 * `delta.enableExpiredLogCleanup` is on. Each step is a help to later readers: one that fails is left to the next
 * commit, and this function never rejects.
 *
 * @param before the snapshot that the commit was made on, or any before it; undefined for a table's first commit
 * @param version the one that was committed
 */
export async function maintainLog(
  store: Store,
  table: string,
  before: Snapshot | undefined,
  version: bigint,
  options: MaintenanceOptions = {},
): Promise<void> {
  try {
    const first = (before?.version ?? -1n) + 1n;
    const files = Array.from({ length: Number(version - first) + 1 }, (_, place) => first + BigInt(place));
    const commits: (readonly Action[])[] = [];
    for await (const actions of readInOrder(files, (file) => readActions(store, table, file))) commits.push(actions);
    const state = advance(before, commits);
    if (state === undefined) return;
    await store.putIfAbsent(checksumPath(table, version), formatChecksum(state)).catch(() => false);
    const { checkpointInterval, cleansLog } = logProperties({ table, version }, state.metadata.configuration);
    if (version === 0n || version % BigInt(checkpointInterval) !== 0n) return;
    await writeCheckpoint(store, table, { ...options, version });
    if (cleansLog) await cleanUpLog(store, table, options);
  } catch {
    // The commit is made; the next one that is due tries again.
  }
}
