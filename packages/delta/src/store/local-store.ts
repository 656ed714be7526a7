import { randomUUID } from "node:crypto";
import { link, lstat, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder, syncFolder } from "./local-folder.js";
import type { ByteRange, Entry, Store } from "./store.js";

/** Tables on a local disk. The file system must have hard links: they make the atomic "create if absent". */
export const localStore: Store = { list, read, putIfAbsent, put, delete: (path) => rm(path, { force: true }) };

async function read(path: string, range?: ByteRange): Promise<Uint8Array> {
  if (range === undefined) return readFile(path);
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const start = range.offset < 0 ? Math.max(size + range.offset, 0) : Math.min(range.offset, size);
    const content = Buffer.alloc(Math.min(range.length ?? size, size - start));
    let filled = 0;
    while (filled < content.length) {
      const { bytesRead } = await file.read(content, filled, content.length - filled, start + filled);
      if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`);
      filled += bytesRead;
    }
    return content;
  } finally {
    await file.close();
  }
}

/** The names come at once; looking at each file is what takes time. */
async function list(folder: string, after?: string): Promise<Entry[]> {
  const names = await readdir(folder).catch(emptyWhenAbsent);
  const wanted =
    after === undefined ? names : names.filter((name) => Buffer.from(name).compare(Buffer.from(after)) > 0);
  const entries = await Promise.all(wanted.map((name) => describe(folder, name)));
  return entries.filter((entry) => entry !== undefined);
}

/** Undefined when the file went away after the listing, as the temporary files of other writers do. */
async function describe(folder: string, name: string): Promise<Entry | undefined> {
  try {
    const path = join(folder, name);
    const own = await lstat(path);
    const found = own.isSymbolicLink() ? await stat(path) : own;
    const entry = { name, modified: Math.floor(found.mtimeMs), ...(found === own ? {} : { isLink: true as const }) };
    return found.isDirectory() ? { ...entry, kind: "folder", size: 0 } : { ...entry, kind: "file", size: found.size };
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
function putIfAbsent(path: string, content: string | Uint8Array): Promise<boolean> {
  return place(path, content, link);
}

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await place(path, content, rename);
}

/** Whether a file, by its path or name, is what stays of a put into a local store that was killed. */
export function isLeftover(path: string): boolean {
  return /(^|\/)\.[^/]+\.[0-9a-f-]{36}\.tmp$/.test(path);
}

/** Writes the content aside and gives it its name by `link` or `rename`; false when the name is taken. */
async function place(path: string, content: string | Uint8Array, name: typeof link): Promise<boolean> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temporary = join(folder, `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    await writeDurably(temporary, content);
    await name(temporary, path);
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

async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

function emptyWhenAbsent(error: unknown): string[] {
  if (hasCode(error, "ENOENT")) return [];
  throw error;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
