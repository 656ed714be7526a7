import type { DuckDBConnection } from "@duckdb/node-api";
import type { Evaluator, RowChange } from "@ingot/delta";
import type { RowsWhere } from "./delete-rows.js";
import { DuckdbRowChange } from "./duckdb-row-change.js";
import type { SourceRows } from "./edit-source.js";

export interface Replacement extends RowsWhere {
  readonly where: string;
  readonly source: SourceRows;
  readonly evaluator?: Evaluator<string>;
}

/**
 * Overwrite by predicate, Spark's `replaceWhere`: the rows for which the condition is true go, the source's come. A row
 * of the source for which it is not true is refused with DELTA_REPLACE_WHERE_MISMATCH.
 */
export function replaceWhere(connection: DuckDBConnection, replacement: Replacement): RowChange {
  const { where, source, pruneBy, evaluator } = replacement;
  return new DuckdbRowChange(connection, {
    operation: "WRITE",
    operationParameters: { mode: "Overwrite", predicate: where },
    source,
    keys: [],
    matched: [],
    notMatched: [{ values: "*" }],
    notMatchedBySource: [{ kind: "delete", condition: where }],
    newRowsWhere: where,
    ...(pruneBy === undefined ? {} : { pruneBy }),
    ...(evaluator === undefined ? {} : { evaluator }),
  });
}
