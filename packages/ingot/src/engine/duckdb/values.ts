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
import { formatBinary, formatDate, formatMicros } from "../value-text.js";

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
      return formatBinary((value as DuckDBBlobValue).bytes);
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
