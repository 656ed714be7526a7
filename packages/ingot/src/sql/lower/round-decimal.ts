import type { DecimalType } from "../../model/data-type.js";
import { once } from "./lower-once.js";
import { castTo, duckdbType } from "./lower-text.js";
import { NARROW_DIGITS } from "./narrow-product.js";

/**
 * DuckDB's text of a decimal with fewer decimals, half up. In 128 bits DuckDB divides bit by bit, which takes fifty times as
 * long as in 64: what has room there is rounded there.
 *
 * @param lenient NULL where the type has no place for the value, instead of an error
 */
export function roundDecimal(sql: string, from: DecimalType, to: DecimalType, lenient = false): string {
  const cast = (x: string) => (lenient ? `TRY_CAST(${x} AS ${duckdbType(to)})` : castTo(x, to));
  if (to.scale >= from.scale) return cast(sql);
  return preferNarrow(sql, from, cast);
}

/** DuckDB's text of a decimal as a HUGEINT; its decimals are zeros. */
export function wholeDecimal(sql: string, from: DecimalType): string {
  return preferNarrow(sql, from, (x) => `CAST(${x} AS HUGEINT)`);
}

function preferNarrow(sql: string, type: DecimalType, use: (sql: string) => string): string {
  if (type.precision <= NARROW_DIGITS || type.scale >= NARROW_DIGITS) return use(sql);
  const narrow = duckdbType({ ...type, precision: NARROW_DIGITS });
  // A text of which nothing is known may draw another value each time.
  const operand = { sql, volatile: !/^[\w."]+$/.test(sql) };
  return once([operand], ({ sql: x }) => `coalesce(${use(`TRY_CAST(${x} AS ${narrow})`)}, ${use(x)})`);
}
