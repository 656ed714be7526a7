import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BatchFile } from "../../../model/batch.js";
import { openFile, readText, type TextForm } from "../../../sources/files/read-text.js";
import type { LocatedFile } from "./located-file.js";

/** A copy that is older was left by a process that died. */
const ABANDONED_MS = 86_400_000;

/** Copies in UTF-8 of files that DuckDB cannot read as they are, for the time of one statement. */
export class TextCopies {
  readonly #folder: string;
  /** By the path of the file. */
  readonly #copies = new Map<string, string>();

  /** @param folder for the copies alone; it is made when the first one is */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws FILE_BAD_ENCODING, FILE_CORRUPT, FILE_NOT_READABLE where the file is no longer what was looked at */
  async locate(file: BatchFile): Promise<LocatedFile> {
    const { encoding = "UTF-8", compression, path } = file;
    if (encoding === "UTF-8" && compression === undefined) return file;
    const known = this.#copies.get(path);
    if (known !== undefined) return { ...file, copy: known };
    if (this.#copies.size === 0) await this.#prepareFolder();
    const copy = join(this.#folder, `${randomUUID()}.txt`);
    this.#copies.set(path, copy);
    await copyText(path, { encoding, ...(compression === undefined ? {} : { compression }) }, copy);
    return { ...file, copy };
  }

  async remove(): Promise<void> {
    for (const copy of this.#copies.values()) await rm(copy, { force: true });
    this.#copies.clear();
  }

  async #prepareFolder(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: Date.now() };
      if (Date.now() - mtimeMs > ABANDONED_MS) await rm(path, { force: true });
    }
  }
}

async function copyText(path: string, form: TextForm, copy: string): Promise<void> {
  const from = await openFile(path);
  try {
    const to = await open(copy, "w");
    try {
      for await (const chunk of readText(path, from, form)) await to.writeFile(chunk);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}
