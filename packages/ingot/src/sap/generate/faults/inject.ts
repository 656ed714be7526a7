import type { Delivered } from "../changes-in-format.js";
import { Random } from "../random.js";
import { keyText, type RowTable } from "../rows.js";
import type { Fault } from "./fault.js";
import type { FaultKind, FaultName } from "./kinds.js";

/** A row that is held for a later batch. */
interface Held {
  readonly row: Delivered;
  readonly batch: number;
  /** Where it is late: it must not come with another row of its key. */
  readonly fault?: Fault;
}

/** Puts faults into deliveries, batch by batch: the same for the same seed, kind by kind. */
export class Injector {
  readonly #kinds: readonly (readonly [FaultName, FaultKind, number])[];
  readonly #seed: string;
  readonly #lastBatch: number;
  readonly #tell: (fault: Fault) => void;
  readonly #held = new Map<RowTable, Held[]>();
  readonly #happened = new Set<FaultName>();

  constructor(
    kinds: readonly (readonly [FaultName, FaultKind, number])[],
    seed: string,
    lastBatch: number,
    tell: (fault: Fault) => void,
  ) {
    this.#kinds = kinds;
    this.#seed = seed;
    this.#lastBatch = lastBatch;
    this.#tell = tell;
  }

  /** Tables that a batch has rows for, though nothing of them changed. */
  waiting(batch: number): RowTable[] {
    return [...this.#held].filter(([, held]) => held.some((one) => one.batch <= batch)).map(([table]) => table);
  }

  /** The rows of a table in a batch as they are delivered. */
  inject(table: RowTable, batch: number, rows: readonly Delivered[]): Delivered[] {
    const newest = new Map(rows.map((row) => [keyText(table, row.row), row]));
    const [head, late] = this.#due(table, batch, newest);
    const delivered = rows.map((row): readonly Delivered[] => [row]);
    const order = rows.map((_, i) => i);
    const ends: Delivered[] = [];
    const taken = new Set<string>();
    for (const [i, [name, kind, rate]] of this.#kinds.entries()) {
      const random = new Random(`${this.#seed}/fault/${name}/${table.name}/${batch}`);
      // Even where few rows change, each kind happens.
      let isAwaited = !this.#happened.has(name) && batch > i % Math.max(1, Math.floor(this.#lastBatch / 2));
      for (const [place, row] of rows.entries()) {
        const key = keyText(table, row.row);
        const drawn = random.chance(rate);
        if (!(drawn || isAwaited) || taken.has(key) || row.is === "before") continue;
        if (kind.fits?.(row, table) === false) continue;
        const injury = kind.injure(row, table, random);
        const isHeld = injury.next !== undefined || injury.late !== undefined;
        if (isHeld && (batch === this.#lastBatch || newest.get(key) !== row)) continue;
        isAwaited = false;
        taken.add(key);
        delivered[place] = injury.now;
        if (injury.last !== undefined) ends.push(injury.last);
        if (injury.isMoved) swap(order, place, random.below(order.length));
        const fault = faultOf(name, kind, table, row, batch, injury.next !== undefined);
        if (injury.next !== undefined) this.#hold(table, { row: injury.next, batch: batch + 1 });
        if (injury.late !== undefined) {
          const comes = Math.min(this.#lastBatch, batch + random.between(1, 3));
          this.#hold(table, { row: injury.late, batch: comes, fault });
        } else this.#tell(fault);
        this.#happened.add(name);
      }
    }
    return [...head, ...order.flatMap((place) => delivered[place] ?? []), ...late, ...ends];
  }

  /** Delivers rows once more at the head of a later batch, as they were. */
  deliverAgain(table: RowTable, batch: number, rows: readonly Delivered[]): void {
    for (const row of rows) this.#hold(table, { row, batch });
  }

  /** Delivers rows once more at the head of a later batch, newer than they were. */
  repeat(table: RowTable, batch: number, rows: readonly Delivered[]): void {
    const newest = new Map(rows.filter(({ is }) => is !== "before").map((row) => [keyText(table, row.row), row]));
    for (const row of newest.values()) this.#hold(table, { row: { ...row, at: row.at + 1 }, batch });
  }

  /** What was held for this batch: rows to begin with, and late ones. */
  #due(table: RowTable, batch: number, present: ReadonlyMap<string, Delivered>): [Delivered[], Delivered[]] {
    const head: Delivered[] = [];
    const late: Delivered[] = [];
    const kept: Held[] = [];
    for (const held of this.#held.get(table) ?? []) {
      if (held.batch > batch || (held.fault !== undefined && present.has(keyText(table, held.row.row))))
        kept.push(held);
      else if (held.fault === undefined) head.push(held.row);
      else {
        late.push(held.row);
        this.#tell({ ...held.fault, batch });
      }
    }
    this.#held.set(table, kept);
    return [head, late];
  }

  #hold(table: RowTable, held: Held): void {
    const others = this.#held.get(table);
    if (others === undefined) this.#held.set(table, [held]);
    else others.push(held);
  }
}

function faultOf(
  kind: FaultName,
  { expected, reason }: FaultKind,
  table: RowTable,
  { row }: Delivered,
  batch: number,
  isRepaired: boolean,
): Fault {
  return {
    kind,
    table: table.name,
    key: Object.fromEntries(table.key.map((i) => [table.fields[i]?.name ?? "", row[i] ?? ""])),
    batch,
    expected,
    ...(reason === undefined ? {} : { reason }),
    ...(isRepaired ? { repaired: batch + 1 } : {}),
  };
}

function swap(places: number[], a: number, b: number): void {
  const [first, second] = [places[a], places[b]];
  if (first === undefined || second === undefined) return;
  places[a] = second;
  places[b] = first;
}
