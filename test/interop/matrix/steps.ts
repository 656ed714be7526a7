import type { FileRewriter } from "@ingot/delta";
import type { Relation, Value } from "../relation.js";

/** How a table begins. */
export interface TableSpec {
  /** Spark's DDL: ``id BIGINT NOT NULL, `a b` STRING``. */
  readonly columns: string;
  readonly partitionedBy?: readonly string[];
  readonly properties?: Readonly<Record<string, string>>;
  readonly clusteredBy?: readonly string[];
  /** Expressions of generated columns, by column. */
  readonly generated?: Readonly<Record<string, string>>;
  /** Default expressions, by column. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/** Rows whose column has one of these values; NULL is a value like others. */
export interface Predicate {
  readonly column: string;
  readonly in: readonly Value[];
}

type Rows = Relation["rows"];

/** What changes rows, in words that the plain model and every writer understand. */
export type RowStep =
  /** `columns`: those that the rows state; the others get their defaults. */
  | { readonly kind: "append"; readonly rows: Rows; readonly columns?: readonly string[] }
  | { readonly kind: "overwrite"; readonly rows: Rows; readonly where?: Predicate }
  | { readonly kind: "delete"; readonly where: Predicate }
  | { readonly kind: "update"; readonly set: Readonly<Record<string, Value>>; readonly where: Predicate }
  /** Rows of these keys are updated, or inserted; those of the keys in `remove` are deleted. */
  | { readonly kind: "merge"; readonly on: readonly string[]; readonly rows: Rows; readonly remove?: Rows };

/** What is done to a table as a whole. */
export interface TableStep {
  readonly kind: "table";
  run(place: Place): Promise<unknown>;
  /** What becomes of columns and rows; undefined: nothing. */
  readonly effect?: (state: ModelState) => Partial<Pick<ModelState, "columns" | "rows">>;
  /** Versions that it commits; default 1. */
  readonly commits?: number;
}

export type Step = RowStep | TableStep;

/** A table at work; a step may move it (a clone is another table). */
export interface Place {
  location: string;
  readonly rewriter: FileRewriter;
}

export interface ModelState {
  readonly columns: readonly string[];
  readonly rows: Rows;
  /** The rows of each version. */
  readonly versions: readonly Rows[];
}
