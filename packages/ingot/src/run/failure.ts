import { IngotError } from "../model/error.js";

/** Another try can help: another writer won. All else would fail the same way again. */
export function isTransient({ exit }: IngotError): boolean {
  return exit === "locked";
}

/** Errors of the layers below in the product's own form; anything unknown is a fault of Ingot and says so. */
export function toIngotError(error: unknown): IngotError {
  if (error instanceof IngotError) return error;
  if (error instanceof Error && error.name === "AbortError")
    return new IngotError("INTERRUPTED", "The run was interrupted", { cause: error });
  const errno = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (errno !== undefined && errno in STORAGE_HINTS) {
    return new IngotError("STORAGE_FAILED", (error as Error).message, {
      hint: STORAGE_HINTS[errno] ?? "",
      cause: error,
    });
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new IngotError("INTERNAL_ERROR", text, {
    hint: "This is a fault of Ingot. Please report it with these lines.",
    cause: error,
  });
}

const STORAGE_HINTS: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full. Make room and run again: nothing half-written counts.",
  EDQUOT: "The quota is used up. Make room and run again: nothing half-written counts.",
  EROFS: "The folder is read-only. Point `storage` and `warehouse` at a place that can be written.",
  EACCES: "Permission is denied. Check who may read and write there.",
  EPERM: "The operation is not permitted. Check who may read and write there.",
  ENOENT: "It is gone. Run again.",
  ENOTDIR: "A file stands where a folder should be. Move it away, or point `storage` and `warehouse` elsewhere.",
  EIO: "The disk reports a fault.",
  ENAMETOOLONG: "A name is too long for the file system. Give the table or the flow a shorter one.",
  EISDIR: "A folder stands where a file should be. Move it away.",
  EMFILE: "Too many open files. Raise the limit (ulimit -n).",
};
