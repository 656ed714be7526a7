import type { HeldFile } from "../../model/batch.js";
import { IngotError } from "../../model/error.js";
import type { AnyFileRead } from "../../model/file-read.js";

type Tolerance = Pick<AnyFileRead, "ignoreCorruptFiles" | "ignoreMissingFiles">;

/**
 * The note for a file that cannot be looked into and does not stop the others; undefined where its error must.
 *
 * @param options `stream`: the file has another chance in the next run, so one in the wrong encoding, or not yet
 * complete, is left out without being told to.
 */
export function heldByError(
  path: string,
  error: unknown,
  read: Tolerance,
  options: { readonly stream: boolean },
): HeldFile | undefined {
  if (!(error instanceof IngotError)) return undefined;
  const reason = reasonOf(error, read, options.stream);
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

/**
 * An empty file is no data: nothing of it is loaded, and when it has grown it is new.
 *
 * @throws IngotError FILE_EMPTY where the read asks for it
 */
export function heldAsEmpty(path: string, read: Pick<AnyFileRead, "onEmpty">): HeldFile {
  if (read.onEmpty === "warn") return { path, reason: "empty", detail: "The file is empty: 0 bytes." };
  throw new IngotError("FILE_EMPTY", `${path} is empty: 0 bytes.`, {
    object: path,
    hint: "Deliver it again with its content, or take it away. onEmpty => 'warn' leaves empty files out with a notice.",
  });
}
