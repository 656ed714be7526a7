import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BatchInput, CompactedBatches, CompactedSource, SeenFile } from "../model/batch.js";
import { replaceFile } from "./atomic-file.js";
import { fullPath, mapKey, storedPath } from "./portable-manifest.js";

// `compacted.txt` beside the manifests: what the first of them come to, so that a run need not read them all. It is
// derived: without it, or where it is damaged, the manifests are read. The first line is JSON; behind it stand the files
// of all sources, four texts a file, with NUL between, which no path holds.

interface Head {
  readonly format: 1;
  readonly upTo: number;
  readonly sources: readonly { readonly key: string; readonly position: BatchInput; readonly files: number }[];
}

const NAME = "compacted.txt";
const TEXTS_A_FILE = 4;

/** @param root folder of the spec: paths below it are stored relative to it. */
export async function writeCompacted(folder: string, { upTo, sources }: CompactedBatches, root: string): Promise<void> {
  const stored = (path: string) => storedPath(path, root);
  const head: Head = {
    format: 1,
    upTo,
    sources: Object.entries(sources).map(([key, { position, files }]) => {
      return { key: mapKey(key, stored), position, files: files.size };
    }),
  };
  const texts = Object.values(sources).flatMap(({ files }) =>
    [...files].flatMap(([path, { size, mtimeMs, sha256 = "" }]) => [stored(path), size, mtimeMs, sha256]),
  );
  await replaceFile(join(folder, NAME), `${JSON.stringify(head)}\n${texts.join("\0")}`);
}

/** What was read before: a file of the same time and size is the same, and a run asks for it several times. */
const readBefore = new Map<string, { readonly stamp: string; readonly compacted: WeakRef<CompactedBatches> }>();

/** @param last number of the last batch, whose manifest is always read */
export async function readCompacted(folder: string, last: number, root: string): Promise<CompactedBatches | undefined> {
  const path = join(folder, NAME);
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  const stamp = `${stats.ino} ${stats.mtimeMs} ${stats.size} ${root}`;
  const before = readBefore.get(path);
  const compacted =
    (before?.stamp === stamp ? before.compacted.deref() : undefined) ?? parse(await readFile(path, "utf8"), root);
  if (compacted === undefined || compacted.upTo >= last) return undefined;
  readBefore.set(path, { stamp, compacted: new WeakRef(compacted) });
  return compacted;
}

/** Undefined where the file is damaged. */
function parse(text: string, root: string): CompactedBatches | undefined {
  const end = text.indexOf("\n");
  const head = headOf(text.slice(0, end));
  if (head === undefined) return undefined;
  const texts = end + 1 === text.length ? [] : text.slice(end + 1).split("\0");
  if (texts.length !== TEXTS_A_FILE * head.sources.reduce((sum, source) => sum + source.files, 0)) return undefined;
  let at = 0;
  const sources: Record<string, CompactedSource> = {};
  for (const { key, position, files: count } of head.sources) {
    const files = new Map<string, SeenFile>();
    for (const end = at + count * TEXTS_A_FILE; at < end; at += TEXTS_A_FILE) {
      const [path, size, mtimeMs, sha256] = [texts[at], texts[at + 1], texts[at + 2], texts[at + 3]] as [
        string,
        string,
        string,
        string,
      ];
      files.set(fullPath(path, root), {
        size: Number(size),
        mtimeMs: Number(mtimeMs),
        ...(sha256 === "" ? {} : { sha256 }),
      });
    }
    sources[mapKey(key, (path) => fullPath(path, root))] = { position, files };
  }
  return { upTo: head.upTo, sources };
}

function headOf(line: string): Head | undefined {
  try {
    const head = JSON.parse(line) as Head;
    return head.format === 1 ? head : undefined;
  } catch {
    return undefined;
  }
}
