import { parseDate, parseMicros } from "../files/date-time.js";
import { parseDecimal } from "../files/decimal.js";
import type { DataType } from "../schema/schema.js";
import type { StructValue, Value } from "./value.js";

/**
 * Puts a value into what hyparquet-writer stores for the column: a date as days, a timestamp as microseconds, a decimal
 * without its point, a struct by the physical names of its fields.
 */
export function valueStorer(type: DataType, physical: DataType): (value: Value) => unknown {
  const store = presentStorer(type, physical);
  return (value) => (value === null ? null : store(value));
}

function presentStorer(type: DataType, physical: DataType): (value: Value) => unknown {
  switch (type.kind) {
    case "date":
      return (value) => parseDate(value as string);
    case "timestamp":
      return (value) => parseMicros(value as string, "needed");
    case "timestamp_ntz":
      return (value) => parseMicros(value as string, "none");
    case "decimal":
      return (value) => parseDecimal(value as string, type.precision, type.scale);
    case "array": {
      const element = valueStorer(type.element, physical.kind === "array" ? physical.element : type.element);
      return (value) => (value as readonly Value[]).map(element);
    }
    case "map": {
      const key = valueStorer(type.key, physical.kind === "map" ? physical.key : type.key);
      const item = valueStorer(type.value, physical.kind === "map" ? physical.value : type.value);
      return (value) => Array.from(value as ReadonlyMap<Value, Value>, ([k, v]) => ({ key: key(k), value: item(v) }));
    }
    case "struct": {
      const fields = type.fields.map((field, i) => {
        const place = (physical.kind === "struct" ? physical.fields[i] : undefined) ?? field;
        return { name: field.name, stored: place.name, store: valueStorer(field.type, place.type) };
      });
      return (value) =>
        Object.fromEntries(
          fields.map(({ name, stored, store }) => [stored, store((value as StructValue)[name] ?? null)]),
        );
    }
    default:
      return (value) => value;
  }
}
