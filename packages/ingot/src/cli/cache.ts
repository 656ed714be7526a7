import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Texts by key, as files in a folder. A cache that cannot be read or written only costs time. */
export interface FileCache {
  read(key: string): string | undefined;
  write(key: string, value: string): void;
}

export function openFileCache(folder: string): FileCache {
  return {
    read(key) {
      try {
        return readFileSync(join(folder, key), "utf8");
      } catch {
        return undefined;
      }
    },
    write(key, value) {
      const path = join(folder, key);
      try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(`${path}.${process.pid}`, value);
        renameSync(`${path}.${process.pid}`, path);
      } catch {
        // See above: the next command does the work again.
      }
    },
  };
}

/** Values beyond this number: those that the command did not ask for are dropped when the file is written. */
const MOST = 5000;

/** Values by fingerprint in one file of a cache. */
export class ValueCache {
  readonly #files: FileCache;
  readonly #name: string;
  readonly #used = new Map<string, unknown>();
  #stored: ReadonlyMap<string, unknown> | undefined;
  #added = false;

  constructor(files: FileCache, name: string) {
    this.#files = files;
    this.#name = name;
  }

  get(key: string): unknown {
    this.#stored ??= parseEntries(this.#files.read(this.#name));
    const value = this.#used.get(key) ?? this.#stored.get(key);
    if (value !== undefined) this.#used.set(key, value);
    return value;
  }

  set(key: string, value: unknown): void {
    this.#used.set(key, value);
    this.#added = true;
  }

  save(): void {
    if (!this.#added) return;
    const all = new Map([...(this.#stored ?? []), ...this.#used]);
    this.#files.write(this.#name, JSON.stringify(Object.fromEntries(all.size > MOST ? this.#used : all)));
    this.#added = false;
  }
}

function parseEntries(text: string | undefined): Map<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(text ?? "{}") as Record<string, unknown>));
  } catch {
    return new Map();
  }
}
