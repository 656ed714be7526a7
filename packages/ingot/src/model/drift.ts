import type { Field } from "./data-type.js";

/** What can become of the columns of a source. */
export const DRIFT_KINDS = ["added", "removed", "widened", "narrowed", "retyped"] as const;
export type DriftKind = (typeof DRIFT_KINDS)[number];

/**
 * What a dataset does about it: nothing; nothing, and tell; take it over and go on; or stop. A column that was added is
 * out of `*` until it is taken over, one that was removed is NULL.
 */
export type DriftAction = "ignore" | "notify" | "add" | "stop";

/** A column as a contract holds it. */
export type ContractColumn = Pick<Field, "name" | "type">;

/** A difference of one column of a source to the contract. */
export interface DriftChange {
  /** Complete name of the source. */
  readonly source: string;
  readonly kind: DriftKind;
  readonly column: string;
  /** Types as `formatType` writes them; absent on the side where there is no such column. */
  readonly from?: string;
  readonly to?: string;
}

/** What a dataset has taken over of its sources' columns, and who decided about the rest. */
export interface Contract {
  /** By the complete name of each source: its columns as they were last accepted. */
  readonly sources: Readonly<Record<string, readonly ContractColumn[]>>;
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
  return a.source === b.source && a.kind === b.kind && a.column === b.column && a.from === b.from && a.to === b.to;
}
