import type { BatchFile } from "../../../model/batch.js";

/** A file of a batch, and where the engine finds its text. */
export interface LocatedFile extends BatchFile {
  /** A copy in UTF-8, where the file itself is compressed or of another encoding. */
  readonly copy?: string;
}

export function textPath({ path, copy }: LocatedFile): string {
  return copy ?? path;
}
