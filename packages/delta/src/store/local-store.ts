import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, stat, unlink } from "node:fs/promises";
import { platform } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Entry, Store } from "./store.js";

/** Tables on a local disk. The file system must have hard links: they make the atomic "create if absent". */
export const localStore: Store = { list, read: (path) => readFile(path), putIfAbsent };

async function list(folder: string): Promise<Entry[]> {
  const names = await readdir(folder).catch(emptyWhenAbsent);
  const entries = await Promise.all(names.map((name) => describe(folder, name)));
  return entries.filter((entry) => entry !== undefined);
}

/** Undefined when the file went away after the listing, as the temporary files of other writers do. */
async function describe(folder: string, name: string): Promise<Entry | undefined> {
  try {
    const found = await stat(join(folder, name));
    return found.isDirectory()
      ? { name, kind: "folder", size: 0, modified: Math.floor(found.mtimeMs) }
      : { name, kind: "file", size: found.size, modified: Math.floor(found.mtimeMs) };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/**
 * A file opened with `wx` would be seen half written, so the content is complete before it gets its name. Once it has
 * the name, the put has succeeded: readers see it and may build on it. A folder that cannot be synced after that is no
 * failure of the put; only a power cut right then could still take the name back.
 */
async function putIfAbsent(path: string, content: string): Promise<boolean> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temporary = join(folder, `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    await writeDurably(temporary, content);
    await link(temporary, path);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    // A temporary file that stays is ignored by every reader; it must not turn a commit that was made into an error.
    await unlink(temporary).catch(() => undefined);
  }
  await syncFolder(folder).catch(() => undefined);
  return true;
}

async function writeDurably(path: string, content: string): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** Makes the names in a folder survive a crash. Windows cannot open a folder and needs no such step. */
async function syncFolder(folder: string): Promise<void> {
  if (platform() === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function emptyWhenAbsent(error: unknown): string[] {
  if (hasCode(error, "ENOENT")) return [];
  throw error;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
