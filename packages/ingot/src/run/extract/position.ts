import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { IngotError } from "../../model/error.js";
import type { DeltaToken } from "../../sources/odata/link.js";
import { createFile, numberedNames } from "../atomic-file.js";

/** What a subscription is made for: a token means nothing to another. */
export interface Selection {
  readonly service: string;
  readonly entitySet: string;
  readonly client?: string;
  readonly select?: readonly string[];
  readonly filter?: string;
  /** Digest of the user's name. */
  readonly user: string;
  /** Folder of the files, from that of the spec. */
  readonly landing: string;
}

export interface LandedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly rows: number;
}

/** Rows that landed, and where the set goes on behind them: one fact. */
export interface Position {
  /** Counts from 1; the value of `_extract` in the rows. */
  readonly extract: number;
  /** A load has all rows of the set, `changes` those behind a token. */
  readonly kind: "load" | "changes";
  /** The token that was asked for. */
  readonly from?: string;
  /** Someone gave it. */
  readonly isGiven?: true;
  /** Undefined where changes are not tracked. */
  readonly next?: DeltaToken;
  readonly selection: Selection;
  /** In the order of their rows. */
  readonly files: readonly LandedFile[];
  readonly pages: number;
  /** Rows of the service, and rows that tell what is gone since the load before. */
  readonly rows: number;
  readonly gone: number;
  /** UTC, ISO 8601. */
  readonly at: string;
}

const NAME = /^position-(\d+)\.json$/;

/**
 * The positions of an extract, `<storage>/_extracts/<name>/position-<n>.json`, one a request that brought something. The
 * newest one holds. That its file is made is what commits the rows: none is ever written over.
 */
export class Positions {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws IngotError CHECKPOINT_DAMAGED */
  async last(): Promise<Position | undefined> {
    const newest = Math.max(0, ...(await numberedNames(this.#folder, NAME)));
    return newest === 0 ? undefined : this.#read(newest);
  }

  /** Those from the newest load on, in their order; all where there was none. @throws IngotError CHECKPOINT_DAMAGED */
  async sinceLoad(): Promise<Position[]> {
    const found: Position[] = [];
    for (const number of (await numberedNames(this.#folder, NAME)).sort((a, b) => b - a)) {
      const position = await this.#read(number);
      found.unshift(position);
      if (position.kind === "load") break;
    }
    return found;
  }

  /** @throws IngotError RUN_LOCKED where another reader has written this position meanwhile */
  async commit(position: Position): Promise<void> {
    const path = this.#path(position.extract);
    if (await createFile(path, `${JSON.stringify(position, undefined, 2)}\n`)) return;
    throw new IngotError("RUN_LOCKED", "Another reader of this extract went on meanwhile", {
      object: path,
      hint: "Nothing of this request was landed. Keep one reader, and run it again.",
    });
  }

  #path(number: number): string {
    return join(this.#folder, `position-${number}.json`);
  }

  async #read(number: number): Promise<Position> {
    const path = this.#path(number);
    const text = await readFile(path, "utf8");
    try {
      const position = JSON.parse(text) as Position;
      if (position.extract === number && Array.isArray(position.files)) return position;
    } catch {
      // Told below.
    }
    throw new IngotError("CHECKPOINT_DAMAGED", `The position ${path} cannot be read`, {
      object: path,
      hint: "Bring the file back from a copy. Without one: a new extract, with a landing folder of its own.",
    });
  }
}

/** @throws IngotError EXTRACT_SELECTION_CHANGED with what is another */
export function refuseChangedSelection(before: Selection, now: Selection, name: string): void {
  const keys = ["service", "entitySet", "client", "user", "select", "filter", "landing"] as const;
  const text = (selection: Selection, key: (typeof keys)[number]) => {
    const value = selection[key];
    return value === undefined ? "not there" : JSON.stringify(value);
  };
  const changed = keys.filter((key) => text(before, key) !== text(now, key));
  if (changed.length === 0) return;
  const told = changed.map((key) =>
    key === "user" ? "another user" : `\`${key}\` was ${text(before, key)}, and is ${text(now, key)}`,
  );
  throw new IngotError(
    "EXTRACT_SELECTION_CHANGED",
    `The position of ${name} belongs to another selection: ${told.join("; ")}`,
    {
      object: `extracts.${name}`,
      hint: changed.includes("landing")
        ? "Write the former folder again. For a new one, move its files there and give --restart, which loads anew."
        : `Write it as it was, or load anew: ingot extract ${name} --restart`,
    },
  );
}
