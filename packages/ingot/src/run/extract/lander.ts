import { IngotError } from "../../model/error.js";
import { goneRow, type Row } from "../../sources/odata/values.js";
import { padded, type StagedFiles } from "./landing.js";
import { type KeyColumns, type KeySet, keyRow } from "./row-key.js";

/** Control columns of each row: with them rows have an order, and a row that comes twice is known. */
const CONTROL = ["_extract", "_page", "_row", "_token"];

/** Rows in the form in which they land. */
export class Lander {
  readonly #staged: StagedFiles;
  readonly #extract: string;
  readonly #token: string | null;

  /** @param token behind which the rows lie; undefined of a load */
  constructor(staged: StagedFiles, extractNumber: number, token: string | undefined) {
    this.#staged = staged;
    this.#extract = padded(extractNumber);
    this.#token = token ?? null;
  }

  /** @throws IngotError EXTRACT_PAGE_INVALID for a column with the name of one of ours */
  async land(rows: readonly Row[], page: number): Promise<void> {
    const [first = {}] = rows;
    const taken = Object.keys(first).find((name) => CONTROL.includes(name.toLowerCase()));
    if (taken !== undefined)
      throw new IngotError("EXTRACT_PAGE_INVALID", `The set has a column ${taken}, and so have all rows that land`, {
        object: taken,
        hint: "Leave it out with `select`.",
      });
    await this.#staged.write(rows.map((row, i) => this.#line(row, page, i + 1)));
  }

  /** Lands a delete of each key, behind all other rows; gives how many. */
  async landGone(keys: KeySet, columns: KeyColumns, page: number): Promise<number> {
    let [row, lines]: [number, string[]] = [0, []];
    for (const key of keys) {
      lines.push(this.#line(goneRow(keyRow(columns, key)), page, ++row));
      if (lines.length < 10_000) continue;
      await this.#staged.write(lines);
      lines = [];
    }
    await this.#staged.write(lines);
    return row;
  }

  #line(values: Row, page: number, row: number): string {
    const place = { _extract: this.#extract, _page: padded(page), _row: padded(row), _token: this.#token };
    return JSON.stringify({ ...place, ...values });
  }
}
