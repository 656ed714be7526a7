import { appendFileSync, mkdirSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sink } from "../sap/generate/options.js";

/** Texts that are held at most before they are written, in UTF-16 units. */
const HELD = 16_000_000;

/** Writes files below a folder, many at a time: each gets its texts in blocks. */
export class FileSink implements Sink {
  readonly #folder: string;
  readonly #held = new Map<string, string[]>();
  readonly #made = new Set<string>();
  #size = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get files(): number {
    return this.#made.size;
  }

  append(path: string, text: string, encoding?: "windows-1252"): void {
    if (encoding !== undefined) {
      this.flush();
      this.#write(path, Buffer.from(text, "latin1"));
      return;
    }
    const texts = this.#held.get(path);
    if (texts === undefined) this.#held.set(path, [text]);
    else texts.push(text);
    this.#size += text.length;
    if (this.#size > HELD) this.flush();
  }

  /** @param times of files, in milliseconds since 1970 */
  setTimes(times: ReadonlyMap<string, number>): void {
    for (const [path, time] of times) utimesSync(join(this.#folder, path), time / 1000, time / 1000);
  }

  /** Writes what is held. */
  flush(): void {
    for (const [path, texts] of this.#held) this.#write(path, texts.join(""));
    this.#held.clear();
    this.#size = 0;
  }

  #write(path: string, content: string | Uint8Array): void {
    const file = join(this.#folder, path);
    if (!this.#made.has(path)) mkdirSync(dirname(file), { recursive: true });
    this.#made.add(path);
    appendFileSync(file, content);
  }
}
