import { type FileHandle, link, open, readdir, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, syncFolder } from "../../engine/durable-files.js";
import { IngotError } from "../../model/error.js";
import { isErrno } from "../atomic-file.js";
import type { LandedFile, Position } from "./position.js";

/** Readers of a landing folder leave out what begins with `_`. */
const STAGING = "_staging";
/** Bytes behind which a new file begins. */
const FILE_BYTES = 1 << 26;

/** Digits of a number in a name: the order of the texts is that of the numbers. */
export const padded = (number: number, digits = 10) => String(number).padStart(digits, "0");

/** Writes the lines of a request into files that nobody sees: `<landing>/_staging/<extract>/<extract>-<file>.json`. */
export class StagedFiles {
  readonly #landing: string;
  readonly #extract: number;
  readonly #files: LandedFile[] = [];
  #open: { readonly handle: FileHandle; readonly name: string; size: number; rows: number } | undefined;

  constructor(landing: string, extract: number) {
    this.#landing = landing;
    this.#extract = extract;
  }

  async write(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const to = this.#open ?? (await this.#begin());
    this.#open = to;
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    await to.handle.writeFile(bytes);
    to.size += bytes.length;
    to.rows += lines.length;
    if (to.size >= FILE_BYTES) await this.#end();
  }

  /** All files, on disk. @throws IngotError EXTRACT_LANDING_CHANGED where the landing folder has a file of such a name */
  async close(): Promise<readonly LandedFile[]> {
    await this.#end();
    for (const { name } of this.#files)
      if (await isThere(join(this.#landing, name))) throw nameTaken(join(this.#landing, name));
    if (this.#files.length > 0) await syncFolder(stagingFolder(this.#landing, this.#extract));
    return this.#files;
  }

  /** Ends without another file; those that are written stay. */
  async stop(): Promise<void> {
    await this.#open?.handle.close();
    this.#open = undefined;
  }

  /** Takes all files away. */
  async discard(): Promise<void> {
    await this.stop();
    await rm(stagingFolder(this.#landing, this.#extract), { recursive: true, force: true });
  }

  async #begin() {
    const folder = stagingFolder(this.#landing, this.#extract);
    await makeFolder(folder);
    const name = `${padded(this.#extract)}-${padded(this.#files.length + 1, 6)}.json`;
    return { handle: await open(join(folder, name), "wx"), name, size: 0, rows: 0 };
  }

  async #end(): Promise<void> {
    if (this.#open === undefined) return;
    const { handle, name, size, rows } = this.#open;
    this.#open = undefined;
    await handle.sync();
    await handle.close();
    this.#files.push({ name, size, rows });
  }
}

/**
 * Gives the files of a position their places in the landing folder, each complete and for good; those that are there stay.
 * What a process that died has left is made an end of: files of the position appear, all others are discarded.
 *
 * @returns whether files appeared
 * @throws IngotError EXTRACT_LANDING_CHANGED
 */
export async function settleLanding(landing: string, position: Position | undefined): Promise<boolean> {
  const extract = position?.extract ?? 0;
  let appeared = false;
  for (const name of await stagedNames(landing)) {
    if (position !== undefined && name === padded(extract)) {
      for (const file of position.files) appeared = (await appear(landing, extract, file)) || appeared;
      await syncFolder(landing);
    }
    await rm(join(landing, STAGING, name), { recursive: true, force: true });
  }
  return appeared;
}

/** A link fails where a file of the name is, and so never replaces one. */
async function appear(landing: string, extract: number, { name }: LandedFile): Promise<boolean> {
  const [staged, path] = [join(stagingFolder(landing, extract), name), join(landing, name)];
  try {
    await link(staged, path);
  } catch (error) {
    if (isErrno(error, "ENOENT")) {
      if (await isThere(path)) return false;
      throw filesGone([path]);
    }
    if (!isErrno(error, "EEXIST")) throw error;
    const [from, to] = await Promise.all([stat(staged), stat(path)]);
    if (from.ino !== to.ino) throw nameTaken(path);
  }
  await unlink(staged);
  return true;
}

/** The paths of files that landed. @throws IngotError EXTRACT_LANDING_CHANGED where one is gone, or is another */
export async function landedPaths(landing: string, positions: readonly Position[]): Promise<string[]> {
  const files = positions.flatMap((position) => position.files);
  const gone: string[] = [];
  for (const { name, size } of files) {
    const path = join(landing, name);
    if (!(await isThere(path)) || (await stat(path)).size !== size) gone.push(path);
  }
  if (gone.length > 0) throw filesGone(gone);
  return files.map(({ name }) => join(landing, name));
}

function filesGone(paths: readonly string[]): IngotError {
  const others = paths.length > 1 ? ` and ${paths.length - 1} more` : "";
  return new IngotError("EXTRACT_LANDING_CHANGED", `${paths[0]}${others} landed and is not there as it was`, {
    object: paths[0] ?? "",
    hint: "Bring it back: a new load finds in the landed files which keys are gone. Without them: a new extract, with a landing folder of its own.",
  });
}

function nameTaken(path: string): IngotError {
  return new IngotError("EXTRACT_LANDING_CHANGED", `${path} is there, and this extract has not landed it`, {
    object: path,
    hint: "One extract has a landing folder. Where the storage was lost, bring its `_extracts` back, or name a new folder in `landing`.",
  });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    throw error;
  }
}

async function stagedNames(landing: string): Promise<string[]> {
  try {
    return await readdir(join(landing, STAGING));
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}

function stagingFolder(landing: string, extract: number): string {
  return join(landing, STAGING, padded(extract));
}
