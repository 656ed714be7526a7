import { open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, syncFolder } from "./local-folder.js";

/** A data file as the log names it: where it lies, and its bytes. */
export interface StoredFile {
  readonly path: string;
  readonly size: number;
}

/** Local files with the content of data files, whole and unchanged until they are closed. */
export interface LocalCopies {
  /** In the order in which they were asked for. */
  readonly paths: readonly string[];
  /** Lets go of them: call it when nobody reads them any more. */
  close(): Promise<void>;
}

/**
 * Data files for an engine that reads and writes local files only. Data files never change under a name, so a copy is
 * good for as long as it is there.
 */
export interface DataFiles {
  /** Rejects where a file is absent, or has another size than the log says. */
  open(files: readonly StoredFile[]): Promise<LocalCopies>;

  /** The local path at which a new data file is to be written; its folder is there. Every call needs a new `path`. */
  stage(path: string): Promise<string>;

  /** Puts what was written at the staged path in its place, durably: a commit may name it then. */
  publish(path: string): Promise<void>;

  /** Removes a file that was staged, and perhaps published, but is in no commit. */
  discard(path: string): Promise<void>;
}

/** Data files of tables on a local disk: the files themselves. */
export const localDataFiles: DataFiles = {
  open: async (files) => {
    await Promise.all(files.map(checkSize));
    return { paths: files.map(({ path }) => path), close: async () => undefined };
  },
  stage: async (path) => {
    await makeFolder(dirname(path));
    return path;
  },
  publish: async (path) => {
    const file = await open(path, "r+");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolder(dirname(path));
  },
  discard: (path) => rm(path, { force: true }),
};

async function checkSize({ path, size }: StoredFile): Promise<void> {
  const found = await stat(path);
  if (found.size !== size) throw wrongSize(path, size, found.size);
}

/** The error of a data file that is not the one that the log names. */
export function wrongSize(path: string, expected: number, found: number): Error {
  return new Error(`${path} has ${found} bytes, and the log says ${expected}: it was cut off or replaced`);
}
