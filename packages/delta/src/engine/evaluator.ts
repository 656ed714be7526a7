import type { StructType } from "../schema/schema.js";

/**
 * Puts the Spark SQL expressions of a table (CHECK constraints, generated and default columns) into what an engine
 * understands. Without one, writing rows to a table that has such expressions is refused.
 */
export interface Evaluator<Expression> {
  /**
   * @param sql an expression over the columns of the schema
   * @throws any error that tells why the expression cannot be evaluated exactly as Spark would
   */
  compile(sql: string, schema: StructType): Expression;
}
