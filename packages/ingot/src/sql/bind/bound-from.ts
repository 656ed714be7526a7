import type { Field } from "../../model/data-type.js";
import type { ScopeColumn } from "./bind-scope.js";

/** Rows that an expression can read: DuckDB's text after FROM, and the columns in sight. */
export interface BoundFrom {
  readonly sql: string;
  readonly columns: readonly ScopeColumn[];
  readonly volatile: boolean;
  /** Each row of one relation once. */
  readonly plain: boolean;
}

/** A query as a source of rows, its columns called `c0`, `c1`, …. */
export interface Source {
  readonly sql: string;
  readonly columns: readonly Field[];
  readonly volatile: boolean;
  readonly plain: boolean;
}
