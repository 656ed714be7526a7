import type { Action } from "./actions.js";
import { parseCommit } from "./commit-file.js";
import { DeltaError } from "./error.js";
import type { Store } from "./store.js";

/** A commit file of the log. */
export interface CommitFile {
  readonly version: bigint;
  /**
   * When the file was written, milliseconds; at least one later than the commit before, so that versions and times
   * have one order. Spark's rule for tables without in-commit timestamps.
   */
  readonly timestamp: number;
}

export interface Commit extends CommitFile {
  readonly actions: readonly Action[];
}

/** How many commit files are read at once. */
const READ_AHEAD = 16;

export function logFolder(table: string): string {
  return `${table.replace(/\/+$/, "")}/_delta_log`;
}

export function commitPath(table: string, version: bigint): string {
  return `${logFolder(table)}/${version.toString().padStart(20, "0")}.json`;
}

/**
 * The commits of a table, from version 0 without a gap; undefined when there is no log. Checksums, log compactions,
 * staged commits and temporary files are left aside: the commits alone hold the whole state.
 *
 * @throws DeltaError DELTA_TABLE_UNREADABLE when commits are missing
 */
export async function listCommits(store: Store, table: string): Promise<CommitFile[] | undefined> {
  const commits: { version: bigint; modified: number }[] = [];
  let checkpoint = -1n;
  let isLog = false;
  for (const { name, modified } of await store.list(logFolder(table))) {
    const [, digits, kind] = /^(\d{20})\.([a-z]+)/.exec(name) ?? [];
    if (digits === undefined) continue;
    const version = BigInt(digits);
    isLog = true;
    if (name === `${digits}.json`) commits.push({ version, modified });
    if (kind === "checkpoint" && version > checkpoint) checkpoint = version;
  }
  if (!isLog) return undefined;
  commits.sort((a, b) => (a.version < b.version ? -1 : 1));
  assertComplete(table, commits, checkpoint);

  let timestamp = Number.NEGATIVE_INFINITY;
  return commits.map(({ version, modified }) => {
    timestamp = Math.max(modified, timestamp + 1);
    return { version, timestamp };
  });
}

function assertComplete(table: string, commits: readonly { version: bigint }[], checkpoint: bigint): void {
  const gap = commits.findIndex(({ version }, index) => version !== BigInt(index));
  if (gap === -1 && commits.length > checkpoint && commits.length > 0) return;

  const missing = BigInt(gap === -1 ? commits.length : gap);
  const next = commits[Number(missing)]?.version;
  if (missing === 0n && checkpoint >= 0n) {
    const start =
      next === undefined
        ? `holds no commit but a checkpoint at version ${checkpoint}`
        : `begins at version ${next} behind a checkpoint`;
    throw new DeltaError("DELTA_TABLE_UNREADABLE", `The log of ${table} ${start}; checkpoints are not read yet.`, {
      table,
      version: missing,
      path: logFolder(table),
      hint: "Read this table with an engine that reads checkpoints, or copy it into a new table.",
    });
  }
  throw new DeltaError(
    "DELTA_TABLE_UNREADABLE",
    next === undefined
      ? `The log of ${table} lacks the commit of version ${missing}, though it holds files that followed it.`
      : `The log of ${table} lacks the commit of version ${missing}; the next commit is version ${next}.`,
    {
      table,
      version: missing,
      path: commitPath(table, missing),
      hint: "Restore the missing commit file from a backup; without it the table has no known state.",
    },
  );
}

/** Reads commits in their order. */
export async function* readCommits(store: Store, table: string, files: readonly CommitFile[]): AsyncGenerator<Commit> {
  for (let start = 0; start < files.length; start += READ_AHEAD) {
    yield* await Promise.all(files.slice(start, start + READ_AHEAD).map((file) => readCommit(store, table, file)));
  }
}

/** @throws DeltaError DELTA_TABLE_UNREADABLE when the file is gone or damaged */
async function readCommit(store: Store, table: string, file: CommitFile): Promise<Commit> {
  return { ...file, actions: await readActions(store, table, file.version) };
}

/** @throws DeltaError DELTA_TABLE_UNREADABLE when the file is gone or damaged */
export async function readActions(store: Store, table: string, version: bigint): Promise<Action[]> {
  const path = commitPath(table, version);
  try {
    return parseCommit(new TextDecoder("utf-8", { fatal: true }).decode(await store.read(path)));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DeltaError("DELTA_TABLE_UNREADABLE", `Commit ${version} of ${table} cannot be read: ${reason}.`, {
      table,
      version,
      path,
      hint: "A commit is written whole or not at all, so the file was damaged later: restore it from a backup.",
      cause,
    });
  }
}
