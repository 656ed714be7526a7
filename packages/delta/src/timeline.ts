import { type CommitInfo, inCommitTimestamp, type Metadata } from "./actions.js";
import { DeltaError } from "./error.js";
import { isOn } from "./features.js";
import { type CommitFile, commitPath, readCommits } from "./log.js";
import { assertKnownReaderFeatures } from "./protocol.js";
import { applyCommit, assertStarted, emptyState } from "./replay.js";
import type { Store } from "./store.js";

/** When a version came to be, and how. */
export interface CommitTime {
  readonly version: bigint;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly commitInfo: CommitInfo | undefined;
}

/** All commits of a table with their times, oldest first. */
export async function readTimeline(store: Store, table: string, commits: readonly CommitFile[]): Promise<CommitTime[]> {
  const state = emptyState();
  const infos: (CommitInfo | undefined)[] = [];
  for await (const { actions } of readCommits(store, table, commits)) {
    applyCommit(state, actions);
    infos.push(state.commitInfo);
  }
  const { protocol, metadata } = assertStarted(state, table);
  assertKnownReaderFeatures(protocol, { table, version: BigInt(commits.length - 1) });
  return commits.map((commit, index) => {
    const commitInfo = infos[index];
    return { version: commit.version, timestamp: commitTimestamp(table, commit, commitInfo, metadata), commitInfo };
  });
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
  { configuration }: Metadata,
): number {
  if (!isOn(configuration, "delta.enableInCommitTimestamps")) return timestamp;
  if (version < BigInt(configuration["delta.inCommitTimestampEnablementVersion"] ?? 0)) return timestamp;
  const stated = inCommitTimestamp(commitInfo);
  if (stated !== undefined) return stated;
  throw new DeltaError("DELTA_TABLE_UNREADABLE", `Commit ${version} of ${table} lacks its in-commit timestamp.`, {
    table,
    version,
    path: commitPath(table, version),
    hint: "The table demands it of every writer; the commit was made by one that does not know the feature.",
  });
}

/**
 * The newest version that was there at a moment: `TIMESTAMP AS OF`. Text is ISO 8601 or SQL (`2024-05-01`,
 * `2024-05-01 10:00:00.5`), in UTC unless it names an offset; a number is milliseconds since the epoch.
 *
 * @throws DeltaError DELTA_VERSION_NOT_FOUND before the first commit and after the newest, as Spark does,
 * DELTA_TIMESTAMP_INVALID for text that is no timestamp
 */
export async function resolveTimestamp(
  store: Store,
  table: string,
  commits: readonly CommitFile[],
  moment: string | number,
): Promise<bigint> {
  const time = typeof moment === "number" ? moment : parseTimestamp(table, moment);
  const timeline = await readTimeline(store, table, commits);
  const found = timeline.findLast(({ timestamp }) => timestamp <= time);
  const [first, last] = [timeline[0], timeline.at(-1)];
  if (first === undefined || last === undefined || found === undefined || time > last.timestamp) {
    const range = [first, last].map((commit) => new Date(commit?.timestamp ?? Number.NaN).toISOString()).join(" to ");
    throw new DeltaError(
      "DELTA_VERSION_NOT_FOUND",
      `${table} has no version at ${new Date(time).toISOString()}; its versions reach from ${range}.`,
      { table, hint: "Choose a moment within this range, or leave it out to read the newest version." },
    );
  }
  return found.version;
}

function parseTimestamp(table: string, text: string): number {
  const [, date, time = "00:00:00", fraction = "", offset = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?)?$/.exec(text.trim()) ?? [];
  const milliseconds = fraction.slice(0, 3).padEnd(3, "0");
  const seconds = time.length === 5 ? `${time}:00` : time;
  const value = date === undefined ? Number.NaN : Date.parse(`${date}T${seconds}.${milliseconds}${offset}`);
  // Date.parse turns 30 February into 1 March.
  const exists = date !== undefined && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
  if (exists && !Number.isNaN(value)) return value;
  throw new DeltaError("DELTA_TIMESTAMP_INVALID", `"${text}" is no timestamp.`, {
    table,
    hint: "Write it as 2024-05-01 or 2024-05-01 10:00:00, in UTC or with an offset such as +02:00.",
  });
}
