import { DeltaError } from "../error.js";
import type { ParquetReader } from "../files/parquet.js";
import { type CommitInfo, commitInfoOf, inCommitTimestamp, type Metadata } from "../log/actions.js";
import { isOn } from "../log/configuration.js";
import { readCommits } from "../log/log.js";
import { type CommitFile, commitPath, type Log } from "../log/log-files.js";
import { assertKnownReaderFeatures } from "../protocol/protocol.js";
import type { Store } from "../store/store.js";
import { replay } from "./replay.js";
import { firstVersion } from "./segment.js";

/** When a version came to be, and how. */
export interface CommitTime extends CommitFile {
  readonly commitInfo: CommitInfo | undefined;
}

/**
 * The commits that the log still holds with their times, oldest first.
 *
 * @throws DeltaError DELTA_TABLE_UNREADABLE, DELTA_UNSUPPORTED_FEATURES_FOR_READ
 */
export async function readTimeline(store: Store, log: Log, parquet: ParquetReader): Promise<CommitTime[]> {
  return readTimes(store, log, await newestMetadata(store, log, parquet));
}

async function newestMetadata(store: Store, log: Log, parquet: ParquetReader): Promise<Metadata> {
  const { protocol, metadata } = await replay(store, log, log.newest, parquet);
  assertKnownReaderFeatures(protocol, { table: log.table, version: log.newest });
  return metadata;
}

async function readTimes(store: Store, { table, commits }: Log, metadata: Metadata): Promise<CommitTime[]> {
  const times: CommitTime[] = [];
  for await (const { version, timestamp, actions } of readCommits(store, table, commits)) {
    const commitInfo = commitInfoOf(actions);
    const time = commitTimestamp(table, { version, timestamp }, commitInfo, metadata);
    times.push({ version, timestamp: time, commitInfo });
  }
  return times;
}

/**
 * The in-commit timestamp of a commit where the table has them from that version on, else the file's time.
 * Source: the Delta protocol, "Recommendations for Readers of Tables with In-Commit Timestamps".
 *
 * @throws DeltaError DELTA_TABLE_UNREADABLE when the commit lacks the timestamp that it must have
 */
export function commitTimestamp(
  table: string,
  { version, timestamp }: CommitFile,
  commitInfo: CommitInfo | undefined,
  metadata: Metadata,
): number {
  if (!hasInCommitTimestamps(metadata)) return timestamp;
  if (version < BigInt(metadata.configuration["delta.inCommitTimestampEnablementVersion"] ?? 0)) return timestamp;
  const stated = inCommitTimestamp(commitInfo);
  if (stated !== undefined) return stated;
  throw new DeltaError("DELTA_TABLE_UNREADABLE", `Commit ${version} of ${table} lacks its in-commit timestamp.`, {
    table,
    version,
    path: commitPath(table, version),
    hint: "The table demands it of every writer; the commit was made by one that does not know the feature.",
  });
}

function hasInCommitTimestamps({ configuration }: Metadata): boolean {
  return isOn(configuration, "delta.enableInCommitTimestamps");
}

/** The time of a version; where a clean-up took its commit, the time of its checkpoint, which is later. */
export function versionTimestamp(
  log: Log,
  version: bigint,
  commitInfo: CommitInfo | undefined,
  metadata: Metadata,
): number {
  const commit = log.commits.find((file) => file.version === version);
  if (commit !== undefined) return commitTimestamp(log.table, commit, commitInfo, metadata);
  return log.checkpoints.find((file) => file.version === version)?.timestamp ?? Number.NaN;
}

/**
 * The newest version that was there at a moment: `TIMESTAMP AS OF`. Text is ISO 8601 or SQL (`2024-05-01`,
 * `2024-05-01 10:00:00.5`), in UTC unless it names an offset; a number is milliseconds since the epoch.
 *
 * @throws DeltaError DELTA_VERSION_NOT_FOUND before the first version that can be read and after the newest, as Spark
 * does, DELTA_TIMESTAMP_INVALID for text or a number that is no time
 */
export async function resolveTimestamp(
  store: Store,
  log: Log,
  moment: string | number,
  parquet: ParquetReader,
): Promise<bigint> {
  const { table } = log;
  const time = momentOf(table, moment);
  const timeline = await readMoments(store, log, parquet);
  const found = timeline.findLast(({ timestamp }) => timestamp <= time);
  const [first, last] = [timeline[0], timeline.at(-1)];
  if (first === undefined || last === undefined || found === undefined || time > last.timestamp) {
    const range =
      first === undefined || last === undefined
        ? "the commits that tell its times are gone"
        : `its versions reach from ${isoTime(first.timestamp)} to ${isoTime(last.timestamp)}`;
    throw new DeltaError("DELTA_VERSION_NOT_FOUND", `${table} has no version at ${isoTime(time)}; ${range}.`, {
      table,
      hint: "Choose a moment within this range, or leave it out to read the newest version.",
    });
  }
  return found.version;
}

/** The versions that can be read with their times, oldest first. */
export async function readMoments(store: Store, log: Log, parquet: ParquetReader): Promise<readonly CommitFile[]> {
  const metadata = await newestMetadata(store, log, parquet);
  // Without in-commit timestamps the listing tells all times.
  const times: readonly CommitFile[] = hasInCommitTimestamps(metadata)
    ? await readTimes(store, log, metadata)
    : log.commits;
  const start = firstVersion(log) ?? 0n;
  return times.filter(({ version }) => version >= start);
}

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/**
 * A moment in milliseconds since the epoch; text as `resolveTimestamp` takes it.
 *
 * @throws DeltaError DELTA_TIMESTAMP_INVALID
 */
export function momentOf(table: string, moment: string | number): number {
  const time = typeof moment === "number" ? moment : parseTimestamp(moment);
  if (!Number.isNaN(new Date(time).getTime())) return time;
  throw new DeltaError("DELTA_TIMESTAMP_INVALID", `"${moment}" is no timestamp.`, {
    table,
    hint: "Write it as 2024-05-01 or 2024-05-01 10:00:00, in UTC or with an offset such as +02:00.",
  });
}

/** NaN for text that is no timestamp. */
function parseTimestamp(text: string): number {
  const [, date, time = "00:00:00", fraction = "", offset = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?)?$/.exec(text.trim()) ?? [];
  const milliseconds = fraction.slice(0, 3).padEnd(3, "0");
  const seconds = time.length === 5 ? `${time}:00` : time;
  const value = date === undefined ? Number.NaN : Date.parse(`${date}T${seconds}.${milliseconds}${offset}`);
  // Date.parse turns 30 February into 1 March.
  const exists = date !== undefined && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
  return exists ? value : Number.NaN;
}
