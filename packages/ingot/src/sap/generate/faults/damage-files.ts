import type { Delivered } from "../changes-in-format.js";
import { Random } from "../random.js";
import type { RowTable } from "../rows.js";
import type { Fault } from "./fault.js";
import { FILE_FAULTS, type FileContent, type FileFaultKind, type FileFaultName } from "./file-kinds.js";
import type { Injector } from "./inject.js";

/** Of 24 batches one is delivered once more. */
export const REDELIVERED = { rate: 1 / 24, does: "a whole batch once more, with the next one", expected: "no effect" };

/** One batch is the answer whose token was lost: the reader asks once more, and gets what has come since with it. */
export const LOST_TOKEN = {
  rate: 1,
  does: "the rows of one batch once more at the head of the next one, as after a crash before the token was kept",
  expected: "nothing is lost, nothing counts twice",
};

/** Chooses the files that are wrong as a whole. */
export class FileDamage {
  readonly #kinds: readonly FileFaultName[];
  readonly #injector: Injector;
  readonly #lastBatch: number;
  readonly #tell: (fault: Fault) => void;
  /** Kinds that happened, with the table where they go on. */
  readonly #happened = new Map<FileFaultName, RowTable>();

  constructor(kinds: readonly FileFaultName[], injector: Injector, lastBatch: number, tell: (fault: Fault) => void) {
    this.#kinds = kinds;
    this.#injector = injector;
    this.#lastBatch = lastBatch;
    this.#tell = tell;
  }

  /** What becomes of a file. @param rows as they are delivered */
  damage(table: RowTable, batch: number, rows: readonly Delivered[]): (content: FileContent) => FileContent {
    const lasting = [...this.#happened].filter(
      ([name, where]) => where === table && (FILE_FAULTS[name] as FileFaultKind).lasts,
    );
    let alter = (content: FileContent) =>
      lasting.reduce((altered, [name]) => FILE_FAULTS[name].alter(altered, table), content);
    const name = this.#kinds.find((one) => this.#isDue(one, table, batch, rows));
    if (name === undefined) return alter;
    const kind: FileFaultKind = FILE_FAULTS[name];
    this.#happened.set(name, table);
    const repaired = kind.isRepaired ? { repaired: batch + 1 } : {};
    this.#tell({ kind: name, table: table.name, key: {}, batch, expected: kind.expected, ...repaired });
    if (kind.isRepaired) this.#injector.repeat(table, batch + 1, rows);
    const others = alter;
    alter = (content) => kind.alter(others(content), table);
    return alter;
  }

  #isDue(name: FileFaultName, table: RowTable, batch: number, rows: readonly Delivered[]): boolean {
    const kind: FileFaultKind = FILE_FAULTS[name];
    const isInTime = batch > 1 && batch < this.#lastBatch && rows.length > 0;
    return isInTime && !this.#happened.has(name) && kind.fits?.(table) !== false;
  }
}

/** Whether the rows of this batch are delivered once more at the head of the next one. */
export function isTokenLost(batch: number, batches: number, rate: number): boolean {
  return rate > 0 && batches > 1 && batch === Math.floor(batches / 2);
}

/** Whether the batch before this one is delivered once more with it. */
export function isRedelivery(seed: string, batch: number, rate: number): boolean {
  return batch > 1 && new Random(`${seed}/fault/redelivered/${batch}`).chance(rate);
}
