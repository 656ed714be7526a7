import type { DuckDBConnection } from "@duckdb/node-api";
import type { Evaluator, RowChange } from "@ingot/delta";
import type { RowsWhere } from "./delete-rows.js";
import { DuckdbRowChange } from "./duckdb-row-change.js";

export interface Update extends RowsWhere {
  /** New values by column: SQL over the old row, alias `t`. */
  readonly set: Readonly<Record<string, string>>;
  readonly evaluator?: Evaluator<string>;
}

/** `UPDATE t SET … WHERE …`: all values are those of before the update. */
export function updateRows(connection: DuckDBConnection, update: Update): RowChange {
  const { set, where = "true", pruneBy, evaluator } = update;
  return new DuckdbRowChange(connection, {
    operation: "UPDATE",
    operationParameters: { predicate: JSON.stringify(where === "true" ? [] : [where]) },
    keys: [],
    matched: [],
    notMatched: [],
    notMatchedBySource: [{ kind: "update", set, condition: where }],
    ...(pruneBy === undefined ? {} : { pruneBy }),
    ...(evaluator === undefined ? {} : { evaluator }),
  });
}
