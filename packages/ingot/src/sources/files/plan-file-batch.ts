import type { BatchFile, HeldFile } from "../../model/batch.js";
import type { FileRead } from "../../model/file-read.js";
import type { SeenFiles } from "../../plan/seen-files.js";
import type { FileBatch, FileEntry } from "./batch-file.js";
import { inspectOrHold } from "./hold-file.js";
import type { LandingFiles } from "./landing-files.js";

/**
 * What the next batch of a stream reads: lists the files, looks into those that are new or changed, and decides. Plain
 * JSON, fit for a manifest.
 *
 * A file is known by its path and its content (sha256). New content under a new path is loaded. Content that was loaded
 * from another path, or comes twice in one batch, is held as a copy; so is a loaded path with other content, for rows of
 * the old one are in the table, unless the read has `allowOverwrites`. A file that cannot be read yet is held where that does not hide a loss (`hold-file.ts`).
 *
 * @param seen by absolute path, from the flow's checkpoint
 * @param options `first`: no batch of this stream was planned before.
 * @throws as `listFiles`, and what `inspectFile` throws and nothing tolerates.
 */
export async function planFileBatch(
  landing: LandingFiles,
  read: FileRead,
  seen: SeenFiles,
  options: { readonly first: boolean },
): Promise<FileBatch> {
  const listed = landing.list(read, { stream: true });
  if (options.first && !read.includeExistingFiles) return { files: [], held: [], passed: listed, more: false };
  const { fresh, suspect } = discoverFiles(listed, seen);
  const held: HeldFile[] = [];
  const files: BatchFile[] = [];
  const owners = new Map<string, string>();
  for (const entry of suspect) {
    const { path } = entry;
    const before = seen.get(path)?.sha256;
    const sha256 = await landing.hash(entry);
    if (before === sha256) continue;
    if (read.allowOverwrites) {
      fresh.push(entry);
      continue;
    }
    const detail = `The content changed after it was loaded: sha256 was ${before}, is ${sha256}.`;
    held.push({ path, reason: "changed", detail });
    owners.set(sha256, path);
  }
  let bytes = 0;
  for (const entry of fresh) {
    if (isFull(read, files.length, bytes)) return { files, held, passed: [], more: true };
    const file = await inspectOrHold(landing, entry, read, held, { stream: true });
    if (file === undefined) continue;
    const owner = owners.get(file.sha256) ?? seen.ownerOf(file.sha256);
    if (owner !== undefined && file.records > 0) {
      held.push({
        path: file.path,
        reason: "copy",
        detail: `The content is that of ${owner}: sha256 ${file.sha256}.`,
      });
      continue;
    }
    const before = seen.get(file.path)?.sha256;
    files.push(before === undefined ? file : { ...file, overwrites: before });
    owners.set(file.sha256, file.path);
    bytes += file.size;
  }
  return { files, held, passed: [], more: false };
}

/**
 * Listed files against a checkpoint, by path, size and time alone: those that it does not know, and known ones with
 * another size or time, whose content must tell. One that was passed over and then written again is new.
 */
function discoverFiles(listed: readonly FileEntry[], seen: SeenFiles) {
  const fresh: FileEntry[] = [];
  const suspect: FileEntry[] = [];
  for (const entry of listed) {
    const before = seen.get(entry.path);
    if (before?.size === entry.size && before.mtimeMs === entry.mtimeMs) continue;
    if (before?.sha256 === undefined) fresh.push(entry);
    else suspect.push(entry);
  }
  return { fresh, suspect };
}

/** As Spark and Auto Loader: a batch takes at least one file, and stops behind the one that reaches a limit. */
function isFull(read: FileRead, files: number, bytes: number): boolean {
  const { maxFilesPerTrigger = Number.POSITIVE_INFINITY, maxBytesPerTrigger = Number.POSITIVE_INFINITY } = read;
  return files >= maxFilesPerTrigger || bytes >= maxBytesPerTrigger;
}
