import { hyparquetReader, type ParquetReader } from "../files/parquet.js";
import { formatJson, isObject, type Json } from "../log/json.js";
import { requireLog } from "../log/log-files.js";
import type { Store } from "../store/store.js";
import { readTimeline } from "./timeline.js";

/** One line of `DESCRIBE HISTORY`. What a commit does not say of itself is undefined. */
export interface HistoryEntry {
  readonly version: bigint;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly operation: string | undefined;
  readonly operationParameters: ReadonlyMap<string, string>;
  readonly operationMetrics: ReadonlyMap<string, string>;
  readonly isBlindAppend: boolean | undefined;
  readonly userMetadata: string | undefined;
  readonly engineInfo: string | undefined;
}

/**
 * The commits of a table, newest first; a clean-up of the log takes the oldest away.
 *
 * @throws DeltaError NO_DELTA_TABLE, DELTA_TABLE_UNREADABLE, DELTA_UNSUPPORTED_FEATURES_FOR_READ
 */
export async function readHistory(
  store: Store,
  table: string,
  reader: ParquetReader = hyparquetReader,
): Promise<HistoryEntry[]> {
  const log = await requireLog(store, table);
  const timeline = await readTimeline(store, log, reader);
  return timeline.reverse().map(({ version, timestamp, commitInfo = {} }) => {
    const isBlindAppend = commitInfo["isBlindAppend"];
    return {
      version,
      timestamp,
      operation: text(commitInfo["operation"]),
      operationParameters: texts(commitInfo["operationParameters"]),
      operationMetrics: texts(commitInfo["operationMetrics"]),
      isBlindAppend: typeof isBlindAppend === "boolean" ? isBlindAppend : undefined,
      userMetadata: text(commitInfo["userMetadata"]),
      engineInfo: text(commitInfo["engineInfo"]),
    };
  });
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Most engines write texts here, some also flags and nulls. */
function texts(value: Json | undefined): ReadonlyMap<string, string> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return new Map(
    entries.flatMap(([key, item]) =>
      item === undefined || item === null ? [] : [[key, text(item) ?? formatJson(item)] as const],
    ),
  );
}
