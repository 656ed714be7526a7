import type { BatchFile, HeldFile } from "../../model/batch.js";
import type { FileRead } from "../../model/file-read.js";
import { inspectOrHold } from "./hold-file.js";
import type { LandingFiles } from "./landing-files.js";

/**
 * All files of a read without STREAM, as they are now. Unlike a stream, which goes on with the others, a whole read needs
 * every file: one that cannot be used stops it, unless the read says otherwise.
 *
 * @param known files that were looked into before: not read again while size and time are the same
 * @throws as `listFiles` and `inspectFile`
 */
export async function wholeFiles(
  landing: LandingFiles,
  read: FileRead,
  known: ReadonlyMap<string, BatchFile>,
): Promise<{ readonly files: readonly BatchFile[]; readonly held: readonly HeldFile[] }> {
  const files: BatchFile[] = [];
  const held: HeldFile[] = [];
  for (const entry of landing.list(read, { stream: false })) {
    const before = known.get(entry.path);
    const isSame = before?.size === entry.size && before.mtimeMs === entry.mtimeMs;
    const file = isSame ? before : await inspectOrHold(landing, entry, read, held, { stream: false });
    if (file !== undefined) files.push(file);
  }
  return { files, held };
}
