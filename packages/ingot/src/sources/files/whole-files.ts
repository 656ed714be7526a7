import type { BatchFile } from "../../model/batch.js";
import type { FileRead } from "../../model/query.js";
import { inspectFile } from "./inspect-file.js";
import { listFiles } from "./list-files.js";

/**
 * All files of a batch read, as they are now. Unlike a stream, which goes on with the others, a whole read needs every
 * file: one that cannot be used stops it.
 *
 * @param known files that were inspected before: not read again while size and time are the same
 * @throws as {@link listFiles} and {@link inspectFile}
 */
export async function wholeFiles(
  root: string,
  read: FileRead,
  known: ReadonlyMap<string, BatchFile>,
): Promise<readonly BatchFile[]> {
  const files: BatchFile[] = [];
  for (const { path, size, mtimeMs } of listFiles(root, read)) {
    const before = known.get(path);
    const same = before !== undefined && before.size === size && before.mtimeMs === mtimeMs;
    files.push(same ? before : await inspectFile(path, read));
  }
  return files;
}
