import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Bundle, buildBundle, type OwnModules, stripMark } from "./bundle.js";
import { hashText } from "./project-inputs.js";

/** Keeps texts by key, from one command to the next. */
export interface TextCache {
  read(key: string): string | undefined;
  write(key: string, value: string): void;
}

/** A bundle as it is kept, with a hash of all that it was made from. */
interface CachedBundle {
  readonly code: string;
  readonly map: string;
  /** Text of each bundled file. */
  readonly modules: Readonly<Record<string, string>>;
  /** What decides where an import leads: names of code files beside the user's files, and package.json files. */
  readonly resolution: Readonly<Record<string, string>>;
}

/** Raised when the form of a bundle changes, so that older ones are not used. */
const FORM = 1;

/**
 * The bundle of these files: the one in the cache when everything that it was made from is still the same, to the
 * byte; else built anew. Only then is esbuild loaded.
 */
export async function readBundle(
  root: string,
  files: readonly string[],
  own: OwnModules,
  cache: TextCache | undefined,
): Promise<Bundle> {
  if (cache === undefined) return buildBundle(root, files, own);
  const key = `bundle-${hashText(JSON.stringify([FORM, root, files, own]))}`;
  const kept = await reuse(cache.read(key));
  if (kept !== undefined) return kept;
  const bundle = await buildBundle(root, files, own);
  cache.write(key, JSON.stringify(await toCached(bundle)));
  return bundle;
}

async function reuse(text: string | undefined): Promise<Bundle | undefined> {
  const cached = parse(text);
  if (cached === undefined) return undefined;
  const sources = new Map<string, string>();
  for (const [path, hash] of Object.entries(cached.modules)) {
    const source = await readSource(path);
    if (source === undefined || hashText(source) !== hash) return undefined;
    sources.set(path, source);
  }
  for (const [path, hash] of Object.entries(cached.resolution)) {
    if ((await resolutionHash(path)) !== hash) return undefined;
  }
  return { code: cached.code, map: cached.map, sources };
}

async function toCached({ code, map, sources }: Bundle): Promise<CachedBundle> {
  const modules: Record<string, string> = {};
  const resolution: Record<string, string> = {};
  for (const [path, text] of sources) {
    modules[path] = hashText(text);
    const folder = dirname(path);
    for (const decisive of [folder, await nearestPackage(folder)]) {
      if (decisive !== undefined) resolution[decisive] ??= await resolutionHash(decisive);
    }
  }
  return { code, map, modules, resolution };
}

/** A cache that somebody else damaged is no cache. */
function parse(text: string | undefined): CachedBundle | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as CachedBundle;
  } catch {
    return undefined;
  }
}

async function readSource(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").then(stripMark, () => undefined);
}

async function nearestPackage(folder: string): Promise<string | undefined> {
  const file = join(folder, "package.json");
  if ((await readSource(file)) !== undefined) return file;
  return dirname(folder) === folder ? undefined : nearestPackage(dirname(folder));
}

/** Hash of a file's text, or of the names of code files in a folder; of nothing where neither is there. */
async function resolutionHash(path: string): Promise<string> {
  const text = await readSource(path);
  if (text !== undefined) return hashText(text);
  const names = await readdir(path).catch(() => []);
  return hashText(
    names
      .filter((name) => /\.([cm]?[jt]s|[jt]sx|json)$/.test(name))
      .sort()
      .join("\n"),
  );
}
