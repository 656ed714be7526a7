/**
 * A value that a column is compared with, by the column's type: long, integer, short and byte take a bigint or a whole
 * number; float and double a number; decimal a text such as "12.50", a bigint or a whole number; string a text; binary
 * its bytes; boolean true or false; date "2024-02-29" or days since the epoch as bigint; timestamp and timestamp_ntz
 * "2024-02-29 10:00:00.123456" (UTC unless an offset stands behind it) or microseconds since the epoch as bigint.
 */
export type Literal = bigint | number | string | boolean | Uint8Array;

/** A column by its path through structs, names as in the schema. */
export type ColumnPath = readonly string[];

export type Comparison = "=" | "<=>" | "<" | "<=" | ">" | ">=";

/**
 * A condition on a row, in SQL's three-valued logic: a comparison with NULL is neither true nor false, `<=>` always is
 * one of them. NaN equals itself and is greater than all numbers, and strings compare by their bytes, as in Spark.
 */
export type Condition =
  | {
      readonly kind: "compare";
      readonly column: ColumnPath;
      readonly operator: Comparison;
      readonly value: Literal | null;
    }
  | { readonly kind: "in"; readonly column: ColumnPath; readonly values: readonly (Literal | null)[] }
  | { readonly kind: "isNull"; readonly column: ColumnPath }
  | { readonly kind: "startsWith"; readonly column: ColumnPath; readonly prefix: string }
  | { readonly kind: "and" | "or"; readonly conditions: readonly Condition[] }
  | { readonly kind: "not"; readonly condition: Condition }
  /** Stands for a part that statistics tell nothing of: it may be true, false or NULL for any row. */
  | { readonly kind: "unknown" };
