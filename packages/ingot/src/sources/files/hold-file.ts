import type { BatchFile, HeldFile } from "../../model/batch.js";
import { IngotError } from "../../model/error.js";
import type { AnyFileRead, FileRead } from "../../model/file-read.js";
import type { FileEntry } from "./batch-file.js";
import type { LandingFiles } from "./landing-files.js";

type Tolerance = Pick<AnyFileRead, "ignoreCorruptFiles" | "ignoreMissingFiles">;

/**
 * Looks into a file, or adds a note to `held` where the file cannot be looked into and does not stop the others.
 *
 * @param options `stream`: the file has another chance in the next run, so one in the wrong encoding, or not yet
 * complete, is left out without being told to.
 * @throws FILE_EMPTY where the read asks for it, and what `inspectFile` throws and nothing tolerates
 */
export async function inspectOrHold(
  landing: LandingFiles,
  entry: FileEntry,
  read: FileRead,
  held: HeldFile[],
  options: { readonly stream: boolean },
): Promise<BatchFile | undefined> {
  if (entry.size === 0) {
    held.push(heldAsEmpty(entry.path, read));
    return undefined;
  }
  try {
    return await landing.inspect(entry, read);
  } catch (error) {
    const note = heldByError(entry.path, error, read, options.stream);
    if (note === undefined) throw error;
    held.push(note);
    return undefined;
  }
}

function heldByError(path: string, error: unknown, read: Tolerance, stream: boolean): HeldFile | undefined {
  if (!(error instanceof IngotError)) return undefined;
  const reason = reasonOf(error, read, stream);
  if (reason === undefined) return undefined;
  const detail = `${error.message.replace(`${path} is `, "it is ").replace(`${path} `, "it ")} ${error.hint ?? ""}`;
  return { path, reason, detail: detail.trim() };
}

function reasonOf(error: IngotError, read: Tolerance, stream: boolean): HeldFile["reason"] | undefined {
  switch (error.code) {
    case "FILE_BAD_ENCODING":
      return stream || read.ignoreCorruptFiles ? "bad-encoding" : undefined;
    case "FILE_CHANGED":
      return stream ? "unfinished" : undefined;
    case "FILE_CORRUPT":
      return read.ignoreCorruptFiles ? "corrupt" : undefined;
    case "FILE_NOT_READABLE":
      return isGone(error) && read.ignoreMissingFiles ? "missing" : undefined;
    default:
      return undefined;
  }
}

function isGone(error: IngotError): boolean {
  return (error.cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT";
}

/** An empty file is no data: nothing of it is loaded, and when it has grown it is new. */
function heldAsEmpty(path: string, read: Pick<AnyFileRead, "onEmpty">): HeldFile {
  if (read.onEmpty === "warn") return { path, reason: "empty", detail: "The file is empty: 0 bytes." };
  throw new IngotError("FILE_EMPTY", `${path} is empty: 0 bytes.`, {
    object: path,
    hint: "Deliver it again with its content, or take it away. onEmpty => 'warn' leaves empty files out with a notice.",
  });
}
