/** Fields of a row, by their names. */
export type Fields = Readonly<Record<string, string>>;

/** Rows of one entity, by table. */
export type EntityRows = ReadonlyMap<string, readonly Fields[]>;

/** Facts that a pipeline should find, by plain loops over the rows of the truth. */
export interface FactTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The fields that it reads, by table: without one of the tables it is not made. */
  readonly reads: Readonly<Record<string, string>>;
  /** Facts of one entity. */
  readonly of?: (rows: EntityRows) => readonly (readonly string[])[];
  /** Facts of all entities together. */
  readonly sum?: () => { take(rows: EntityRows): void; facts(): readonly (readonly string[])[] };
}

/** A decimal text in its smallest units: `-1.50` is −150. */
export function units(text: string | undefined): number {
  return Number((text ?? "").replace(".", ""));
}
