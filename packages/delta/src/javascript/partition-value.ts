import { formatDate, formatMicros, parseDate, parseMicros } from "../files/date-time.js";
import { formatDecimal, parseDecimal } from "../files/decimal.js";
import type { DataType } from "../schema/schema.js";
import type { Value } from "./value.js";

/**
 * A partition value of the log as a value of its type. A timestamp without a zone is in UTC. Throws RangeError when
 * the text is none of the type. Source: the Delta protocol, "Partition Value Serialization".
 */
export function parsePartitionValue(type: DataType, text: string | null | undefined): Value {
  if (text === null || text === undefined || text === "") return null;
  switch (type.kind) {
    case "string":
      return text;
    case "binary":
      return new TextEncoder().encode(text);
    case "boolean":
      if (!/^(true|false)$/i.test(text)) throw new RangeError(`${text} is no boolean`);
      return text.toLowerCase() === "true";
    case "byte":
    case "short":
    case "integer":
      return Number(whole(text));
    case "long":
      return BigInt(whole(text));
    case "float":
      // Writers print the shortest text of a float, which another double lies nearer to.
      return Math.fround(parseFloating(text));
    case "double":
      return parseFloating(text);
    case "decimal":
      return formatDecimal(parseDecimal(plainDecimal(text), type.precision, type.scale), type.scale);
    case "date":
      return formatDate(parseDate(text));
    case "timestamp":
      return `${formatMicros(parseMicros(text, "UTC"))}Z`;
    case "timestamp_ntz":
      return formatMicros(parseMicros(text.length <= 10 ? `${text} 00:00:00` : text, "none"));
    default:
      throw new RangeError(`a column of type ${type.kind} cannot be a partition column`);
  }
}

/** The text that the log has for a value; null for NULL, and for a text without characters, which reads as NULL. */
export function formatPartitionValue(type: DataType, value: Value): string | null {
  if (value === null || value === "") return null;
  switch (type.kind) {
    case "binary":
      // The log holds text only: other bytes would come back as something else.
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value as Uint8Array);
    case "timestamp_ntz":
      return (value as string).replace("T", " ");
    default:
      return String(value);
  }
}

function whole(text: string): string {
  if (!/^[+-]?\d+$/.test(text)) throw new RangeError(`${text} is no whole number`);
  return text.replace("+", "");
}

function parseFloating(text: string): number {
  const number = Number(text.replace(/^([+-]?)Inf$/i, "$1Infinity"));
  if (Number.isNaN(number) && text !== "NaN") throw new RangeError(`${text} is no number`);
  return number;
}

/** Java prints a small decimal with an exponent: `0E-18`. */
function plainDecimal(text: string): string {
  const [, sign, whole, fraction = "", exponent] = /^([+-]?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const shift = Number(exponent) - fraction.length;
  const digits = whole + fraction;
  if (shift >= 0) return sign + digits + "0".repeat(shift);
  const padded = digits.padStart(1 - shift, "0");
  return `${sign}${padded.slice(0, shift)}.${padded.slice(shift)}`;
}
