import { createHash } from "node:crypto";
import type { BatchFile } from "../../model/batch.js";
import { IngotError } from "../../model/error.js";
import type { FileRead } from "../../model/file-read.js";
import type { FileEntry } from "./batch-file.js";
import { hashFile } from "./hash-file.js";
import { inspectFile } from "./inspect-file.js";
import { listFiles } from "./list-files.js";

/** Contents (sha256) by path, size and time, kept from one command to the next. */
export interface HashCache {
  get(key: string): unknown;
  set(key: string, sha256: string): void;
}

/**
 * Files as one command sees them: what a read lists is listed once and a file is looked into once, however many queries
 * ask. So a run plans over just the files that its queries were typed with.
 */
export class LandingFiles {
  readonly #root: string;
  readonly #hashes: HashCache;
  readonly #lists = new Map<string, readonly FileEntry[]>();
  readonly #looks = new Map<string, Promise<BatchFile>>();

  /** @param root folder of the spec; relative paths start there. */
  constructor(root: string, hashes: HashCache = new Map<string, string>()) {
    this.#root = root;
    this.#hashes = hashes;
  }

  /** @throws as {@link listFiles} */
  list(read: FileRead, options: { readonly stream: boolean }): readonly FileEntry[] {
    const key = `${options.stream} ${optionsKey(read)}`;
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const listed = listFiles(this.#root, read, options);
    this.#lists.set(key, listed);
    return listed;
  }

  /** The sha256 of a file that was listed: not read again while size and time are the same. */
  async hash({ path, size, mtimeMs }: FileEntry): Promise<string> {
    const key = `${size} ${mtimeMs} ${path}`;
    const known = this.#hashes.get(key);
    if (typeof known === "string") return known;
    const sha256 = await hashFile(path);
    this.#hashes.set(key, sha256);
    return sha256;
  }

  /**
   * Looks into a file that was listed.
   *
   * @throws as {@link inspectFile}; FILE_CHANGED also when it has changed since it was listed.
   */
  async inspect(entry: FileEntry, read: FileRead): Promise<BatchFile> {
    const key = `${optionsKey(read)} ${entry.path}`;
    const known = this.#looks.get(key);
    if (known !== undefined) return known;
    const look = lookInto(entry, read);
    this.#looks.set(key, look);
    // What failed may succeed when it is tried again.
    look.catch(() => this.#looks.delete(key));
    return look;
  }
}

const keys = new WeakMap<FileRead, string>();

/** Short text that is the same for reads that list and look into files alike, whatever they make of them. */
export function optionsKey(read: FileRead): string {
  const known = keys.get(read);
  if (known !== undefined) return known;
  const { maxFilesPerTrigger: _files, maxBytesPerTrigger: _bytes, includeExistingFiles: _existing, ...rest } = read;
  const key = createHash("sha256").update(JSON.stringify(rest)).digest("hex").slice(0, 16);
  keys.set(read, key);
  return key;
}

async function lookInto(entry: FileEntry, read: FileRead): Promise<BatchFile> {
  const file = await inspectFile(entry.path, read);
  if (file.size === entry.size && file.mtimeMs === entry.mtimeMs) {
    return entry.partition === undefined ? file : { ...file, partition: entry.partition };
  }
  throw new IngotError("FILE_CHANGED", `${entry.path} changed between its listing and its reading.`, {
    hint: "Run again when its writer is done. Deliver files under a name that begins with _ or . and rename them when complete.",
    object: entry.path,
  });
}
