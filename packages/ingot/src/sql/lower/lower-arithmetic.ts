import type { DecimalType } from "../../model/data-type.js";
import type { Bound } from "../bind/bound.js";
import { DOUBLE, isDecimal, isFloating } from "../bind/type-rules.js";
import type { ArithmeticOperator } from "../parse/ast.js";
import { castTo, raise } from "./lower-text.js";

/**
 * DuckDB's text for an operation on two numbers of one type, or on two decimals with the type of their result. Whole
 * numbers that leave their type are errors in DuckDB as in Spark's ANSI mode; so are decimals that leave theirs.
 */
export function lowerArithmetic(op: ArithmeticOperator, a: Bound, b: Bound, result?: DecimalType): string {
  const divisor = isZeroFree(b) ? b.sql : `spark_nonzero(${a.sql}, ${b.sql})`;
  switch (op) {
    case "/":
      return result === undefined ? `(${a.sql} / ${divisor})` : divideDecimals(a, { ...b, sql: divisor }, result);
    case "DIV":
      return `(${a.sql} // ${divisor})`;
    case "%": {
      if (isFloating(a.type)) return castTo(floatingRemainder(a.sql, b.sql), a.type);
      const remainder = isZeroFree(b) && !isMinusOne(b) ? `(${a.sql} % ${b.sql})` : `spark_mod(${a.sql}, ${b.sql})`;
      return result === undefined ? remainder : castTo(remainder, result);
    }
    case "*":
      return result === undefined ? `(${a.sql} * ${b.sql})` : castTo(`${a.sql} * ${b.sql}`, result);
    default: {
      // DuckDB's own rule for the width of a sum is another: both sides take the result's type first.
      if (result === undefined) return `(${a.sql} ${op} ${b.sql})`;
      return castTo(`${castTo(a.sql, result)} ${op} ${castTo(b.sql, result)}`, result);
    }
  }
}

/** Java's: with the sign of the dividend. */
function floatingRemainder(a: string, b: string): string {
  const error = raise("REMAINDER_BY_ZERO", "Remainder by zero. Use try_mod to tolerate a divisor of 0.");
  return `CASE WHEN ${b} = 0 AND ${a} IS NOT NULL THEN ${castTo(error, DOUBLE)} ELSE ${a} % ${b} END`;
}

/** `DIV` of decimals: the whole part of the quotient. */
export function divideWhole(a: Bound, b: Bound, x: DecimalType, y: DecimalType): string {
  const divisor = isZeroFree(b) ? b.sql : `spark_nonzero(${a.sql}, ${b.sql})`;
  const dividend = unscaled(a.sql, x, Math.max(0, y.scale - x.scale));
  const quotient = `((${dividend}) // (${unscaled(divisor, y, Math.max(0, x.scale - y.scale))}))`;
  // Java keeps the last 64 bits.
  const half = "CAST('9223372036854775808' AS HUGEINT)";
  const all = "CAST('18446744073709551616' AS HUGEINT)";
  return castTo(`(((${quotient} % ${all}) + ${half} + ${all}) % ${all} - ${half})`, { kind: "bigint" });
}

function isZeroFree(bound: Bound): boolean {
  return (
    bound.nonZero === true ||
    (bound.literal?.type === "number" && /[1-9]/.test(bound.literal.value.replace(/E.*$/, "")))
  );
}
function isMinusOne(bound: Bound): boolean {
  return bound.literal?.value.startsWith("-1") === true;
}

/**
 * A quotient with the digits that Spark gives it, half up. DuckDB would divide two doubles, so whole numbers are
 * divided: unscaled(a) * 10^k // unscaled(b).
 */
function divideDecimals(a: Bound, b: Bound, result: DecimalType): string {
  const typeOf = ({ type }: Bound) => (isDecimal(type) ? type : { precision: MAX_DIGITS, scale: 0 });
  const shift = result.scale + typeOf(b).scale - typeOf(a).scale;
  const dividend = unscaled(a.sql, typeOf(a), Math.max(0, shift));
  const divisor = unscaled(b.sql, typeOf(b), Math.max(0, -shift));
  return scaled(`spark_round_div(${dividend}, ${divisor})`, result);
}

/** An average of decimals: their sum, a decimal of type `total`, divided by their count. */
export function averageOf(sum: string, total: DecimalType, count: string, result: DecimalType): string {
  const places = powerOfTen(result.scale - total.scale);
  return scaled(`spark_average(${unscaled(sum, total)}, CAST(nullif(${count}, 0) AS HUGEINT), ${places})`, result);
}

/** A decimal of its digits as a whole number. */
function scaled(digits: string, result: DecimalType): string {
  const unit = castTo(`'${"0.".padEnd(result.scale + 1, "0")}1'`, { ...result, precision: Math.max(result.scale, 1) });
  const value = result.scale === 0 ? `CAST(${digits} AS DECIMAL(38,0))` : `CAST(${digits} AS DECIMAL(38,0)) * ${unit}`;
  return castTo(value, result);
}

const MAX_DIGITS = 38;
const powerOfTen = (n: number) => `CAST('1${"0".repeat(n)}' AS HUGEINT)`;

/** The digits of a decimal as a whole number, with `shift` more zeros. */
function unscaled(sql: string, { precision, scale }: Pick<DecimalType, "precision" | "scale">, shift = 0): string {
  const digits = wholeDigits(sql, precision, scale);
  return shift > 0 ? `${digits} * ${powerOfTen(shift)}` : digits;
}

function wholeDigits(sql: string, precision: number, scale: number): string {
  if (scale === 0) return `CAST(${sql} AS HUGEINT)`;
  // The product keeps the scale: beyond 38 digits only the text has them all.
  if (precision + scale > MAX_DIGITS) return `CAST(replace(CAST(${sql} AS VARCHAR), '.', '') AS HUGEINT)`;
  return `CAST(${sql} * CAST('1${"0".repeat(scale)}' AS DECIMAL(${scale + 1},0)) AS HUGEINT)`;
}
