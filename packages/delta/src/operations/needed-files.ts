import { posix } from "node:path";
import { DeltaError } from "../error.js";
import { vectorPath } from "../files/deletion-vector.js";
import type { ParquetReader } from "../files/parquet.js";
import type { Action, DeletionVector } from "../log/actions.js";
import { readCommits } from "../log/log.js";
import { listLog, logFolder } from "../log/log-files.js";
import { isAbsolutePath, resolvePath } from "../log/path.js";
import { openTable } from "../snapshot/open-table.js";
import { commitsBetween, firstVersion } from "../snapshot/segment.js";
import type { Store } from "../store/store.js";

interface NamedFile {
  readonly path: string;
  readonly deletionVector?: DeletionVector | undefined;
}

/** Tells whether any version of a table that was current at a moment or later has the file. */
export type IsNeeded = (path: string) => boolean;

/**
 * The data files, deletion vectors and change files of all versions that were current at the cutoff or later: those of
 * the version that was current then, and all that later commits name. Where the log no longer tells that version, its
 * oldest takes the place. Times are those of the commit files, so a table that was copied counts as written anew.
 *
 * @param cutoff milliseconds since the epoch
 * @throws DeltaError DELTA_TABLE_UNREADABLE when the log does not tell it all
 */
export async function neededFiles(
  store: Store,
  table: string,
  cutoff: number,
  reader?: ParquetReader,
): Promise<IsNeeded> {
  const log = await listLog(store, table);
  const first = log === undefined ? undefined : firstVersion(log);
  if (log === undefined || first === undefined) throw untold(table, 0n);
  const current = log.commits.findLast(({ version, timestamp }) => version >= first && timestamp <= cutoff);
  const start = current?.version ?? first;
  const commits = commitsBetween(log, start + 1n, log.newest);
  if (commits === undefined) throw untold(table, start + 1n);

  const relative = new Set<string>();
  // A file below the table may be named by an absolute path, through a link or another name of the host even, or by one
  // that leaves the table and comes back: it is known by its end.
  const endsOfOthers = new Set<string>();
  const keep = (path: string): void => {
    if (!isAbsolutePath(path) && posix.normalize(path) === path && !path.startsWith("..")) {
      relative.add(path);
      return;
    }
    const whole = `/${posix.normalize(resolvePath(table, path))}`;
    for (let at = 0; at !== -1; at = whole.indexOf("/", at + 1)) endsOfOthers.add(whole.slice(at + 1));
  };
  const keepFile = (file: NamedFile): void => {
    keep(file.path);
    const vector = file.deletionVector;
    if (vector?.storageType === "p") keep(vectorPath(table, vector));
    if (vector?.storageType === "u") keep(vectorPath("", vector).slice(1));
  };

  const snapshot = await openTable(store, table, { version: start }, reader);
  for (const file of snapshot.files) keepFile(file);
  for await (const { actions } of readCommits(store, table, commits))
    for (const file of filesOf(actions)) keepFile(file);
  return (path) => relative.has(path) || endsOfOthers.has(path);
}

function filesOf(actions: readonly Action[]): NamedFile[] {
  return actions.flatMap((action): NamedFile[] => {
    if ("add" in action) return [action.add];
    if ("remove" in action) return [action.remove];
    return "cdc" in action ? [action.cdc] : [];
  });
}

function untold(table: string, version: bigint): DeltaError {
  return new DeltaError(
    "DELTA_TABLE_UNREADABLE",
    `The log of ${table} lacks commits from version ${version} on, so nobody knows which files it needs.`,
    { table, version, path: logFolder(table), hint: "Restore the log from a backup; nothing was deleted." },
  );
}
