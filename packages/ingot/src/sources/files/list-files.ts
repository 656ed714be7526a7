import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { IngotError } from "../../model/error.js";
import type { FileRead } from "../../model/file-read.js";
import type { FileEntry } from "./batch-file.js";
import { compileGlob, expandBraces, isGlob, unescapeGlob } from "./file-glob.js";
import { partitionOf } from "./partition.js";

/** Hadoop decompresses by these endings, and so does Spark, what Ingot cannot read. */
const NOT_READ = /\.(bz2|lz4|snappy|deflate|lzo)$/;

/**
 * The files that a `read_files` means, sorted by path: a file, a folder with all below it, or a glob of both. Names
 * that begin with `_` or `.` are ignored, as in Spark. `key=value` folders below the path give their files values.
 *
 * @param root folder of the spec; a relative path starts there.
 * @param options `stream`: a glob may match nothing yet. Without it that is an error, as in Spark.
 * @throws PATH_NOT_FOUND, FILE_NOT_READABLE; NOT_SUPPORTED for object storage and for compression that Ingot does not
 * know; BAD_OPTION for a malformed glob.
 */
export function listFiles(root: string, read: FileRead, options: { readonly stream?: boolean } = {}): FileEntry[] {
  const path = resolve(root, localPath(read.path));
  const starts = isGlob(path) ? matchGlob(path) : [path];
  if (starts.length === 0 && options.stream !== true) throw notFound(path, "Nothing matches the glob");
  if (starts[0] === path && isHidden(basename(path)) && !isFolder(path)) {
    throw notFound(path, "Files whose names begin with _ or . are ignored");
  }
  const { pathGlobFilter, modifiedAfter = Number.NEGATIVE_INFINITY, modifiedBefore = Number.POSITIVE_INFINITY } = read;
  const matches = pathGlobFilter === undefined ? () => true : compileGlob(pathGlobFilter);
  const found = new Map<string, FileEntry>();
  for (const start of starts) {
    for (const entry of walk(start)) {
      if (entry.mtimeMs <= modifiedAfter || entry.mtimeMs >= modifiedBefore || !matches(basename(entry.path))) continue;
      found.set(entry.path, withPartition(entry, start, read));
    }
  }
  const files = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const isText = read.format !== "parquet" && read.format !== "binaryFile";
  const compressed = isText ? files.find((file) => NOT_READ.test(file.path)) : undefined;
  if (compressed === undefined) return files;
  throw new IngotError("NOT_SUPPORTED", `${compressed.path} is compressed in a way that Ingot cannot read.`, {
    hint: "Deliver it plain, or as .gz or .zst; or leave it out with pathGlobFilter.",
    object: compressed.path,
  });
}

function withPartition(entry: FileEntry, start: string, read: FileRead): FileEntry {
  const partition = read.recursiveFileLookup ? undefined : partitionOf(entry.path, start, read.partitionColumns);
  return partition === undefined ? entry : { ...entry, partition };
}

/** A path of the local file system. Hadoop does not decode `%20` in a `file:` path, so neither does this. */
function localPath(path: string): string {
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(path)?.[1];
  if (scheme === undefined) return path;
  const local = /^file:(?:\/\/)?(\/.*)$/is.exec(path)?.[1];
  if (local !== undefined) return local;
  throw new IngotError("NOT_SUPPORTED", `Ingot cannot read ${scheme}: paths: ${path}`, {
    hint: "Copy the files to a local folder and name that folder.",
    object: path,
  });
}

/** The files and folders that a glob with an absolute path matches. */
function matchGlob(path: string): string[] {
  const matches = new Set<string>();
  for (const pattern of expandBraces(path)) {
    const names = pattern.split("/").filter((name) => name !== "");
    const first = names.findIndex(isGlob);
    const fixed = first === -1 ? names.length : first;
    let found = [`/${names.slice(0, fixed).join("/")}`];
    // Else a misspelt folder would only look empty.
    if (first !== -1) readFolder(found[0] as string);
    for (const name of names.slice(fixed)) {
      const accepts = compileGlob(name);
      found = isGlob(name)
        ? found
            .filter(isFolder)
            .flatMap((dir) => readFolder(dir).flatMap((e) => (accepts(e.name) ? join(dir, e.name) : [])))
        : found.map((dir) => join(dir, unescapeGlob(name)));
    }
    for (const match of found) if (statSync(match, { throwIfNoEntry: false }) !== undefined) matches.add(match);
  }
  return [...matches];
}

/** A file, or all files below a folder. */
function* walk(path: string): Generator<FileEntry> {
  const stats = attempt(path, () => statSync(path));
  if (stats.isFile()) {
    if (!isHidden(basename(path))) yield { path, size: stats.size, mtimeMs: Math.floor(stats.mtimeMs) };
  } else if (stats.isDirectory()) {
    for (const entry of readFolder(path)) {
      if (isHidden(entry.name)) continue;
      // The path is absolute and normal: joining it again costs as much as the listing.
      yield* walk(`${path}/${entry.name}`);
    }
  }
}

/** Spark's rule for files that are no data: bookkeeping, unfinished copies. */
function isHidden(name: string): boolean {
  return name.startsWith(".") || (name.startsWith("_") && !name.includes("=")) || name.endsWith("._COPYING_");
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function readFolder(path: string): Dirent[] {
  return attempt(path, () => readdirSync(path, { withFileTypes: true }));
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") throw notFound(path, "No such file or folder");
    throw new IngotError("FILE_NOT_READABLE", `${path} cannot be read (${code}).`, {
      hint: "Give the user that runs the pipeline the right to read it.",
      object: path,
      cause,
    });
  }
}

function notFound(path: string, what: string): IngotError {
  return new IngotError("PATH_NOT_FOUND", `${what}: ${path}`, {
    hint: "Correct the path in read_files (a relative path starts at the folder of the spec), or create the folder.",
    object: path,
  });
}
