import type { DataType } from "../schema/schema.js";

/**
 * Bounds of a column's values as JSON text, from the text in which an engine prints them. A bound may be wider than
 * the values, never narrower; undefined where no such bound can be told.
 */

/** Spark's length of a string bound, in characters. */
const PREFIX = 32;
const LAST_CHARACTER = "\u{10FFFF}";

/** Types that have bounds, as in Spark. */
const BOUNDED: ReadonlySet<DataType["kind"]> = new Set<DataType["kind"]>([
  "byte",
  "short",
  "integer",
  "long",
  "float",
  "double",
  "decimal",
  "string",
  "date",
  "timestamp",
  "timestamp_ntz",
]);

export function hasBounds({ kind }: DataType): boolean {
  return BOUNDED.has(kind);
}

export function lowerBound(type: DataType, min: string): string | undefined {
  switch (type.kind) {
    case "string":
      return JSON.stringify([...min].slice(0, PREFIX).join(""));
    case "timestamp":
    case "timestamp_ntz":
      return timestamp(type.kind, min, 0);
    default:
      return exactBound(type, min);
  }
}

export function upperBound(type: DataType, max: string): string | undefined {
  switch (type.kind) {
    case "string":
      return upperString(max);
    case "timestamp":
    case "timestamp_ntz":
      return timestamp(type.kind, max, 1);
    default:
      return exactBound(type, max);
  }
}

/** Numbers stay the digits they are; a number of JavaScript would round decimals and longs. */
function exactBound(type: DataType, text: string): string | undefined {
  switch (type.kind) {
    case "byte":
    case "short":
    case "integer":
    case "long":
    case "float":
    case "double":
    case "decimal":
      return /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? text : undefined;
    case "date":
      return /^\d{4}-\d\d-\d\d$/.test(text) ? JSON.stringify(text) : undefined;
    default:
      return undefined;
  }
}

/** A prefix is less than the string; with the greatest of all characters behind it, it is greater. */
function upperString(max: string): string | undefined {
  const characters = [...max];
  if (characters.length <= PREFIX) return JSON.stringify(max);
  if (characters[PREFIX] === LAST_CHARACTER) return undefined;
  return JSON.stringify(characters.slice(0, PREFIX).join("") + LAST_CHARACTER);
}

/**
 * Delta keeps milliseconds here, so a maximum with microseconds goes up by one. Text with an offset other than UTC, or
 * beyond the years 0001 to 9999, gives no bound.
 */
function timestamp(kind: "timestamp" | "timestamp_ntz", text: string, roundUp: 0 | 1): string | undefined {
  const [, date, time, fraction = "", zone = ""] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?(\+00)?$/.exec(text) ?? [];
  if (date === undefined || (zone === "+00") !== (kind === "timestamp")) return undefined;
  const milliseconds = Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}Z`);
  const rest = /[1-9]/.test(fraction.slice(3)) ? roundUp : 0;
  const iso = new Date(milliseconds + rest).toISOString();
  if (!/^\d{4}-/.test(iso)) return undefined;
  return JSON.stringify(kind === "timestamp" ? iso : iso.slice(0, -1));
}
