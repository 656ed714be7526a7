import { stat } from "node:fs/promises";
import type { BatchFile } from "../../model/batch.js";
import { verifyBatchFile } from "./verify-batch-file.js";

/**
 * Makes sure, after a file was read, that it still is what its manifest recorded. Size and time of the last change tell
 * it without reading; a file that only has another time, as one that was copied back, is told by its content.
 *
 * @throws FILE_CHANGED where it has gone, or has another size or content.
 */
export async function verifyReadFile(file: BatchFile): Promise<void> {
  const stats = await stat(file.path).catch(() => undefined);
  if (stats?.size === file.size && Math.floor(stats.mtimeMs) === file.mtimeMs) return;
  await verifyBatchFile(file);
}
