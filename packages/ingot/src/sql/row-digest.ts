import type { DataType, Field, StructType } from "../model/data-type.js";
import { quoteIdentifier } from "../model/name.js";
import { quoteString } from "./quote.js";

/**
 * A Spark SQL expression over these columns of a row: SHA-256 of the row's canonical text, as 64 hexadecimal digits.
 * Every engine computes the same, so that the order of events which nothing else tells apart is the same everywhere
 * (law 5): two rows have one digest when their values are equal.
 *
 * The canonical text names each column that is not NULL, in the order of the names, so that it depends neither on the
 * order of columns nor on columns that came later and are NULL here. A text stands behind its length, what else has no
 * end of its own before `;`:
 *
 * | type | text |
 * |---|---|
 * | column or field | length of the name, `:`, the name in lower case, the value |
 * | boolean, whole numbers, DECIMAL, DATE, TIMESTAMP_NTZ | as cast to STRING, `;` |
 * | FLOAT, DOUBLE | the same, -0.0 as 0.0 |
 * | TIMESTAMP | microseconds since 1970 in UTC, `;` |
 * | BINARY | hexadecimal digits, `;` |
 * | STRING | length in characters, `:`, the characters |
 * | ARRAY | number of elements, `[`, each element or `~` for NULL, `]` |
 * | MAP | number of entries, `{`, each key and its value or `~`, in the order of these texts, `}` |
 * | STRUCT | `(`, its fields like columns, `)` |
 *
 * @param relation that the columns are of; absent: their names are enough
 */
export function rowDigest(columns: readonly Field[], relation?: string): string {
  const read = (name: string) => (relation === undefined ? "" : `${relation}.`) + quoteIdentifier(name);
  return `sha2(${recordText(columns, read)}, 256)`;
}

/** Calls take no more arguments than this. */
const MOST = 1000;

function recordText(fields: readonly Field[], read: (name: string) => string, depth = 0): string {
  const texts = fields
    // VOID is NULL always.
    .filter(({ type }) => type.kind !== "void")
    .map((field) => ({ ...field, key: field.name.toLowerCase() }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ name, key, type }) => {
      const label = quoteString(`${[...key].length}:${key}`);
      return `concat(${label}, ${valueText(read(name), type, depth)})`;
    });
  if (texts.length === 0) return "''";
  // `array_join` leaves out what is NULL.
  const parts = Array.from(
    { length: Math.ceil(texts.length / MOST) },
    (_, i) => `array_join(array(${texts.slice(i * MOST, (i + 1) * MOST).join(", ")}), '')`,
  );
  return parts.length === 1 ? (parts[0] ?? "") : `concat(${parts.join(", ")})`;
}

/** NULL where the value is. */
function valueText(value: string, type: DataType, depth: number): string {
  const element = `e${depth}`;
  switch (type.kind) {
    case "string":
      return `concat(CAST(length(${value}) AS STRING), ':', ${value})`;
    case "binary":
      return `concat(hex(${value}), ';')`;
    case "timestamp":
      return `concat(CAST(unix_micros(${value}) AS STRING), ';')`;
    case "float":
    case "double":
      return `concat(CAST(${value} + CAST(0 AS ${type.kind}) AS STRING), ';')`;
    case "array": {
      const each = `transform(${value}, ${element} -> ${orNull(valueText(element, type.element, depth + 1))})`;
      return `concat(CAST(size(${value}) AS STRING), '[', array_join(${each}, ''), ']')`;
    }
    case "map": {
      const key = valueText(`${element}.key`, type.key, depth + 1);
      const item = orNull(valueText(`${element}.value`, type.value, depth + 1));
      const each = `transform(map_entries(${value}), ${element} -> concat(${key}, ${item}))`;
      return `concat(CAST(size(${value}) AS STRING), '{', array_join(sort_array(${each}), ''), '}')`;
    }
    case "struct":
      return `CASE WHEN ${value} IS NOT NULL THEN ${structText(value, type, depth)} END`;
    default:
      return `concat(CAST(${value} AS STRING), ';')`;
  }
}

function structText(value: string, { fields }: StructType, depth: number): string {
  return `concat('(', ${recordText(fields, (name) => `${value}.${quoteIdentifier(name)}`, depth)}, ')')`;
}

function orNull(text: string): string {
  return `coalesce(${text}, '~')`;
}
