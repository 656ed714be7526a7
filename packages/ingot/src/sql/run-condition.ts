import { CATALOGUE, type ErrorCode } from "../model/error-catalogue.js";
import { REASONS } from "../sap/decoders/reasons.js";

/** DuckDB's own words where a lowered query leaves the error to it; the first that fits. */
const WORDS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/Could not cast value .* to DECIMAL|Casting value .* to type DECIMAL/, "NUMERIC_VALUE_OUT_OF_RANGE"],
  [/Overflow in .* of DECIMAL/, "NUMERIC_VALUE_OUT_OF_RANGE"],
  // Sums of whole numbers are HUGEINT until they are cast to BIGINT.
  [/Type (INT128|HUGEINT) with value .* out of range/, "ARITHMETIC_OVERFLOW"],
  [/with value .* out of range for the destination type|Failed to cast decimal value/, "CAST_OVERFLOW"],
  [/Overflow in .* of INT(8|16) /, "BINARY_ARITHMETIC_OVERFLOW"],
  [/Overflow (in|on) /, "ARITHMETIC_OVERFLOW"],
  // A text keeps such bytes in Spark; DuckDB has no such texts.
  [/could not convert blob to UTF8 string/, "NOT_SUPPORTED"],
  [/(Date|Timestamp\w*|microseconds) out of range/, "NOT_SUPPORTED"],
  [/More than one row returned by a subquery/, "SCALAR_SUBQUERY_TOO_MANY_ROWS"],
];

/**
 * Spark's condition for an error that DuckDB raised while it ran a lowered query: the one in brackets that the query
 * itself raised, else what DuckDB's words mean. Undefined for errors that no value of the input causes.
 */
export function conditionOf(message: string): ErrorCode | undefined {
  // A decoder's own condition, which Spark carries in the text of what `raise_error` raised.
  const reason = /\[USER_RAISED_EXCEPTION\] \[([A-Z_]+)\]/.exec(message)?.[1];
  const known = REASONS.find((name) => name === reason);
  if (known !== undefined) return known;
  const raised = /\[([A-Z_]+)(?:\.[A-Z_]+)?\]/.exec(message)?.[1];
  if (raised !== undefined && Object.hasOwn(CATALOGUE, raised)) return raised as ErrorCode;
  return WORDS.find(([words]) => words.test(message))?.[1];
}
