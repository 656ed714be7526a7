import type { AtomicName, DataType, DecimalType } from "../../model/data-type.js";
import { sameType } from "../../model/data-type.js";

/** Spark's rules for the types of results (ANSI mode): `AnsiTypeCoercion`, `DecimalPrecision`, `DecimalType`. */

export const atomic = (kind: AtomicName): DataType => ({ kind });
export const STRING = atomic("string");
export const INT = atomic("int");
export const BIGINT = atomic("bigint");
export const DOUBLE = atomic("double");
export const BOOLEAN = atomic("boolean");
export const DATE = atomic("date");
export const TIMESTAMP = atomic("timestamp");

/** Whole numbers, narrow to wide, with the digits that Spark gives them as decimals. */
const INTEGER_DIGITS: Readonly<Record<string, number>> = { tinyint: 3, smallint: 5, int: 10, bigint: 20 };
const INTEGERS = Object.keys(INTEGER_DIGITS);

export function isInteger(type: DataType): boolean {
  return type.kind in INTEGER_DIGITS;
}
export function isDecimal(type: DataType): type is DecimalType {
  return type.kind === "decimal";
}
export function isFloating(type: DataType): boolean {
  return type.kind === "float" || type.kind === "double";
}
export function isNumeric(type: DataType): boolean {
  return isInteger(type) || isDecimal(type) || isFloating(type);
}
export function isDatetime(type: DataType): boolean {
  return type.kind === "date" || type.kind === "timestamp" || type.kind === "timestamp_ntz";
}
export function isAtomic(type: DataType): boolean {
  return type.kind !== "array" && type.kind !== "map" && type.kind !== "struct";
}

/** A decimal that holds every value of a whole-number type; a decimal itself. */
export function asDecimal(type: DataType): DecimalType | undefined {
  if (isDecimal(type)) return type;
  const precision = INTEGER_DIGITS[type.kind];
  return precision === undefined ? undefined : { kind: "decimal", precision, scale: 0 };
}

const MAX_PRECISION = 38;
const MIN_ADJUSTED_SCALE = 6;

/** `DecimalType.adjustPrecisionScale`: beyond 38 digits the scale gives way, but keeps 6. */
export function adjustDecimal(precision: number, scale: number): DecimalType {
  if (precision <= MAX_PRECISION) return { kind: "decimal", precision, scale };
  const integral = precision - scale;
  const kept = Math.max(MAX_PRECISION - integral, Math.min(scale, MIN_ADJUSTED_SCALE));
  return { kind: "decimal", precision: MAX_PRECISION, scale: kept };
}

/** The type of `a op b` over decimals, and the scale before it was adjusted to 38 digits. */
export function decimalResult(
  op: "+" | "-" | "*" | "/" | "%",
  a: DecimalType,
  b: DecimalType,
): { readonly type: DecimalType; readonly exactScale: number } {
  const [precision, scale] = exactDecimal(op, a, b);
  return { type: adjustDecimal(precision, scale), exactScale: scale };
}

function exactDecimal(op: string, a: DecimalType, b: DecimalType): [number, number] {
  const scale = Math.max(a.scale, b.scale);
  const integralA = a.precision - a.scale;
  const integralB = b.precision - b.scale;
  switch (op) {
    case "*":
      return [a.precision + b.precision + 1, a.scale + b.scale];
    case "/": {
      const quotient = Math.max(MIN_ADJUSTED_SCALE, a.scale + b.precision + 1);
      return [integralA + b.scale + quotient, quotient];
    }
    case "%":
      return [Math.min(integralA, integralB) + scale, scale];
    default:
      return [Math.max(integralA, integralB) + scale + 1, scale];
  }
}

/** `sum(decimal)`, `avg(decimal)`: `DecimalType.bounded`, which cuts off integral digits and never the scale. */
export function sumType({ precision, scale }: DecimalType): DecimalType {
  return bounded(precision + 10, scale);
}
export function averageType({ precision, scale }: DecimalType): DecimalType {
  return bounded(precision + 4, scale + 4);
}
function bounded(precision: number, scale: number): DecimalType {
  return { kind: "decimal", precision: Math.min(MAX_PRECISION, precision), scale: Math.min(MAX_PRECISION, scale) };
}

/**
 * The type that two values share (CASE, COALESCE, UNION, IN, comparisons), or undefined where Spark finds none.
 * A string beside another type gives way to it: beside a whole number it is read as BIGINT, beside another as DOUBLE.
 */
export function commonType(a: DataType, b: DataType): DataType | undefined {
  if (a.kind === "void") return b;
  if (b.kind === "void" || sameType(a, b)) return a;
  if (isNumeric(a) && isNumeric(b)) return commonNumber(a, b);
  if (a.kind === "string" || b.kind === "string") return besideString(a.kind === "string" ? b : a);
  if (isDatetime(a) && isDatetime(b))
    return a.kind === "timestamp" || b.kind === "timestamp" ? TIMESTAMP : atomic("timestamp_ntz");
  return undefined;
}

function commonNumber(a: DataType, b: DataType): DataType | undefined {
  if (isFloating(a) || isFloating(b)) return DOUBLE;
  if (isInteger(a) && isInteger(b)) return INTEGERS.indexOf(a.kind) > INTEGERS.indexOf(b.kind) ? a : b;
  const x = asDecimal(a);
  const y = asDecimal(b);
  if (x === undefined || y === undefined) return undefined;
  const scale = Math.max(x.scale, y.scale);
  const integral = Math.max(x.precision - x.scale, y.precision - y.scale);
  return adjustDecimal(integral + scale, scale);
}

function besideString(other: DataType): DataType | undefined {
  if (isInteger(other)) return BIGINT;
  if (isNumeric(other)) return DOUBLE;
  return isAtomic(other) ? other : undefined;
}

export function commonTypeOf(types: readonly DataType[]): DataType | undefined {
  let common: DataType | undefined = atomic("void");
  for (const type of types) common = common === undefined ? undefined : commonType(common, type);
  return common;
}
