import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat, unlink, utimes } from "node:fs/promises";
import { extname, join } from "node:path";
import { type DataFiles, type LocalCopies, type StoredFile, wrongSize } from "./data-files.js";
import { inParallel } from "./in-parallel.js";
import type { RemoteStore } from "./store.js";

export interface FileCacheOptions {
  /** A folder of this machine, on one file system that has hard links; several processes may share it. */
  readonly folder: string;
  /** Copies beyond this many bytes are removed, the longest unused first. What is open stays until it is closed. */
  readonly maxBytes: number;
}

/** Other users of the machine may not read the tables. */
const OWN = { recursive: true, mode: 0o700 };
const CHUNK = 8 * 2 ** 20;
const FILES_AT_ONCE = 4;
const CHUNKS_AT_ONCE = 2;
/** No download, and no query, takes this long: what is older and has no living owner was left by a crash. */
const ABANDONED_MS = 24 * 3_600_000;
/** How often a copy may vanish between its download and its use before something else must be wrong. */
const LINK_TRIES = 5;

/**
 * Data files of a remote store, with copies on the local disk.
 *
 * `copies/` holds finished copies, named by a hash of path and size: they get their name when they are whole, so that
 * other processes never see a part. Who opens files gets hard links in a folder of its own under `open/`: removing a
 * copy cannot take a file away from its readers. New files are written under `staged/`, and become copies when they
 * are published. A copy of another size than the log says is damaged, and fetched again.
 */
export function cachedDataFiles(store: RemoteStore, { folder, maxBytes }: FileCacheOptions): DataFiles {
  const copies = join(folder, "copies");
  const opened = join(folder, "open");
  const staged = join(folder, "staged", `${process.pid}-${randomUUID()}`);
  const downloads = new Map<string, Promise<void>>();
  let ready: Promise<void> | undefined;

  function prepare(): Promise<void> {
    ready ??= (async () => {
      for (const made of [copies, opened, staged]) await mkdir(made, OWN);
      for (const owned of [opened, join(folder, "staged")]) await removeAbandoned(owned);
    })();
    return ready;
  }

  async function openFiles(files: readonly StoredFile[]): Promise<LocalCopies> {
    await prepare();
    const own = join(opened, `${process.pid}-${randomUUID()}`);
    await mkdir(own);
    const close = (): Promise<void> => rm(own, { recursive: true, force: true });
    try {
      const paths = await inParallel(files, FILES_AT_ONCE, (file) => take(file, own));
      await evict(copies, maxBytes);
      return { paths, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** A link to the copy, in the reader's own folder. */
  async function take(file: StoredFile, own: string): Promise<string> {
    const name = copyName(file);
    const [copy, taken] = [join(copies, name), join(own, name)];
    for (let turn = 0; turn < LINK_TRIES; turn++) {
      await download(file, copy);
      try {
        await link(copy, taken);
      } catch (error) {
        if (hasCode(error, "EEXIST")) return taken;
        // Another process needed the space.
        if (hasCode(error, "ENOENT")) continue;
        throw error;
      }
      if ((await stat(taken)).size === file.size) return taken;
      await rm(taken, { force: true });
    }
    throw new Error(`The copy of ${file.path} in ${copies} vanished ${LINK_TRIES} times: is the cache large enough?`);
  }

  /** Sees to it that the copy is there. Requests for one file share a download. */
  async function download(file: StoredFile, copy: string): Promise<void> {
    const running = downloads.get(copy);
    if (running !== undefined) return running;
    const started = fetchUnlessThere(store, file, copy);
    downloads.set(copy, started);
    try {
      await started;
    } finally {
      downloads.delete(copy);
    }
  }

  async function keep(local: string, path: string): Promise<void> {
    const { size } = await stat(local);
    await rename(local, join(copies, copyName({ path, size })));
    await evict(copies, maxBytes);
  }

  const stagedAt = (path: string): string => join(staged, `${hash(path)}${extname(path)}`);

  return {
    open: openFiles,
    stage: async (path) => {
      await prepare();
      await mkdir(staged, OWN);
      return stagedAt(path);
    },
    publish: async (path) => {
      const local = stagedAt(path);
      await store.upload(local, path);
      // It is read soon, as a rule. Where the copy cannot be kept it is fetched again, and the file is published still.
      await keep(local, path).catch(() => rm(local, { force: true }));
    },
    discard: async (path) => {
      await rm(stagedAt(path), { force: true });
      await store.delete(path);
    },
  };
}

async function fetchUnlessThere(store: RemoteStore, file: StoredFile, copy: string): Promise<void> {
  const found = await stat(copy).catch(undefinedWhenAbsent);
  if (found?.size === file.size) {
    const now = new Date();
    await utimes(copy, now, now).catch(undefinedWhenAbsent);
    return;
  }
  const part = `${copy}.${randomUUID()}.part`;
  try {
    await fetchInChunks(store, file, part);
    await rename(part, copy);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function fetchInChunks(store: RemoteStore, { path, size }: StoredFile, part: string): Promise<void> {
  const output = await open(part, "wx");
  try {
    // One byte more than is expected would be seen; of an empty file it is asked whether it is there.
    const starts = Array.from({ length: Math.floor(size / CHUNK) + 1 }, (_, index) => index * CHUNK);
    await inParallel(starts, CHUNKS_AT_ONCE, async (start) => {
      const expected = Math.min(CHUNK, size - start);
      const isLast = start + expected === size;
      const content = await store.read(path, { offset: start, length: isLast ? expected + 1 : expected });
      if (content.length !== expected) throw wrongSize(path, size, start + content.length);
      await writeFully(output, content, start);
    });
    // A name that outlives a power cut without its content would be a damaged copy of the right size.
    await output.sync();
  } finally {
    await output.close();
  }
}

async function writeFully(output: FileHandle, content: Uint8Array, start: number): Promise<void> {
  for (let written = 0; written < content.length; ) {
    written += (await output.write(content, written, content.length - written, start + written)).bytesWritten;
  }
}

/** Removes the copies that were unused the longest until the rest fits, and parts of downloads that a crash left. */
async function evict(copies: string, maxBytes: number): Promise<void> {
  const found = await inParallel(await readdir(copies), 32, async (name) => {
    const path = join(copies, name);
    const facts = await stat(path).catch(undefinedWhenAbsent);
    return facts === undefined ? [] : [{ path, size: facts.size, used: facts.mtimeMs, isPart: name.endsWith(".part") }];
  });
  const files = found.flat().sort((a, b) => a.used - b.used);
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size, used, isPart } of files) {
    const goes = isPart ? Date.now() - used > ABANDONED_MS : bytes > maxBytes;
    if (!goes) continue;
    await unlink(path).catch(undefinedWhenAbsent);
    bytes -= size;
  }
}

/** Folders are named after the process that owns them. A container may not see another's processes, hence the time. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const made = await stat(path).catch(undefinedWhenAbsent);
    if (made === undefined || Date.now() - made.mtimeMs < ABANDONED_MS || isAlive(Number.parseInt(name, 10))) continue;
    await rm(path, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

function copyName({ path, size }: StoredFile): string {
  return `${hash(path)}-${size}${extname(path)}`;
}

function hash(path: string): string {
  return createHash("sha256").update(path).digest("hex").slice(0, 40);
}

function undefinedWhenAbsent(error: unknown): undefined {
  if (!hasCode(error, "ENOENT")) throw error;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
