import type { DecimalType } from "../../model/data-type.js";
import { type Bound, mayBeConstantNull } from "../bind/bound.js";
import { DOUBLE, isDecimal, isFloating } from "../bind/type-rules.js";
import type { ArithmeticOperator } from "../parse/ast.js";
import { longDecimal } from "./lower-long-decimal.js";
import { once } from "./lower-once.js";
import { castTo, raise } from "./lower-text.js";
import { NARROW_DIGITS, narrowProduct, tryProduct } from "./narrow-product.js";
import { wholeDecimal } from "./round-decimal.js";

/**
 * DuckDB's text for an operation on two numbers of one type, or on two decimals with the type of their result. Whole
 * numbers that leave their type are errors in DuckDB as in Spark's ANSI mode; so are decimals that leave theirs.
 */
export function lowerArithmetic(op: ArithmeticOperator, a: Bound, b: Bound, result?: DecimalType): string {
  switch (op) {
    case "/":
      return once([a, b], (x, y) =>
        result === undefined ? `(${x.sql} / ${divisorOf(x, y)})` : divideDecimals(x, y, result),
      );
    case "DIV":
      return once([a, b], (x, y) => `(${x.sql} // ${divisorOf(x, y)})`);
    case "%":
      return once([a, b], (x, y) => remainder(x, y, result));
    case "*":
      return result === undefined ? `(${a.sql} * ${b.sql})` : multiplyDecimals(a, b, result);
    default: {
      if (result === undefined || addsAlike(a, b, result)) return `(${a.sql} ${op} ${b.sql})`;
      return castTo(`${castTo(a.sql, result)} ${op} ${castTo(b.sql, result)}`, result);
    }
  }
}

/**
 * Whether DuckDB's own sum of two decimals has Spark's type. Beyond 64 bits its rule for the digits is another, and both
 * sides take the result's type first; so they do beside a constant NULL, which has no type there.
 */
function addsAlike(a: Bound, b: Bound, result: DecimalType): boolean {
  return result.precision <= NARROW_DIGITS && !mayBeConstantNull(a) && !mayBeConstantNull(b);
}

/** The divisor, which is an error where it is 0 and the dividend is not NULL. */
function divisorOf(a: Bound, b: Bound): string {
  return isZeroFree(b) ? b.sql : `spark_nonzero(${a.sql}, ${b.sql})`;
}

function remainder(a: Bound, b: Bound, result: DecimalType | undefined): string {
  if (isFloating(a.type)) return castTo(floatingRemainder(a.sql, b.sql), a.type);
  if (result === undefined)
    return isZeroFree(b) && !isMinusOne(b) ? `(${a.sql} % ${b.sql})` : `spark_mod(${a.sql}, ${b.sql})`;
  return castTo(isZeroFree(b) ? `${a.sql} % ${b.sql}` : `spark_decimal_mod(${a.sql}, ${b.sql})`, result);
}

/**
 * DuckDB multiplies decimals of up to 18 digits in 64 bits, though their product may need more. What may need more is
 * tried so, and computed in 128 bits where that fails.
 */
function multiplyDecimals(a: Bound, b: Bound, result: DecimalType): string {
  const digits = [a, b].map(({ type }) => (isDecimal(type) ? type.precision : MAX_DIGITS));
  if (digits.reduce((sum, n) => sum + n) <= NARROW_DIGITS) return castTo(`${a.sql} * ${b.sql}`, result);
  const isWide = digits.some((n) => n > NARROW_DIGITS) || !isDecimal(a.type);
  const left = isWide ? a.sql : castTo(a.sql, { ...a.type, precision: NARROW_DIGITS + 1 });
  const exact = castTo(`${left} * ${b.sql}`, result);
  const narrow = narrowProduct(a, b);
  return narrow === undefined ? exact : `coalesce(${tryProduct(narrow, b, result)}, ${exact})`;
}

/** Java's: with the sign of the dividend. */
function floatingRemainder(a: string, b: string): string {
  const error = raise("REMAINDER_BY_ZERO", "Remainder by zero. Use try_mod to tolerate a divisor of 0.");
  return `CASE WHEN ${b} = 0 AND ${a} IS NOT NULL THEN ${castTo(error, DOUBLE)} ELSE ${a} % ${b} END`;
}

/** `DIV` of decimals: the whole part of the quotient. */
export function divideWhole(a: Bound, b: Bound, x: DecimalType, y: DecimalType): string {
  const quotient = once([a, b], (n, d) => {
    const dividend = unscaled(n.sql, x, Math.max(0, y.scale - x.scale));
    return `((${dividend}) // (${unscaled(divisorOf(n, d), y, Math.max(0, x.scale - y.scale))}))`;
  });
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
  const checked = divisorOf(a, b);
  if (Math.abs(shift) >= MAX_DIGITS) return longDecimal("/", a, { ...b, sql: checked }, result);
  const dividend = unscaled(a.sql, typeOf(a), Math.max(0, shift));
  const divisor = unscaled(checked, typeOf(b), Math.max(0, -shift));
  const quotient = scaled(`spark_round_div(${dividend}, ${divisor})`, result);
  const beyond = [beyondHugeint(a.sql, typeOf(a), shift), beyondHugeint(b.sql, typeOf(b), -shift)].filter(
    (c) => c !== "",
  );
  if (beyond.length === 0) return quotient;
  return `CASE WHEN ${beyond.join(" OR ")} THEN ${longDecimal("/", a, { ...b, sql: checked }, result)} ELSE ${quotient} END`;
}

/** The values, if any, whose digits are too many once `shift` zeros are added. */
function beyondHugeint(
  sql: string,
  { precision, scale }: Pick<DecimalType, "precision" | "scale">,
  shift: number,
): string {
  if (precision + Math.max(0, shift) < MAX_DIGITS) return "";
  return `abs(${sql}) >= CAST('1E${MAX_DIGITS - 1 - Math.max(0, shift) - scale}' AS DOUBLE)`;
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
  const isNarrow = precision + scale < NARROW_DIGITS;
  const width = precision <= NARROW_DIGITS && !isNarrow ? Math.max(scale + 1, NARROW_DIGITS + 1) : scale + 1;
  const digits = `${sql} * CAST('1${"0".repeat(scale)}' AS DECIMAL(${width},0))`;
  return wholeDecimal(digits, { kind: "decimal", precision: Math.min(MAX_DIGITS, precision + width), scale });
}
