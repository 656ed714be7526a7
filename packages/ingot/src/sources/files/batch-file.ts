import type { BatchFile, HeldFile } from "../../model/batch.js";

/** A file as a folder listing shows it. */
export type FileEntry = Pick<BatchFile, "path" | "size" | "mtimeMs">;

/** What a checkpoint must remember of a file that it has loaded. */
export type SeenFile = Pick<BatchFile, "size" | "mtimeMs" | "sha256">;

/** A listed file and the hash of its content. */
export type HashedFile = FileEntry & SeenFile;

/** What a run does with the files of a folder. */
export interface FileBatch {
  /** To load, sorted by path. */
  readonly files: readonly BatchFile[];
  readonly held: readonly HeldFile[];
  /** Loaded before and delivered again, byte for byte: only the time that the checkpoint remembers may change. */
  readonly touched: readonly HashedFile[];
}
