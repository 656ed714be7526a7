import type { Field } from "./data-type.js";

/** What can become of the columns of a source. */
export type DriftKind = "added" | "removed" | "renamed" | "widened" | "narrowed" | "retyped" | "keyChanged";

/**
 * What a dataset does about it: nothing; nothing, and tell; take it over and go on; hold the batch, whose rows wait in the
 * source; or stop. A column that was added is out of `*` until it is taken over, one that was removed is NULL.
 */
export type DriftAction = "ignore" | "notify" | "add" | "quarantine" | "stop";

/** A column as a contract holds it. */
export type ContractColumn = Pick<Field, "name" | "type">;

/** A difference of one column of a source to the contract. */
export interface DriftChange {
  /** Complete name of the source. */
  readonly source: string;
  readonly kind: DriftKind;
  /** Of a key that changed: {@link KEY}. */
  readonly column: string;
  /** Types as `formatType` writes them, or the columns of a key; absent on the side where there is no such column. */
  readonly from?: string;
  readonly to?: string;
  /** Of `renamed`: the name that it has now, which is a guess, and how sure it is, 0 to 1. */
  readonly into?: string;
  readonly confidence?: number;
}

/** Stands for the key of a source in place of a column's name. */
export const KEY = "(key)";

/** What a dataset has taken over of its sources' columns, and who decided about the rest. */
export interface Contract {
  /** By the complete name of each source: its columns as they were last accepted. */
  readonly sources: Readonly<Record<string, readonly ContractColumn[]>>;
  /** The key of each source that has one. */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  /** Changes that a run has told. */
  readonly told: readonly DriftChange[];
  /** In the order in which they were made. */
  readonly decisions: readonly DriftDecision[];
}

export interface DriftDecision extends DriftChange {
  readonly decision: "accepted" | "rejected";
  /** Absent where the dataset's action decided. */
  readonly reason?: string;
  readonly user?: string;
  /** UTC, ISO 8601. */
  readonly at: string;
}

export const NO_CONTRACT: Contract = { sources: {}, told: [], decisions: [] };

export function sameChange(a: DriftChange, b: DriftChange): boolean {
  const fields = ["source", "kind", "column", "from", "to", "into"] as const;
  return fields.every((field) => a[field] === b[field]);
}
