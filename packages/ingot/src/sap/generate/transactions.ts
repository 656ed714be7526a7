import type { Domain, Emit, Entity } from "./domain.js";
import type { Random } from "./random.js";
import { keyText, type Row, type RowTable, type RowTables } from "./rows.js";
import { type Batch, momentAt } from "./timeline.js";
import { randomOf, type World } from "./world.js";

/** What one transaction did to one row. */
export type RowChange = { readonly table: RowTable } & (
  | { readonly is: "insert"; readonly after: Row }
  | { readonly is: "update"; readonly before: Row; readonly after: Row }
  | { readonly is: "delete"; readonly before: Row }
);

/** One unit of work: all its rows have one moment. */
export interface Transaction {
  /** Microseconds since the start. */
  readonly at: number;
  /** Tells transactions of one moment apart. */
  readonly stream: number;
  readonly changes: readonly RowChange[];
}

/** Rows that a transaction changes in the mean, which says how many transactions make the wanted volume. */
const ROWS_OF_A_TRANSACTION = 5;

/**
 * The entities of one domain in one client, and all that happens to them. An entity is made anew whenever it is needed,
 * from its number and the transactions that happened to it: only their numbers are remembered.
 */
export class Stream {
  /** Transactions of the entities that were touched. */
  readonly #touched = new Map<number, Touch[]>();
  readonly #recent: number[] = [];
  #count: number;
  #transactions = 0;
  /** The part of a transaction that earlier batches left over. */
  #rest = 0;

  readonly world: World;
  readonly domain: Domain;
  readonly number: number;
  readonly #tables: RowTables;

  constructor(world: World, domain: Domain, number: number, tables: RowTables) {
    this.world = world;
    this.domain = domain;
    this.number = number;
    this.#tables = tables;
    this.#count = domain.count;
  }

  /** The rows of all entities, as they stand at the start (`initial`) or now. */
  *rows(when: "initial" | "now"): Generator<readonly (readonly [RowTable, Row])[]> {
    const count = when === "initial" ? this.domain.count : this.#count;
    for (let i = 0; i < count; i++) {
      const rows: Written[] = [];
      this.#emitted(when === "initial" ? this.domain.existing(i) : this.#entity(i), (row) => rows.push(row));
      yield rows;
    }
  }

  /** The transactions of a batch, in their order. @param share of a day's changes */
  *batch({ from, to }: Batch, share: number): Generator<Transaction> {
    const wanted = this.#rest + (this.domain.changesPerDay * share) / ROWS_OF_A_TRANSACTION;
    const count = Math.floor(wanted);
    this.#rest = wanted - count;
    for (let i = 0; i < count; i++) {
      const at = from + Math.floor(((2 * i + 1) * (to - from)) / (2 * count));
      const changes = this.#transact(at);
      if (changes.length > 0) yield { at, stream: this.number, changes };
    }
  }

  #transact(at: number): RowChange[] {
    const transaction = this.#transactions++;
    const random = this.#random(transaction);
    const isNew = random.below(100) < this.domain.creations;
    const number = isNew ? this.#count++ : this.#pick(random);
    this.#recent[transaction % RECENT] = number;
    const touch = { at, transaction };
    const entity = isNew ? this.#created(number, touch) : this.#entity(number);
    const before = isNew ? new Map<string, Written>() : this.#rowsOf(entity);
    if (!isNew) this.#change(entity, touch);
    const touches = this.#touched.get(number);
    if (touches === undefined) this.#touched.set(number, [touch]);
    else touches.push(touch);
    return difference(before, this.#rowsOf(entity));
  }

  /** An entity as it stands now. */
  #entity(number: number): Entity {
    const touches = this.#touched.get(number) ?? [];
    const [first, ...others] = touches;
    const isNew = number >= this.domain.count && first !== undefined;
    const entity = isNew ? this.#created(number, first) : this.domain.existing(number);
    for (const touch of isNew ? others : touches) this.#change(entity, touch);
    return entity;
  }

  #created(number: number, { at, transaction }: Touch): Entity {
    return this.domain.created(number, momentAt(this.world.start, at), this.#random(`${transaction}/does`));
  }

  #change(entity: Entity, { at, transaction }: Touch): void {
    entity.change(momentAt(this.world.start, at), this.#random(`${transaction}/does`));
  }

  #random(transaction: number | string): Random {
    return randomOf(this.world, `${this.domain.name}-transaction`, transaction);
  }

  #rowsOf(entity: Entity): Map<string, Written> {
    const rows = new Map<string, Written>();
    this.#emitted(entity, (written) => rows.set(`${written[0].name}\u0000${keyText(...written)}`, written));
    return rows;
  }

  #emitted(entity: Entity, take: (written: Written) => void): void {
    const { client } = this.world;
    const emit: Emit = (name, ...values) => {
      const table = this.#tables.get(name);
      if (table !== undefined) take([table, table.make(client, values)]);
    };
    entity.rows(emit);
  }

  /**
   * Which entity a transaction changes: one of a few hot ones, one of those that were just changed, or one by age: 70 of
   * 100 within a week, 20 within a month, 8 within half a year.
   */
  #pick(random: Random): number {
    const drawn = random.below(100);
    const recent = this.#recent[random.below(RECENT)];
    if (drawn < 5) return random.below(Math.max(1, Math.ceil(this.#count / 500)));
    if (drawn < 20 && recent !== undefined) return recent;
    if (!this.domain.ages) return random.below(this.#count);
    const days = random.weighted([
      [70, 7],
      [20, 30],
      [8, 180],
      [2, Number.POSITIVE_INFINITY],
    ]);
    const perDay = this.domain.count / this.world.volumes.history;
    const young = Math.min(this.#count, Math.max(FEWEST, Math.ceil(perDay * days) + this.#count - this.domain.count));
    return this.#count - 1 - random.below(young);
  }
}

/** A transaction that an entity had. */
interface Touch {
  readonly at: number;
  readonly transaction: number;
}

type Written = readonly [RowTable, Row];

/** How many of the last transactions may change the same entity once more. */
const RECENT = 64;
/** Young entities that share the changes, where a week has fewer. */
const FEWEST = 8;

function difference(before: ReadonlyMap<string, Written>, after: ReadonlyMap<string, Written>): RowChange[] {
  const changes: RowChange[] = [];
  for (const [key, [table, row]] of before) {
    const now = after.get(key)?.[1];
    if (now === undefined) changes.push({ table, is: "delete", before: row });
    else if (row.some((value, i) => value !== now[i])) changes.push({ table, is: "update", before: row, after: now });
  }
  for (const [key, [table, row]] of after) if (!before.has(key)) changes.push({ table, is: "insert", after: row });
  return changes;
}
