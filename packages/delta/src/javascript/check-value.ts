import { formatDate, formatMicros, parseDate, parseMicros } from "../files/date-time.js";
import { assertDigits, formatDecimal, parseDecimal } from "../files/decimal.js";
import type { DataType, StructType } from "../schema/schema.js";
import { ownValue, type Value } from "./value.js";

/** Gives the value as `readRows` would; null for null and undefined. Throws Misfit. */
export type CheckValue = (given: unknown) => Value;

/** A value that is none of its column's type. */
export class Misfit extends Error {
  override readonly name = "Misfit";
  /** Of the column and the fields within it. */
  readonly path: readonly string[];
  /** It is of the right kind, and too large or too exact. */
  readonly isOverflow: boolean;

  constructor(message: string, path: readonly string[], isOverflow: boolean) {
    super(message);
    this.path = path;
    this.isOverflow = isOverflow;
  }
}

/** A surrogate without its other half has no bytes in UTF-8. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/** NULL passes, whatever the column says of it: defaults and generated values come first. */
export function valueCheck(type: DataType, path: readonly string[]): CheckValue {
  const check = presentCheck(type, path);
  return (given) => {
    if (given === null || given === undefined) return null;
    try {
      return check(given);
    } catch (error) {
      if (error instanceof RangeError) throw new Misfit(error.message, path, true);
      throw error;
    }
  };
}

function presentCheck(type: DataType, path: readonly string[]): CheckValue {
  const refuse = (given: unknown): Misfit => new Misfit(`${show(given)} is no ${type.kind}`, path, false);
  switch (type.kind) {
    case "boolean":
      return (given) => {
        if (typeof given !== "boolean") throw refuse(given);
        return given;
      };
    case "byte":
      return numberCheck(refuse, wholeNumber(8));
    case "short":
      return numberCheck(refuse, wholeNumber(16));
    case "integer":
      return numberCheck(refuse, wholeNumber(32));
    case "float":
      return numberCheck(refuse, singlePrecision);
    case "double":
      return numberCheck(refuse, (given) => given);
    case "long":
      return (given) => {
        const long = toBigInt(given);
        if (long === undefined) throw refuse(given);
        if (BigInt.asIntN(64, long) !== long) throw new RangeError(`${long} is too large for a long`);
        return long;
      };
    case "decimal":
      return (given) => {
        const { precision, scale } = type;
        const whole = toBigInt(given);
        if (whole === undefined && typeof given !== "string") throw refuse(given);
        const unscaled =
          whole === undefined
            ? parseDecimal(given as string, precision, scale)
            : assertDigits(whole * 10n ** BigInt(scale), precision, scale);
        return formatDecimal(unscaled, scale);
      };
    case "string":
      return (given) => {
        if (typeof given !== "string" || HALF_CHARACTER.test(given)) throw refuse(given);
        return given;
      };
    case "binary":
      return (given) => {
        if (!(given instanceof Uint8Array)) throw refuse(given);
        return given;
      };
    case "date":
      return (given) => {
        if (typeof given !== "string") throw refuse(given);
        return formatDate(parseDate(given));
      };
    case "timestamp":
      return (given) => {
        if (given instanceof Date) return `${formatMicros(BigInt(given.getTime()) * 1000n)}Z`;
        if (typeof given !== "string") throw refuse(given);
        return `${formatMicros(parseMicros(given, "needed"))}Z`;
      };
    case "timestamp_ntz":
      return (given) => {
        if (typeof given !== "string") throw refuse(given);
        return formatMicros(parseMicros(given, "none"));
      };
    case "array": {
      const element = withoutNull(valueCheck(type.element, [...path, "element"]), type.containsNull, path);
      return (given) => {
        if (!Array.isArray(given)) throw refuse(given);
        return given.map(element);
      };
    }
    case "map": {
      const key = withoutNull(valueCheck(type.key, [...path, "key"]), false, path);
      const value = withoutNull(valueCheck(type.value, [...path, "value"]), type.valueContainsNull, path);
      return (given) => {
        if (!(given instanceof Map)) throw refuse(given);
        return new Map([...given].map(([k, v]) => [key(k), value(v)]));
      };
    }
    case "struct":
      return structCheck(type, path, refuse);
    default:
      return (given) => {
        throw refuse(given);
      };
  }
}

function structCheck(type: StructType, path: readonly string[], refuse: (given: unknown) => Misfit): CheckValue {
  const fields = new Map(type.fields.map(({ name, type: of }) => [name, valueCheck(of, [...path, name])]));
  return (given) => {
    const prototype: unknown = typeof given === "object" ? Object.getPrototypeOf(given) : undefined;
    if (prototype !== Object.prototype && prototype !== null) throw refuse(given);
    const values = given as Readonly<Record<string, unknown>>;
    const unknown = Object.keys(values).find((name) => !fields.has(name));
    if (unknown !== undefined) throw new Misfit(`there is no field ${unknown}`, [...path, unknown], false);
    return Object.fromEntries([...fields].map(([name, check]) => [name, check(ownValue(values, name))]));
  };
}

/** What lists and maps say of NULL is part of their type; rules on columns are not. */
function withoutNull(check: CheckValue, mayBeNull: boolean, path: readonly string[]): CheckValue {
  if (mayBeNull) return check;
  return (given) => {
    const value = check(given);
    if (value === null) throw new Misfit("NULL is not allowed within", path, false);
    return value;
  };
}

function numberCheck(refuse: (given: unknown) => Misfit, fit: (given: number) => number): CheckValue {
  return (given) => {
    if (typeof given !== "number") throw refuse(given);
    return fit(given);
  };
}

function wholeNumber(bits: number): (given: number) => number {
  const limit = 2 ** (bits - 1);
  return (given) => {
    if (!Number.isInteger(given)) throw new RangeError(`${given} is no whole number`);
    if (given < -limit || given >= limit) throw new RangeError(`${given} is too large for ${bits} bits`);
    return given;
  };
}

/** The nearest number that a float can hold, as everywhere where a double becomes a float. */
function singlePrecision(given: number): number {
  const single = Math.fround(given);
  if (Number.isFinite(given) && !Number.isFinite(single)) throw new RangeError(`${given} is too large for a float`);
  return single;
}

function toBigInt(given: unknown): bigint | undefined {
  if (typeof given === "bigint") return given;
  return typeof given === "number" && Number.isSafeInteger(given) ? BigInt(given) : undefined;
}

function show(given: unknown): string {
  if (typeof given === "string") return JSON.stringify(given);
  if (typeof given === "bigint" || typeof given === "number" || typeof given === "boolean") return `${given}`;
  return given instanceof Object ? (given.constructor?.name ?? "an object") : typeof given;
}
