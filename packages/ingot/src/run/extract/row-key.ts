import { IngotError } from "../../model/error.js";
import type { Row } from "../../sources/odata/values.js";

/** The columns by which rows are told apart. */
export interface KeyColumns {
  readonly columns: readonly string[];
  /** The one among them that a service may leave out, since a session has one client. */
  readonly client?: string;
}

/** The key of a row as one text. @throws IngotError EXTRACT_KEY_MISSING */
export function keyText({ columns, client }: KeyColumns, row: Row): string {
  return JSON.stringify(
    columns.map((name) => {
      const value = row[name];
      if (value !== undefined || name === client) return value ?? null;
      throw new IngotError("EXTRACT_KEY_MISSING", `A row of the set lacks ${name} of the key`, {
        object: name,
        hint: "Name the columns as the service does, with `keys`, and have `select` take them.",
      });
    }),
  );
}

/** The columns that a key's text was made of. */
export function keyRow({ columns, client }: KeyColumns, text: string): Row {
  const values = JSON.parse(text) as (string | null)[];
  const named = columns.map((name, i) => [name, values[i] ?? null] as const);
  return Object.fromEntries(named.filter(([name, value]) => name !== client || value !== null));
}

/** What one `Set` holds at most is somewhat more. */
const MOST = 1 << 23;

/** Keys of a set, as many as the memory holds. */
export class KeySet {
  readonly #parts: Set<string>[] = [new Set()];

  /** Whether it was not there. */
  add(key: string): boolean {
    if (this.#parts.some((part) => part.has(key))) return false;
    let last = this.#parts.at(-1) as Set<string>;
    if (last.size >= MOST) {
      last = new Set();
      this.#parts.push(last);
    }
    last.add(key);
    return true;
  }

  delete(key: string): void {
    for (const part of this.#parts) part.delete(key);
  }

  *[Symbol.iterator](): Generator<string> {
    for (const part of this.#parts) yield* part;
  }
}
