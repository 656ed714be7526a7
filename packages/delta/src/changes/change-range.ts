import { DeltaError } from "../error.js";
import { hyparquetReader, type ParquetReader } from "../files/parquet.js";
import { listLog } from "../log/log-files.js";
import type { AsOf, Snapshot } from "../snapshot/snapshot.js";
import { isoTime, momentOf, readMoments } from "../snapshot/timeline.js";
import type { Store } from "../store/store.js";

/** Versions whose changes are read, both included; none where `from` is one more than `to`. */
export interface ChangeRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * The versions from one version or moment to another, up to the snapshot's: a moment begins the range with the first
 * version that is not older, and ends it with the last one that is not younger. Source: what Spark's `table_changes`
 * takes and refuses.
 *
 * @param to absent: the snapshot's version, as for a version beyond it
 * @throws DeltaError DELTA_CDC_START_VERSION_AFTER_LATEST, DELTA_INVALID_CDC_RANGE, DELTA_TIMESTAMP_GREATER_THAN_COMMIT,
 * DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION, DELTA_TIMESTAMP_INVALID
 */
export async function resolveChangeRange(
  store: Store,
  snapshot: Snapshot,
  from: AsOf,
  to?: AsOf,
  parquet: ParquetReader = hyparquetReader,
): Promise<ChangeRange> {
  const { table, version: newest } = snapshot;
  const first = "version" in from ? from.version : await versionAt(store, table, from.timestamp, "from", parquet);
  if (first > newest)
    throw new DeltaError(
      "DELTA_CDC_START_VERSION_AFTER_LATEST",
      `Changes of ${table} from version ${first} on were asked for, and its newest version is ${newest}.`,
      { table, version: first, hint: `Begin with version ${newest} or before.` },
    );
  const end =
    to === undefined
      ? newest
      : "version" in to
        ? to.version
        : await versionAt(store, table, to.timestamp, "to", parquet);
  const isBeyond = end > newest;
  const last = isBeyond ? newest : end;
  // Two moments between the same two versions: nothing happened in between.
  const isBetween = "timestamp" in from && to !== undefined && "timestamp" in to && first === last + 1n;
  if (last < first && !isBetween)
    throw new DeltaError(
      "DELTA_INVALID_CDC_RANGE",
      `The range of changes of ${table} from version ${first} to ${last} ends before it begins.`,
      { table, version: first, hint: "Give the earlier version first." },
    );
  return { from: first, to: last };
}

async function versionAt(
  store: Store,
  table: string,
  moment: string | number,
  end: "from" | "to",
  parquet: ParquetReader,
): Promise<bigint> {
  const time = momentOf(table, moment);
  const log = await listLog(store, table);
  const moments = log === undefined ? [] : await readMoments(store, log, parquet);
  const [first, last] = [moments[0], moments.at(-1)];
  const hint =
    first === undefined || last === undefined
      ? "The commits that tell its times are gone: give versions instead."
      : `Its versions reach from ${isoTime(first.timestamp)} to ${isoTime(last.timestamp)}.`;
  if (last === undefined || time > last.timestamp)
    throw new DeltaError(
      "DELTA_TIMESTAMP_GREATER_THAN_COMMIT",
      `${isoTime(time)} is after the newest version of ${table}.`,
      { table, hint },
    );
  const found =
    end === "from"
      ? moments.find(({ timestamp }) => timestamp >= time)
      : moments.findLast(({ timestamp }) => timestamp <= time);
  if (found !== undefined) return found.version;
  throw new DeltaError(
    "DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION",
    `${isoTime(time)} is before the first version of ${table} that can be read.`,
    { table, hint },
  );
}
