import type { DuckDBConnection } from "@duckdb/node-api";
import {
  changeRows,
  type Evaluator,
  type OptimizeOptions,
  optimize,
  type RowChange,
  type RowChangeResult,
  type Store,
  type TransactOptions,
} from "@ingot/delta";
import { deleteRows, type RowsWhere } from "./delete-rows.js";
import type { SourceRows } from "./edit-source.js";
import { type InsertOptions, insertRows } from "./insert-rows.js";
import { type Merge, mergeRows } from "./merge-rows.js";
import { type Replacement, replaceWhere } from "./replace-where.js";
import { rewriteFiles } from "./rewrite-files.js";
import { type Update, updateRows } from "./update-rows.js";

/**
 * A Delta table that DuckDB reads and writes. SQL is DuckDB's. Each call is one commit, or none where there is nothing
 * to do; a failure leaves the table as it was. One connection serves one call at a time.
 */
export interface DuckdbTable {
  append(source: SourceRows, options?: InsertOptions): Promise<RowChangeResult>;
  /** All rows go, the source's come. */
  overwrite(source: SourceRows, options?: InsertOptions): Promise<RowChangeResult>;
  replaceWhere(replacement: Omit<Replacement, "evaluator">, options?: TransactOptions): Promise<RowChangeResult>;
  delete(rows?: RowsWhere, options?: TransactOptions): Promise<RowChangeResult>;
  update(update: Omit<Update, "evaluator">, options?: TransactOptions): Promise<RowChangeResult>;
  merge(merge: Omit<Merge, "evaluator">, options?: TransactOptions): Promise<RowChangeResult>;
  optimize(options?: OptimizeOptions): ReturnType<typeof optimize>;
}

/** @param evaluator reads the table's rules that are in Spark's SQL; without one tables that have any take no new rows */
export function duckdbTable(
  connection: DuckDBConnection,
  store: Store,
  location: string,
  evaluator?: Evaluator<string>,
): DuckdbTable {
  const rules = evaluator === undefined ? {} : { evaluator };
  const run = (change: RowChange, options?: TransactOptions) => changeRows(store, location, change, options);
  return {
    append: (source, options) => insertRows(connection, store, location, source, "Append", evaluator, options),
    overwrite: (source, options) => insertRows(connection, store, location, source, "Overwrite", evaluator, options),
    replaceWhere: (given, options) => run(replaceWhere(connection, { ...given, ...rules }), options),
    delete: (rows, options) => run(deleteRows(connection, rows), options),
    update: (update, options) => run(updateRows(connection, { ...update, ...rules }), options),
    merge: (merge, options) => run(mergeRows(connection, { ...merge, ...rules }), options),
    optimize: (options) => optimize(store, location, rewriteFiles(connection), options),
  };
}
