import type { DuckDBConnection } from "@duckdb/node-api";
import type { Condition, RowChange } from "@ingot/delta";
import { DuckdbRowChange } from "./duckdb-row-change.js";

/** Rows of the table, by a condition over its columns in DuckDB's SQL, alias `t`. */
export interface RowsWhere {
  /** Undefined: all rows. */
  readonly where?: string;
  /** What holds for every such row: files whose statistics rule it out are not read. */
  readonly pruneBy?: Condition;
}

/** `DELETE FROM t WHERE …`: rows for which the condition is true. */
export function deleteRows(connection: DuckDBConnection, { where = "true", pruneBy }: RowsWhere = {}): RowChange {
  return new DuckdbRowChange(connection, {
    operation: "DELETE",
    operationParameters: { predicate: JSON.stringify(where === "true" ? [] : [where]) },
    keys: [],
    matched: [],
    notMatched: [],
    notMatchedBySource: [{ kind: "delete", condition: where }],
    ...(pruneBy === undefined ? {} : { pruneBy }),
  });
}
