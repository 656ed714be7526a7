/**
 * A value of a row, exact for every type of Delta:
 *
 * | Delta type | value |
 * |-|-|
 * | byte, short, integer, float, double | number |
 * | long | bigint |
 * | decimal(p,s) | text with s digits behind the point: `"12.50"` |
 * | string | text |
 * | binary | Uint8Array |
 * | boolean | boolean |
 * | date | `"2024-05-01"` |
 * | timestamp | `"2024-05-01T10:00:00.123456Z"`, always UTC, always six digits |
 * | timestamp_ntz | `"2024-05-01T10:00:00.123456"` |
 * | struct | an object by field name |
 * | array | an array |
 * | map | a Map in the file's order; keys are values, so two binary keys with the same bytes are two keys of the Map |
 *
 * NULL is null in all of them. Years beyond 0000 to 9999 are written as in ECMAScript, `"+010000-01-01"`.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Value[]
  | ReadonlyMap<Value, Value>
  | StructValue;

export interface StructValue {
  readonly [field: string]: Value;
}

/** The value of a column, or of a field of a struct; NULL where a struct around it is. */
export function valueAt(row: StructValue, path: readonly string[]): Value {
  return path.reduce<Value>((value, name) => (value as StructValue | null)?.[name] ?? null, row);
}

/** A row by the names of its columns. */
export type Row = StructValue;

/**
 * A row that a caller gives. Beside the values of a `Row`, a long may be a whole number, a decimal a bigint or a whole
 * number, a timestamp a Date or a text with fewer digits or an offset. A column that is left out, or undefined, gets
 * its default, else NULL.
 */
export type InputRow = Readonly<Record<string, unknown>>;

/** The value that a caller's row has for a column; undefined also for what every object has: `constructor`, `toString`. */
export function ownValue(row: InputRow, name: string): unknown {
  const value = row[name];
  return value === (Object.prototype as InputRow)[name] ? undefined : value;
}
