import type { Evaluator } from "@ingot/delta";
import { compileExpression } from "../../../sql/compile-expression.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";

/**
 * CHECK constraints, generated and default columns by the product's translator from Spark's SQL, as text of DuckDB over
 * the columns' quoted names. What has no exact translation is refused with the function or clause. The connection that
 * runs the text must know the host functions and be set up with `SESSION_SETUP`, as those of `DuckdbSession` are.
 */
export const sparkEvaluator: Evaluator<string> = {
  compile: (sql, schema) => compileExpression(sql, fromDeltaSchema(schema), "the table's expression").duckdb,
};
