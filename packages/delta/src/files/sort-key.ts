import type { DataType } from "../schema/schema.js";
import type { Literal } from "./condition.js";

/**
 * A value in a form whose order is that of its type: whole numbers, decimals (in units of 10^-38), dates (days),
 * timestamps (microseconds) and booleans as bigint, floating-point numbers as number, strings as they are, binaries as
 * one character a byte.
 */
export type SortKey = bigint | number | string;

/** The greatest scale of a decimal. */
const SCALE = 38;
const MICROSECONDS_A_DAY = 86_400_000_000n;

/** As Spark orders values of one type: NaN behind all numbers, -0.0 as 0.0, strings by their bytes in UTF-8. */
export function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  if (a === b) return 0;
  if (a < b) return -1;
  if (a > b) return 1;
  // Neither is less: at least one is NaN, or both are zero.
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/** JavaScript compares UTF-16 units, where characters beyond U+FFFF (a surrogate first) come before U+E000. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x === y) continue;
    const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;
    return x >= 0xd800 && y >= 0xd800 && isSurrogate(x) !== isSurrogate(y) ? (isSurrogate(x) ? 1 : -1) : x - y;
  }
  return a.length - b.length;
}

/** The key of a value in the log: a partition value, or a bound as the digits or the text of JSON. Undefined: unclear. */
export function keyOfText(type: DataType, text: string): SortKey | undefined {
  switch (type.kind) {
    case "byte":
    case "short":
    case "integer":
    case "long":
      return /^[+-]?\d+$/.test(text) ? BigInt(text.replace("+", "")) : undefined;
    case "float":
    case "double": {
      const number = numberOf(text);
      return number === undefined || type.kind === "double" ? number : Math.fround(number);
    }
    case "decimal":
      return decimalKey(text);
    case "string":
      return text;
    case "binary":
      return Buffer.from(text).toString("latin1");
    case "boolean":
      return /^true$/i.test(text) ? 1n : /^false$/i.test(text) ? 0n : undefined;
    case "date": {
      const time = parseTime(text);
      return time === undefined || time.micros % MICROSECONDS_A_DAY !== 0n
        ? undefined
        : time.micros / MICROSECONDS_A_DAY;
    }
    case "timestamp":
    case "timestamp_ntz":
      return parseTime(text)?.micros;
    default:
      return undefined;
  }
}

/** Throws TypeError for a literal that is no value of the type. */
export function keyOfLiteral(type: DataType, literal: Literal): SortKey {
  const key = literalKey(type, literal);
  if (key === undefined) throw new TypeError(`${String(literal)} is no value of the type ${type.kind}`);
  return key;
}

/**
 * As `keyOfLiteral`; undefined for a number between two floats: engines compare it with a float column as a float or as
 * a double, with different results.
 */
export function exactKeyOfLiteral(type: DataType, literal: Literal): SortKey | undefined {
  const key = keyOfLiteral(type, literal);
  return type.kind === "float" && typeof key === "number" && !Object.is(Math.fround(key), key) ? undefined : key;
}

function literalKey(type: DataType, literal: Literal): SortKey | undefined {
  switch (type.kind) {
    case "byte":
    case "short":
    case "integer":
    case "long":
      return wholeNumber(literal);
    case "float":
    case "double":
      return typeof literal === "number" ? literal : undefined;
    case "decimal":
      return typeof literal === "string" ? decimalKey(literal) : scaled(wholeNumber(literal));
    case "string":
      return typeof literal === "string" ? literal : undefined;
    case "binary":
      return literal instanceof Uint8Array ? Buffer.from(literal).toString("latin1") : undefined;
    case "boolean":
      return typeof literal === "boolean" ? BigInt(literal) : undefined;
    case "date":
    case "timestamp":
    case "timestamp_ntz":
      if (typeof literal === "bigint") return literal;
      return typeof literal === "string" ? keyOfText(type, literal) : undefined;
    default:
      return undefined;
  }
}

/** Digits of the fraction of a second that a text tells; undefined where it is no time. */
export function fractionDigits(text: string): number | undefined {
  return parseTime(text)?.digits;
}

function wholeNumber(literal: Literal): bigint | undefined {
  if (typeof literal === "bigint") return literal;
  return typeof literal === "number" && Number.isSafeInteger(literal) ? BigInt(literal) : undefined;
}

function scaled(number: bigint | undefined): bigint | undefined {
  return number === undefined ? undefined : number * 10n ** BigInt(SCALE);
}

/** Spark writes what is no JSON number as text. */
function numberOf(text: string): number | undefined {
  switch (text.toLowerCase()) {
    case "nan":
      return Number.NaN;
    case "infinity":
    case "+infinity":
    case "inf":
      return Number.POSITIVE_INFINITY;
    case "-infinity":
    case "-inf":
      return Number.NEGATIVE_INFINITY;
    default:
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
  }
}

function decimalKey(text: string): bigint | undefined {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (sign === undefined || whole + fraction === "") return undefined;
  const shift = SCALE - fraction.length + Number(exponent);
  if (Math.abs(shift) > 2 * SCALE) return undefined;
  const digits = BigInt(whole + fraction);
  const unit = 10n ** BigInt(Math.abs(shift));
  // Digits beyond the scale of any decimal: no value of the type.
  if (shift < 0 && digits % unit !== 0n) return undefined;
  const key = shift < 0 ? digits / unit : digits * unit;
  return sign === "-" ? -key : key;
}

/** Microseconds since the epoch, rounded down; a day alone is its midnight, a time without offset is in UTC. */
function parseTime(text: string): { micros: bigint; digits: number } | undefined {
  const [, day, time = "00:00:00", fraction = "", offset = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?\s*(Z|[+-]\d\d:?(?:\d\d)?)?)?$/.exec(text) ?? [];
  if (day === undefined) return undefined;
  const zone = offset === "Z" ? "Z" : `${offset.slice(0, 3)}:${offset.slice(3).replace(":", "") || "00"}`;
  const seconds = Date.parse(`${day}T${time}${zone}`) / 1000;
  if (!Number.isInteger(seconds)) return undefined;
  return {
    micros: BigInt(seconds) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, "0")),
    digits: fraction.length,
  };
}
