import type {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBValue,
} from "@duckdb/node-api";
import type { DataType } from "../../model/data-type.js";
import type { Value } from "../engine.js";

/**
 * A value as JSON can hold it without loss, in Spark's form: BIGINT and DECIMAL as digits, DATE `2026-10-01`, TIMESTAMP
 * `2026-10-01 09:15:00.5` (UTC), BINARY `[CA FE]` as Spark shows it; NaN and the infinities as text, which JSON lacks;
 * MAP as a list of pairs, since keys have types and an order.
 */
export function toValue(value: DuckDBValue, type: DataType): Value {
  if (value === null || value === undefined) return null;
  switch (type.kind) {
    case "boolean":
      return Boolean(value);
    case "tinyint":
    case "smallint":
    case "int":
      return Number(value);
    case "float":
    case "double":
      return Number.isFinite(value) ? Number(value) : String(value);
    case "date":
      return formatDate((value as DuckDBDateValue).days);
    case "timestamp":
      return formatMicros((value as DuckDBTimestampTZValue).micros);
    case "timestamp_ntz":
      return formatMicros((value as DuckDBTimestampValue).micros);
    case "binary":
      return `[${[...(value as DuckDBBlobValue).bytes].map((b) => b.toString(16).toUpperCase().padStart(2, "0")).join(" ")}]`;
    case "array":
      return (value as DuckDBListValue).items.map((item) => toValue(item, type.element));
    case "struct": {
      const { entries } = value as DuckDBStructValue;
      return Object.fromEntries(type.fields.map((f) => [f.name, toValue(entries[f.name] ?? null, f.type)]));
    }
    case "map":
      return (value as DuckDBMapValue).entries.map((e) => [toValue(e.key, type.key), toValue(e.value, type.value)]);
    default:
      return String(value);
  }
}

const DAY_MICROS = 86_400_000_000n;

/** Days since 1970-01-01 as a date of the proleptic Gregorian calendar; years beyond 9999 get a sign, as in Spark. */
function formatDate(days: number): string {
  const date = new Date(days * 86_400_000);
  const year = date.getUTCFullYear();
  const yyyy =
    year > 9999 ? `+${year}` : year < 0 ? `-${String(-year).padStart(4, "0")}` : String(year).padStart(4, "0");
  return `${yyyy}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

/** Microseconds since the epoch; the fraction without its trailing zeros, as Spark prints it. */
function formatMicros(micros: bigint): string {
  const inDay = ((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
  const days = Number((micros - inDay) / DAY_MICROS);
  const seconds = Number(inDay / 1_000_000n);
  const fraction = String(inDay % 1_000_000n)
    .padStart(6, "0")
    .replace(/0+$/, "");
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(":");
  return `${formatDate(days)} ${time}${fraction === "" ? "" : `.${fraction}`}`;
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}
