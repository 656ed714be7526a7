import { DeltaError } from "../error.js";
import type { ParquetReader } from "../files/parquet.js";
import { type Log, listLog } from "../log/log-files.js";
import type { Store } from "../store/store.js";
import { notedCheckpoint } from "./last-checkpoint.js";
import type { StateOptions } from "./log-state.js";
import { type ReplayedState, replay } from "./replay.js";

/** A table's state at a version, and the log from which it was read, or the newest part of it. */
export interface ReplayedTable {
  readonly log: Log;
  readonly version: bigint;
  readonly state: ReplayedState;
}

/**
 * The state of a table at a version, the newest when undefined; undefined when there is no log.
 *
 * The log is listed from the checkpoint on to which `_last_checkpoint` points, as by Spark: object stores give a thousand
 * names an answer. The pointer may be stale, broken or point to a checkpoint that is; where the state cannot be had from
 * there, the whole log is listed, which alone says what is wrong.
 *
 * @throws DeltaError DELTA_VERSION_NOT_FOUND, DELTA_TABLE_UNREADABLE
 */
export async function replayTable(
  store: Store,
  table: string,
  version: bigint | undefined,
  parquet: ParquetReader,
  options: StateOptions = {},
): Promise<ReplayedTable | undefined> {
  const noted = await notedCheckpoint(store, table);
  if (noted > 0n && (version === undefined || version >= noted)) {
    const recent = await listLog(store, table, noted);
    if (recent !== undefined)
      try {
        return await replayLog(store, recent, version, parquet, options);
      } catch (error) {
        if (!(error instanceof DeltaError)) throw error;
      }
  }
  const log = await listLog(store, table);
  return log === undefined ? undefined : replayLog(store, log, version, parquet, options);
}

async function replayLog(
  store: Store,
  log: Log,
  version: bigint | undefined,
  parquet: ParquetReader,
  options: StateOptions,
): Promise<ReplayedTable> {
  const wanted = version ?? log.newest;
  return { log, version: wanted, state: await replay(store, log, wanted, parquet, options) };
}
