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
      return decimal(text, type.scale);
    case "boolean":
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined;
    case "date":
      return days(text);
    case "timestamp":
    case "timestamp_ntz":
      return micros(text);
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

/** The digits without the point, filled up to the scale. */
function decimal(text: string, scale: number): bigint | undefined {
  const [, sign, whole, fraction = ""] = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === undefined || /[1-9]/.test(fraction.slice(scale))) return undefined;
  const digits = BigInt(whole + fraction.slice(0, scale).padEnd(scale, "0"));
  return sign === "-" ? -digits : digits;
}

function days(text: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / 86_400_000;
}

function micros(text: string): bigint | undefined {
  const [, date, time, fraction = "", zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const seconds = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone}`);
  return Number.isNaN(seconds) ? undefined : BigInt(seconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}
