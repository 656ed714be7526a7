import type { LocatedFile } from "./located-file.js";

/** Files that follow one another and are read at once. */
export interface FileRun {
  /** Place of the first file among all, from 0. */
  readonly start: number;
  readonly first: LocatedFile;
  readonly files: readonly LocatedFile[];
}

/** Files in runs, in their order. @param isAlike whether a file may stand in a run with this first one */
export function* fileRuns(
  files: readonly LocatedFile[],
  isAlike: (first: LocatedFile, file: LocatedFile) => boolean,
): Generator<FileRun> {
  for (let start = 0; start < files.length; ) {
    const first = files[start] as LocatedFile;
    let end = start + 1;
    while (end < files.length && isAlike(first, files[end] as LocatedFile)) end += 1;
    yield { start, first, files: files.slice(start, end) };
    start = end;
  }
}
