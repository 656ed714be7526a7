import { stat } from "node:fs/promises";
import type { BatchFile } from "../../model/batch.js";
import { IngotError } from "../../model/error.js";
import { hashFile } from "./hash-file.js";

/**
 * Makes sure, before a batch is read again, that a file is still what its manifest recorded.
 * @throws FILE_CHANGED where it has gone, or has another size or content.
 */
export async function verifyBatchFile(file: BatchFile): Promise<void> {
  const stats = await stat(file.path).catch(() => undefined);
  if (stats === undefined) throw changed(file, "it is gone or cannot be read");
  if (stats.size !== file.size) throw changed(file, `it had ${file.size} bytes and has ${stats.size}`);
  const sha256 = await hashFile(file.path);
  if (sha256 !== file.sha256) throw changed(file, `its sha256 was ${file.sha256} and is ${sha256}`);
}

function changed(file: BatchFile, how: string): IngotError {
  return new IngotError("FILE_CHANGED", `${file.path} is not the file that the batch recorded: ${how}.`, {
    hint: "Put the recorded file back to finish the batch, or start the table again with --full-refresh.",
    object: file.path,
  });
}
