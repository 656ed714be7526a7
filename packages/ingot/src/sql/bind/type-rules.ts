import type {
  ArrayType,
  AtomicName,
  DataType,
  DecimalType,
  Field,
  IntervalField,
  IntervalType,
  MapType,
  StructType,
} from "../../model/data-type.js";
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

/** Whether values can be compared and ordered: maps cannot. */
export function isComparable(type: DataType): boolean {
  return !hasMap(type);
}

/** Whether a map stands in it: such values are no keys of DISTINCT, UNION and the like. */
export function hasMap(type: DataType): boolean {
  if (type.kind === "array") return hasMap(type.element);
  return type.kind === "map" || (type.kind === "struct" && type.fields.some((f) => hasMap(f.type)));
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
 * A string beside another type gives way to it: beside a whole number it is read as BIGINT, beside another as DOUBLE;
 * not so where `strings` is false (VALUES, UNPIVOT). Arrays, maps and structs share their parts' types.
 */
export function commonType(a: DataType, b: DataType, strings = true): DataType | undefined {
  if (a.kind === "void") return b;
  if (b.kind === "void") return a;
  if (isAtomic(a) && sameType(a, b)) return a;
  if (isNumeric(a) && isNumeric(b)) return commonNumber(a, b);
  if (a.kind === "interval" && b.kind === "interval") return commonInterval(a, b);
  if (a.kind === "array" && b.kind === "array") return commonArray(a, b, strings);
  if (a.kind === "map" && b.kind === "map") return commonMap(a, b, strings);
  if (a.kind === "struct" && b.kind === "struct") return commonStruct(a, b, strings);
  if (a.kind === "string" || b.kind === "string")
    return strings ? besideString(a.kind === "string" ? b : a) : undefined;
  if (isDatetime(a) && isDatetime(b))
    return a.kind === "timestamp" || b.kind === "timestamp" ? TIMESTAMP : atomic("timestamp_ntz");
  return undefined;
}

function commonArray(a: ArrayType, b: ArrayType, strings: boolean): DataType | undefined {
  const element = commonType(a.element, b.element, strings);
  if (element === undefined) return undefined;
  return { kind: "array", element, containsNull: a.containsNull || b.containsNull };
}

function commonMap(a: MapType, b: MapType, strings: boolean): DataType | undefined {
  const key = commonType(a.key, b.key, strings);
  const value = commonType(a.value, b.value, strings);
  if (key === undefined || value === undefined) return undefined;
  return { kind: "map", key, value, valueContainsNull: a.valueContainsNull || b.valueContainsNull };
}

/** Fields pair by their place, under one name. */
function commonStruct(a: StructType, b: StructType, strings: boolean): DataType | undefined {
  if (a.fields.length !== b.fields.length) return undefined;
  const fields: Field[] = [];
  for (const [i, field] of a.fields.entries()) {
    const other = b.fields[i];
    const type = other === undefined ? undefined : commonType(field.type, other.type, strings);
    if (other === undefined || type === undefined || field.name.toLowerCase() !== other.name.toLowerCase())
      return undefined;
    fields.push({ name: field.name, type, nullable: field.nullable || other.nullable });
  }
  return { kind: "struct", fields };
}

export const INTERVAL_FIELDS: readonly IntervalField[] = ["year", "month", "day", "hour", "minute", "second"];

/** Whether an interval is of months; else of days and seconds. */
export function isMonths({ from }: IntervalType): boolean {
  return from === "year" || from === "month";
}

/** The interval with the fields of both. */
export function commonInterval(a: IntervalType, b: IntervalType): IntervalType | undefined {
  if (isMonths(a) !== isMonths(b)) return undefined;
  const places = [a.from, a.to, b.from, b.to].map((field) => INTERVAL_FIELDS.indexOf(field));
  const from = INTERVAL_FIELDS[Math.min(...places)];
  const to = INTERVAL_FIELDS[Math.max(...places)];
  return from === undefined || to === undefined ? undefined : { kind: "interval", from, to };
}

function commonNumber(a: DataType, b: DataType): DataType | undefined {
  if (isFloating(a) || isFloating(b)) return DOUBLE;
  if (isInteger(a) && isInteger(b)) return INTEGERS.indexOf(a.kind) > INTEGERS.indexOf(b.kind) ? a : b;
  const x = asDecimal(a);
  const y = asDecimal(b);
  if (x === undefined || y === undefined) return undefined;
  const scale = Math.max(x.scale, y.scale);
  const integral = Math.max(x.precision - x.scale, y.precision - y.scale);
  // `DecimalType.boundedPreferIntegralDigits`
  const kept = Math.max(0, Math.min(scale, MAX_PRECISION - integral));
  return { kind: "decimal", precision: Math.min(MAX_PRECISION, integral + scale), scale: kept };
}

function besideString(other: DataType): DataType | undefined {
  if (isInteger(other)) return BIGINT;
  if (isNumeric(other)) return DOUBLE;
  if (other.kind === "interval") return undefined;
  return isAtomic(other) ? other : undefined;
}

export function commonTypeOf(types: readonly DataType[], strings = true): DataType | undefined {
  let common: DataType | undefined = atomic("void");
  for (const type of types) common = common === undefined ? undefined : commonType(common, type, strings);
  return common;
}

/**
 * Whether a function that takes `wanted` takes `type` by an implicit cast (`AnsiTypeCoercion.implicitCast`): any number
 * is a number of another type, any single value a string, and a string any single value.
 */
export function acceptsImplicitly(type: DataType, wanted: DataType): boolean {
  if (type.kind === "void" || type.kind === wanted.kind) return true;
  if (!isAtomic(type) || !isAtomic(wanted)) return false;
  if (type.kind === "string") return true;
  if (wanted.kind === "string") return true;
  if (isNumeric(wanted)) return isNumeric(type);
  return isDatetime(wanted) && isDatetime(type);
}
