import { DeltaError } from "../error.js";
import {
  type CheckpointFiles,
  type CommitFile,
  type CompactionFile,
  commitPath,
  type Log,
  logFolder,
} from "../log/log-files.js";

/** Files that add up to one version: a checkpoint (undefined: the empty table), and the log after it. */
export interface Segment {
  readonly checkpoint: CheckpointFiles | undefined;
  /**
   * Without a gap up to the version: commits, and compactions where commits are missing. The last one is a commit,
   * since only that tells its time and its `commitInfo`. None when the checkpoint is of the version itself.
   */
  readonly files: readonly (CommitFile | CompactionFile)[];
}

/**
 * The segments that lead to a version, the one that reads least first. Each gives the same state, so a damaged
 * checkpoint costs time and nothing else. Source: the Delta protocol, "Action Reconciliation" and "Checkpoints".
 *
 * @throws DeltaError DELTA_VERSION_NOT_FOUND outside of the versions that the log can give, DELTA_TABLE_UNREADABLE
 * when commits are missing
 */
export function segmentsTo(log: Log, version: bigint): [Segment, ...Segment[]] {
  const [best, ...others] = allSegments(log, version);
  if (best !== undefined) return [best, ...others];
  const first = firstVersion(log);
  if (first !== undefined && (version < first || version > log.newest)) throw notFound(log, version, first);
  throw incomplete(log, version);
}

function* allSegments(log: Log, version: bigint): Generator<Segment> {
  for (const checkpoint of log.checkpoints) {
    if (checkpoint.version > version) continue;
    const files = filesBetween(log, checkpoint.version + 1n, version);
    if (files !== undefined) yield { checkpoint, files };
  }
  const files = version < 0n ? undefined : filesBetween(log, 0n, version);
  if (files !== undefined) yield { checkpoint: undefined, files };
}

function filesBetween(log: Log, first: bigint, last: bigint): Segment["files"] | undefined {
  return commitsBetween(log, first, last) ?? filesAroundGaps(log, first, last);
}

/**
 * Takes the commit at each place from which commits and further compactions reach the last version, else a compaction
 * that begins there. Commits come first because some writers' compactions are not reconciled.
 */
function filesAroundGaps({ commits, compactions }: Log, first: bigint, last: bigint): Segment["files"] | undefined {
  if (compactions.length === 0) return undefined;
  const starts = [
    ...commits.map((file) => ({ start: file.version, file })),
    ...compactions.map((file) => ({ start: file.first, file })),
  ].sort((a, b) => (a.start === b.start ? 0 : a.start < b.start ? 1 : -1));
  // From the end backwards: what follows a file decides whether it leads on.
  const chosen = new Map<bigint, CommitFile | CompactionFile>();
  for (const { start, file } of starts) {
    const leadsOn = chosen.has(file.version + 1n) || (start === last && !("first" in file));
    if (leadsOn && !chosen.has(start)) chosen.set(start, file);
  }
  const files: (CommitFile | CompactionFile)[] = [];
  for (let next = first; next <= last; ) {
    const file = chosen.get(next);
    if (file === undefined) return undefined;
    files.push(file);
    next = file.version + 1n;
  }
  return files;
}

/** The commits of these versions; undefined when one is missing. */
export function commitsBetween(log: Log, first: bigint, last: bigint): readonly CommitFile[] | undefined {
  if (first > last) return [];
  const count = Number(last - first) + 1;
  const start = log.commits.findIndex((commit) => commit.version === first);
  // The listing is in order and holds no version twice, so both ends in their places leave no room for a gap.
  if (start === -1 || log.commits[start + count - 1]?.version !== last) return undefined;
  return log.commits.slice(start, start + count);
}

/** The oldest version that can be read; undefined when there is neither a checkpoint nor the first commit. */
export function firstVersion(log: Log): bigint | undefined {
  return log.commits[0]?.version === 0n ? 0n : log.checkpoints.at(-1)?.version;
}

function notFound({ table, newest }: Log, version: bigint, first: bigint): DeltaError {
  return new DeltaError(
    "DELTA_VERSION_NOT_FOUND",
    `${table} has no version ${version}${version >= 0n && version < first ? " any more" : ""}; it has ${first} to ${newest}.`,
    { table, version, hint: "Choose a version within this range, or leave it out to read the newest one." },
  );
}

/** Names the first commit that is missing behind the newest state that there is. */
function incomplete({ table, commits, checkpoints, newest }: Log, version: bigint): DeltaError {
  const start = checkpoints.find((checkpoint) => checkpoint.version <= version)?.version ?? -1n;
  const present = new Set(commits.map((commit) => commit.version));
  let missing = start + 1n;
  while (present.has(missing)) missing += 1n;
  const next = commits.find((commit) => commit.version > missing)?.version;
  const follows =
    next !== undefined
      ? `; the next commit is version ${next}`
      : newest >= missing
        ? ", though it holds files that followed it"
        : "";
  return new DeltaError(
    "DELTA_TABLE_UNREADABLE",
    `The log of ${table} lacks the commit of version ${missing}${follows}.`,
    {
      table,
      version: missing,
      path: newest < 0n ? logFolder(table) : commitPath(table, missing),
      hint: "Restore the missing commit file from a backup; without it the table has no known state.",
    },
  );
}
