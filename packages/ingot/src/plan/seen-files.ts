import type { SeenFile } from "../model/batch.js";

type Layer = ReadonlyMap<string, SeenFile>;

/**
 * Files that batches have given or passed over, by path; of one path the last. A checkpoint knows many thousands, and a
 * run asks for a few: so nothing is copied, and each layer's contents are looked through once.
 */
export class SeenFiles implements Iterable<[path: string, file: SeenFile]> {
  readonly #layers: readonly Layer[];

  /** @param layers the newest first; they do not change any more */
  constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  get(path: string): SeenFile | undefined {
    for (const layer of this.#layers) {
      const file = layer.get(path);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  /** A path that has this content. */
  ownerOf(sha256: string): string | undefined {
    for (const layer of this.#layers) {
      const path = byContent(layer).get(sha256);
      if (path === undefined) continue;
      if (this.get(path)?.sha256 === sha256) return path;
      // The path was loaded again with other content; another one may still have this.
      for (const [other, file] of this) if (file.sha256 === sha256) return other;
    }
    return undefined;
  }

  *[Symbol.iterator](): Generator<[path: string, file: SeenFile]> {
    for (const layer of this.#layers.toReversed())
      for (const [path, file] of layer) if (this.get(path) === file) yield [path, file];
  }
}

const contents = new WeakMap<Layer, ReadonlyMap<string, string>>();

function byContent(layer: Layer): ReadonlyMap<string, string> {
  const known = contents.get(layer);
  if (known !== undefined) return known;
  const found = new Map<string, string>();
  for (const [path, { sha256 }] of layer) if (sha256 !== undefined) found.set(sha256, path);
  contents.set(layer, found);
  return found;
}
