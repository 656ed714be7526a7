import type { TransactOptions } from "../commit/transact.js";
import type { StructType } from "../schema/schema.js";
import type { RowEvaluator } from "./prepare-rows.js";

export interface WriteOptions extends TransactOptions {
  /** For tables with CHECK constraints, generated or default columns; without it new rows for these are refused. */
  readonly evaluator?: RowEvaluator;
}

export interface EvolvingWriteOptions extends WriteOptions {
  /**
   * The schema of the rows, where the table is to follow it: columns that it lacks are added, nullable, and types
   * become wider where `delta.enableTypeWidening` is on, in the same commit. Columns that the rows lack stay, and are
   * NULL there. `mergeSchema` and `WITH SCHEMA EVOLUTION` in Spark. Without it rows with other columns are refused.
   */
  readonly mergeSchema?: StructType;
}
