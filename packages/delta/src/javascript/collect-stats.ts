import { compareKeys } from "../files/sort-key.js";
import type { ColumnStats } from "../files/stats.js";
import type { DataType, StructType } from "../schema/schema.js";
import type { StructValue, Value } from "./value.js";
import { hasOrder, valueKey } from "./value-key.js";

/** Statistics of rows as `formatStats` takes them; `physical` gives the names, place by place. */
export function collectStats(
  rows: readonly StructValue[],
  schema: StructType,
  physical: StructType,
): Map<string, ColumnStats> {
  const columns = new Map<string, ColumnStats>();
  collect(rows, schema, physical, "", columns);
  return columns;
}

function collect(
  rows: readonly (StructValue | null)[],
  schema: StructType,
  physical: StructType,
  prefix: string,
  columns: Map<string, ColumnStats>,
): void {
  for (const [i, { name, type }] of schema.fields.entries()) {
    const place = physical.fields[i] ?? { name, type };
    const path = `${prefix}"${place.name.replaceAll('"', '""')}"`;
    const values = rows.map((row) => row?.[name] ?? null);
    if (type.kind === "struct" && place.type.kind === "struct")
      collect(values as (StructValue | null)[], type, place.type, `${path}.`, columns);
    else columns.set(path, columnStats(values, type));
  }
}

function columnStats(values: readonly Value[], type: DataType): ColumnStats {
  const present = values.filter((value) => value !== null);
  const nullCount = values.length - present.length;
  const [first] = present;
  if (first === undefined || !hasOrder(type)) return { nullCount };
  if (present.some((value) => Number.isNaN(value))) return { nullCount, hasNan: true };
  let min = { value: first, key: valueKey(type, first) };
  let max = min;
  for (const value of present) {
    const key = valueKey(type, value);
    if (compareKeys(key, min.key) < 0) min = { value, key };
    if (compareKeys(key, max.key) > 0) max = { value, key };
  }
  return { nullCount, min: print(type, min.value), max: print(type, max.value) };
}

/** As DuckDB prints it. */
function print(type: DataType, value: Value): string {
  const text = String(value);
  if (type.kind === "timestamp") return text.replace("T", " ").replace("Z", "+00");
  return type.kind === "timestamp_ntz" ? text.replace("T", " ") : text;
}
