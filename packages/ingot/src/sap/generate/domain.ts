import type { Random } from "./random.js";

/** A point of the logical clock: a transaction has one, and all rows that it writes. */
export interface Moment {
  /** Since 1970-01-01. */
  readonly day: number;
  /** Of the day. */
  readonly second: number;
}

/** Takes a row of an entity, in parts; fields that are left out are initial, the client is known. */
export type Emit = (table: string, ...values: readonly FieldValues[]) => void;

export type FieldValues = Readonly<Record<string, string>>;

/** One thing with all its rows: an order with its items, deliveries and invoices; a material with its texts. */
export interface Entity {
  /** Lets one transaction happen to it. */
  change(moment: Moment, random: Random): void;
  /** All rows as they stand, consistent among themselves. What a transaction writes is the difference. */
  rows(emit: Emit): void;
}

/**
 * The entities of one kind in one client. Each is a function of the seed, its number and the transactions that happened
 * to it, so that none needs another, and none has to be remembered.
 */
export interface Domain {
  /** Part of the seeds. */
  readonly name: string;
  /** How many are there at the start. */
  readonly count: number;
  /** Changed rows in a day; 0: nothing ever changes. */
  readonly changesPerDay: number;
  /** Of a hundred transactions, those that make a new entity. */
  readonly creations: number;
  /** Whether young entities change most; else all alike. */
  readonly ages: boolean;
  /** An entity as it stands at the start. @param number below `count` */
  existing(number: number): Entity;
  /** A new entity. @param number from `count` on */
  created(number: number, moment: Moment, random: Random): Entity;
}
