import type { BatchFile, HeldFile } from "../../model/batch.js";
import { IngotError } from "../../model/error.js";
import type { FileRead } from "../../model/query.js";
import type { FileBatch, FileEntry, HashedFile, SeenFile } from "./batch-file.js";
import { hashFile } from "./hash-file.js";
import { inspectFile } from "./inspect-file.js";
import { listFiles } from "./list-files.js";

/** Listed files against a checkpoint, by path, size and time alone; each list in the order of the listing. */
interface Discovery {
  /** Paths that the checkpoint does not know. */
  readonly fresh: readonly FileEntry[];
  /** Known paths with another size or time: only their content can tell. */
  readonly suspect: readonly FileEntry[];
  readonly unchanged: readonly FileEntry[];
}

function discoverFiles(listed: readonly FileEntry[], seen: ReadonlyMap<string, SeenFile>): Discovery {
  const fresh: FileEntry[] = [];
  const suspect: FileEntry[] = [];
  const unchanged: FileEntry[] = [];
  for (const entry of listed) {
    const before = seen.get(entry.path);
    if (before === undefined) fresh.push(entry);
    else if (before.size === entry.size && before.mtimeMs === entry.mtimeMs) unchanged.push(entry);
    else suspect.push(entry);
  }
  return { fresh, suspect, unchanged };
}

/**
 * Decides over new files. Content that was loaded from another path, or comes twice in one batch, is held; files
 * without a record are no copies of each other. An empty file is held too: nothing of it is loaded, and when it has
 * grown it is new.
 */
function decideFresh(
  fresh: readonly BatchFile[],
  seen: ReadonlyMap<string, SeenFile>,
): Pick<FileBatch, "files" | "held"> {
  const files: BatchFile[] = [];
  const held: HeldFile[] = [];
  const owners = new Map([...seen].map(([path, { sha256 }]) => [sha256, path]));
  for (const file of fresh) {
    const { path, sha256 } = file;
    const owner = owners.get(sha256);
    if (file.size === 0) {
      held.push({ path, reason: "empty", detail: "The file is empty: 0 bytes." });
    } else if (owner !== undefined && file.records > 0) {
      held.push({ path, reason: "copy", detail: `The content is that of ${owner}: sha256 ${sha256}.` });
    } else {
      files.push(file);
      owners.set(sha256, path);
    }
  }
  return { files, held };
}

/** Decides over files that were loaded before: other content is held, for rows of the old one are in the table. */
function decideSuspect(
  suspect: readonly HashedFile[],
  seen: ReadonlyMap<string, SeenFile>,
): Pick<FileBatch, "held" | "touched"> {
  const held: HeldFile[] = [];
  const touched: HashedFile[] = [];
  for (const file of suspect) {
    const before = seen.get(file.path)?.sha256;
    if (before === file.sha256) touched.push(file);
    else {
      const detail = `The content changed after it was loaded: sha256 was ${before}, is ${file.sha256}.`;
      held.push({ path: file.path, reason: "changed", detail });
    }
  }
  return { held, touched };
}

/**
 * What the next batch of a flow reads: lists the files, reads those that are new or changed, and decides. Plain JSON,
 * fit for a manifest. A new file that is not UTF-8 is held, so that it does not stop the others.
 *
 * @param root folder of the spec.
 * @param seen by absolute path, from the flow's checkpoint.
 * @throws as {@link listFiles}, and what {@link inspectFile} throws but FILE_BAD_ENCODING.
 */
export async function planFileBatch(
  root: string,
  read: FileRead,
  seen: ReadonlyMap<string, SeenFile>,
): Promise<FileBatch> {
  const { fresh, suspect } = discoverFiles(listFiles(root, read, { stream: true }), seen);
  const inspected: BatchFile[] = [];
  const unreadable: HeldFile[] = [];
  for (const { path } of fresh) {
    try {
      inspected.push(await inspectFile(path, read));
    } catch (error) {
      if (!(error instanceof IngotError) || error.code !== "FILE_BAD_ENCODING") throw error;
      unreadable.push({
        path,
        reason: "bad-encoding",
        detail: `${error.message.replace(`${path} is `, "it is ")} ${error.hint ?? ""}`.trim(),
      });
    }
  }
  const hashed: HashedFile[] = [];
  for (const entry of suspect) hashed.push({ ...entry, sha256: await hashFile(entry.path) });
  const { files, held } = decideFresh(inspected, seen);
  const { held: changed, touched } = decideSuspect(hashed, seen);
  return { files, held: [...held, ...changed, ...unreadable], touched };
}
