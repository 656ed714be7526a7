import type { BatchFile, HeldFile } from "../../model/batch.js";

/** A file as a folder listing shows it. */
export type FileEntry = Pick<BatchFile, "path" | "size" | "mtimeMs" | "partition">;

/** What a run does with the files of a source. */
export interface FileBatch {
  /** To load, sorted by path. */
  readonly files: readonly BatchFile[];
  readonly held: readonly HeldFile[];
  /** A stream that leaves out what was there before it: these files count as seen. */
  readonly passed: readonly FileEntry[];
  /** Files that wait for the next batch, since this one has as many, or as many bytes, as the options allow. */
  readonly more: boolean;
}
