import type { DuckDBConnection } from "@duckdb/node-api";
import type { Condition, Evaluator, RowChange, StructType } from "@ingot/delta";
import { DuckdbRowChange } from "./duckdb-row-change.js";
import type { SourceRows } from "./edit-source.js";
import type { RowPlaces } from "./find-places.js";
import type { InsertClause, RowAction, RowClause } from "./row-edit.js";

/** `MERGE INTO t USING s ON …` in DuckDB's SQL: the target's columns have the alias `t`, the source's the alias `s`. */
export interface Merge {
  readonly source: SourceRows;
  /**
   * Columns of the same names that are equal. Only files that may hold one of the source's keys are read, and two rows
   * of the source for one key are refused, also where they would be inserted.
   */
  readonly keys?: readonly string[];
  /** A condition beside the keys or in their place; then rows of the source may share a key. */
  readonly on?: string;
  /**
   * All rows of the source's keys, found before: on the version that they are of nothing is searched again. Then the
   * clauses' conditions are over the source's columns.
   */
  readonly places?: RowPlaces;
  readonly matched?: readonly RowClause[];
  readonly notMatched?: readonly InsertClause[];
  /** Conditions and values over `t` alone. With one of these every file is read that `pruneBy` does not rule out. */
  readonly notMatchedBySource?: readonly RowClause[];
  readonly pruneBy?: Condition;
  /**
   * `WITH SCHEMA EVOLUTION`: the schema of the source's rows, whose new columns and wider types the table takes over;
   * "*" then means the columns that the source has.
   */
  readonly mergeSchema?: StructType;
  readonly evaluator?: Evaluator<string>;
}

/**
 * `MERGE` with Spark's meaning: of the clauses of a kind the first whose condition is true is taken, and a row of the
 * target that several rows of the source match is refused, except by one unconditional delete.
 */
export function mergeRows(connection: DuckDBConnection, merge: Merge): RowChange {
  const { source, keys = [], on, matched = [], notMatched = [], notMatchedBySource = [] } = merge;
  const { places, pruneBy, mergeSchema, evaluator } = merge;
  const condition = [...keys.map((key) => `t.${key} = s.${key}`), ...(on === undefined ? [] : [on])].join(" AND ");
  return new DuckdbRowChange(connection, {
    operation: "MERGE",
    operationParameters: {
      predicate: JSON.stringify([condition]),
      matchedPredicates: predicates(matched),
      notMatchedPredicates: predicates(notMatched.map((clause) => ({ ...clause, kind: "insert" }))),
      notMatchedBySourcePredicates: predicates(notMatchedBySource),
    },
    source,
    keys,
    matched,
    notMatched,
    notMatchedBySource,
    ...(on === undefined ? {} : { on }),
    ...(places === undefined ? {} : { places }),
    ...(pruneBy === undefined ? {} : { pruneBy }),
    ...(mergeSchema === undefined ? {} : { rowSchema: mergeSchema }),
    ...(evaluator === undefined ? {} : { evaluator }),
  });
}

/** As Spark's history shows clauses. */
function predicates(
  clauses: readonly { readonly kind: RowAction["kind"] | "insert"; readonly condition?: string }[],
): string {
  return JSON.stringify(
    clauses.map(({ kind, condition }) => ({
      ...(condition === undefined ? {} : { predicate: condition }),
      actionType: kind,
    })),
  );
}
