import { parseDate, parseMicros } from "../files/date-time.js";
import { parseDecimal } from "../files/decimal.js";
import type { DataType } from "../schema/schema.js";

/**
 * A value for `ParquetWriter` from its text in `partitionValues` or in statistics; undefined when it is none of the
 * type. Times without an offset are UTC.
 * Source: the Delta protocol, "Partition Value Serialization".
 */
export function typedText(type: DataType, text: string): unknown {
  switch (type.kind) {
    case "string":
      return text;
    case "byte":
    case "short":
    case "integer":
      return /^-?\d+$/.test(text) ? Number(text) : undefined;
    case "long":
      return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
    case "float":
    case "double":
      return number(text);
    case "decimal":
      return parsed(() => parseDecimal(text, type.precision, type.scale));
    case "boolean":
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined;
    case "date":
      return parsed(() => parseDate(text));
    case "timestamp":
    case "timestamp_ntz":
      return parsed(() => parseMicros(text, "UTC"));
    case "binary":
      return new TextEncoder().encode(text);
    default:
      return undefined;
  }
}

function number(text: string): number | undefined {
  const value = Number(text);
  return text.trim() !== "" && (!Number.isNaN(value) || text === "NaN") ? value : undefined;
}

/** Undefined where the text is no such value. */
function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
