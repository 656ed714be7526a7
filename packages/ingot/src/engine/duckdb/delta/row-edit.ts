import type { Condition, Evaluator, StructType } from "@ingot/delta";
import type { SourceRows } from "./edit-source.js";
import type { RowPlaces } from "./find-places.js";

/** What is done with a row: SQL of DuckDB over the target's columns, alias `t`, and the source's, alias `s`. */
export type RowAction =
  | { readonly kind: "delete" }
  /** `UPDATE SET`: by column of the table; "*" sets all columns to the source's of the same name. */
  | { readonly kind: "update"; readonly set: "*" | Readonly<Record<string, string>> };

/** `WHEN MATCHED [AND condition] THEN …`; of several clauses the first whose condition is true is taken. */
export type RowClause = RowAction & { readonly condition?: string };

/** `WHEN NOT MATCHED [AND condition] THEN INSERT …`: over `s` alone; columns that are not named get their default. */
export interface InsertClause {
  readonly values: "*" | Readonly<Record<string, string>>;
  readonly condition?: string;
}

/** A change of single rows. All clauses see the table as it was before. */
export interface RowEdit {
  /** As the table's history shows it. */
  readonly operation: "DELETE" | "UPDATE" | "MERGE" | "WRITE";
  readonly operationParameters: Readonly<Record<string, string>>;
  readonly source?: SourceRows;
  /**
   * How rows of source and target belong together: by columns of the same names that are equal, and by a condition.
   * Neither: no row of the source belongs to one of the target.
   */
  readonly keys: readonly string[];
  readonly on?: string;
  /** See `Merge`. */
  readonly places?: RowPlaces;
  readonly matched: readonly RowClause[];
  readonly notMatched: readonly InsertClause[];
  /** Conditions and values over `t` alone. */
  readonly notMatchedBySource: readonly RowClause[];
  /** A condition over `t` that every new row must make true. */
  readonly newRowsWhere?: string;
  /** What holds for every row that `notMatchedBySource` touches: files that it rules out are not read. */
  readonly pruneBy?: Condition;
  /** The schema of the source's rows, where the table takes over its new columns and wider types. */
  readonly rowSchema?: StructType;
  /** Reads the table's rules that are in Spark's SQL; without one a table that has any takes no new rows. */
  readonly evaluator?: Evaluator<string>;
}

/** The clauses that touch rows of the target, in the order of their numbers. */
export function touchingClauses({ matched, notMatchedBySource }: RowEdit): readonly RowClause[] {
  return [...matched, ...notMatchedBySource];
}

export function makesRows(edit: RowEdit): boolean {
  return edit.notMatched.length > 0 || touchingClauses(edit).some(({ kind }) => kind === "update");
}

export function isEvolving({ rowSchema }: RowEdit): boolean {
  return rowSchema !== undefined;
}

export function isUpdate(clause: RowClause | undefined): boolean {
  return clause?.kind === "update";
}
