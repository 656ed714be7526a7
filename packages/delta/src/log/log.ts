import { DeltaError, reasonOf } from "../error.js";
import type { Store } from "../store/store.js";
import type { Action, CommitInfo } from "./actions.js";
import { parseCommit, parseCommitInfo } from "./commit-file.js";
import { type CommitFile, commitPath } from "./log-files.js";

export interface Commit extends CommitFile {
  readonly actions: readonly Action[];
}

/** How many files are read at once. */
const READ_AHEAD = 16;

/** Reads commits in their order. */
export function readCommits(store: Store, table: string, files: readonly CommitFile[]): AsyncGenerator<Commit> {
  return readInOrder(files, (file) => readCommit(store, table, file));
}

/** Reads files of the log, some at once, and gives what they hold in the files' order. */
export async function* readInOrder<File, Content>(
  files: readonly File[],
  read: (file: File) => Promise<Content>,
): AsyncGenerator<Content> {
  for (let start = 0; start < files.length; start += READ_AHEAD) {
    yield* await Promise.all(files.slice(start, start + READ_AHEAD).map(read));
  }
}

async function readCommit(store: Store, table: string, file: CommitFile): Promise<Commit> {
  return { ...file, actions: await readActions(store, table, file.version) };
}

/** @throws DeltaError DELTA_TABLE_UNREADABLE when the file is gone or damaged */
export async function readActions(store: Store, table: string, version: bigint): Promise<Action[]> {
  return readCommitFile(store, table, version, parseCommit);
}

/** What a commit says of itself. @throws DeltaError DELTA_TABLE_UNREADABLE when the file is gone or damaged */
export async function readCommitInfo(store: Store, table: string, version: bigint): Promise<CommitInfo | undefined> {
  return readCommitFile(store, table, version, parseCommitInfo);
}

async function readCommitFile<T>(store: Store, table: string, version: bigint, parse: (text: string) => T): Promise<T> {
  const path = commitPath(table, version);
  try {
    return parse(await readText(store, path));
  } catch (cause) {
    throw new DeltaError(
      "DELTA_TABLE_UNREADABLE",
      `Commit ${version} of ${table} cannot be read: ${reasonOf(cause)}.`,
      {
        table,
        version,
        path,
        hint: "A commit is written whole or not at all, so the file was damaged later: restore it from a backup.",
        cause,
      },
    );
  }
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** A file's text; rejects when it is not UTF-8. */
export async function readText(store: Store, path: string): Promise<string> {
  return UTF_8.decode(await store.read(path));
}
