import type { ColumnRoom } from "../../model/query.js";
import type { ScopeColumn } from "./bind-scope.js";
import type { BoundField } from "./bound.js";
import type { Origins } from "./origins.js";

/** Rows that an expression can read: DuckDB's text after FROM, and the columns in sight. */
export interface BoundFrom {
  readonly sql: string;
  readonly columns: readonly ScopeColumn[];
  /** Columns that decide which rows there are. */
  readonly influences: Origins;
  readonly volatile: boolean;
  /** Each row of one relation once. */
  readonly plain: boolean;
  /** The relation that this is, and its name in `sql`; absent for what is made of relations. */
  readonly relation?: Pick<ColumnRoom, "relation" | "alias">;
}

/** A query as a source of rows, its columns called `c0`, `c1`, …. */
export interface Source {
  readonly sql: string;
  readonly columns: readonly BoundField[];
  readonly influences: Origins;
  readonly volatile: boolean;
  readonly plain: boolean;
}
