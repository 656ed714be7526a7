import type { ChangeWriter, Delivered } from "../changes-in-format.js";
import type { DeliveredFile } from "../output.js";
import type { Row, RowTable } from "../rows.js";
import type { AftermathName, Fault } from "./fault.js";
import type { FaultRates } from "./kinds.js";

/** Deletes that come after the last batch, of rows that are true all the same. */
export const AFTERMATH = {
  archive: {
    does: "deletes of a hundred old documents that were archived, in a batch after the last one",
    expected: "kept, where the flow keeps what was archived",
  },
  mass_delete: {
    does: "deletes of all rows, as a client copy makes them, in the batch after that",
    expected: "more than the share that may be deleted: nothing is applied",
  },
} as const satisfies Readonly<Record<AftermathName, { readonly does: string; readonly expected: string }>>;

/** Old documents that are archived, at most. */
const ARCHIVED = 100;

/** Writes the deletes while the truth goes by. */
export class Aftermath {
  readonly #kinds: readonly AftermathName[];
  readonly #stamp: Pick<Delivered, "at" | "record">;
  readonly #lastBatch: number;
  readonly #write: (file: DeliveredFile, batch: number) => void;
  readonly #tell: (fault: Fault) => void;
  readonly #told = new Set<string>();

  /** @param at the end of the last batch, in microseconds since the start */
  constructor(
    rates: FaultRates,
    writer: ChangeWriter,
    { lastBatch, at }: { readonly lastBatch: number; readonly at: number },
    write: (file: DeliveredFile, batch: number) => void,
    tell: (fault: Fault) => void,
  ) {
    const names = Object.keys(AFTERMATH) as AftermathName[];
    this.#kinds = names.filter((name) => (rates.get(name) ?? 0) > 0 && (name !== "archive" || writer.tellsArchive));
    this.#stamp = { at, record: 2 };
    this.#lastBatch = lastBatch;
    this.#write = write;
    this.#tell = tell;
  }

  /** @param age the place of the rows' document among all, the oldest first; undefined where it never gets old */
  take(rows: readonly (readonly [RowTable, Row])[], stream: number, age: number | undefined): void {
    for (const kind of this.#kinds) {
      if (kind === "archive" && (age === undefined || age >= ARCHIVED)) continue;
      const batch = this.#lastBatch + (kind === "archive" ? 1 : 2);
      for (const [table, row] of rows) {
        const is = kind === "archive" ? "archive" : "delete";
        this.#write({ table, rows: [{ ...this.#stamp, is, row, stream }], alter: (content) => content }, batch);
        if (this.#told.has(`${kind} ${table.name}`)) continue;
        this.#told.add(`${kind} ${table.name}`);
        this.#tell({ kind, table: table.name, key: {}, batch, expected: AFTERMATH[kind].expected });
      }
    }
  }
}
