import type { TransactOptions } from "../commit/transact.js";
import type { RowEvaluator } from "./prepare-rows.js";

export interface WriteOptions extends TransactOptions {
  /** For tables with CHECK constraints, generated or default columns; without it new rows for these are refused. */
  readonly evaluator?: RowEvaluator;
}
