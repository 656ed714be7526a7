import type { DecimalType } from "../../model/data-type.js";
import { callHost } from "../functions/host/host-function.js";
import { LONG_DECIMAL } from "../functions/host/long-decimal.js";
import { NEGATE_DECIMAL } from "../functions/host/number.js";
import { type Operand, once } from "./lower-once.js";
import { castTo, duckdbType, quoteText, raiseOutOfRange } from "./lower-text.js";

/** Spark loses digits of a number that has more than 34. */
export function negateDecimal(operand: Operand, type: DecimalType): string {
  // DuckDB gives the NULL of a constant another type.
  if (type.precision <= 34) return castTo(`(- ${operand.sql})`, type);
  const error = castTo(raiseOutOfRange(type), type);
  return once([operand], ({ sql }) => {
    const exact = `TRY_CAST(${callHost(NEGATE_DECIMAL, castTo(sql, { kind: "string" }))} AS ${duckdbType(type)})`;
    const isShort = `abs(${sql}) < CAST('1E${34 - type.scale}' AS DOUBLE)`;
    return `CASE WHEN ${sql} IS NULL OR ${isShort} THEN ${castTo(`(- ${sql})`, type)} ELSE coalesce(${exact}, ${error}) END`;
  });
}

type Operator = "+" | "-" | "*" | "/";

/** A sum, difference, product or quotient of decimals that has more digits than its type: half up, in JavaScript. */
export function longDecimal(op: Operator, a: Operand, b: Operand, type: DecimalType): string {
  const error = castTo(raiseOutOfRange(type), type);
  return once(
    [a, b],
    (x, y) =>
      `CASE WHEN ${x.sql} IS NOT NULL AND ${y.sql} IS NOT NULL THEN coalesce(${tryLongDecimal(op, x.sql, y.sql, type)}, ${error}) END`,
  );
}

/** The same; NULL where the type has no place for it. */
export function tryLongDecimal(op: Operator, a: string, b: string, type: DecimalType): string {
  const text = (sql: string) => castTo(sql, { kind: "string" });
  const exact = callHost(LONG_DECIMAL, quoteText(op), text(a), text(b), String(type.scale));
  return `TRY_CAST(${exact} AS DECIMAL(${type.precision},${type.scale}))`;
}
