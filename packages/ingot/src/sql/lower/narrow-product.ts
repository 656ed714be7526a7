import type { DecimalType } from "../../model/data-type.js";
import type { Bound } from "../bind/bound.js";
import { isDecimal } from "../bind/type-rules.js";
import { castTo } from "./lower-text.js";

/** Digits that 64 bits hold. */
export const NARROW_DIGITS = 18;

/**
 * DuckDB's text of a product of decimals in 64 bits, which it computes several times as fast as in 128; it fails where a
 * value needs more. Undefined where DuckDB would take 128 bits, or where TRY could not hold the failure.
 */
export function narrowProduct(a: Bound, b: Bound): string | undefined {
  const [x, y] = [narrowOf(a), narrowOf(b)];
  const scale = [a, b].reduce((sum, { type }) => sum + (isDecimal(type) ? type.scale : 0), 0);
  return x === undefined || y === undefined || scale >= NARROW_DIGITS ? undefined : `(${x} * ${y})`;
}

/**
 * A narrow product with `factor`, or NULL where 64 bits do not hold it. DuckDB computes what several expressions share
 * once and beside them, where no TRY would hold a failure; into the branches of a CASE it does not look.
 */
export function tryProduct(product: string, factor: Bound, result: DecimalType): string {
  return `CASE WHEN ${factor.sql} IS NOT NULL THEN TRY(${castTo(product, result)}) END`;
}

function narrowOf(bound: Bound): string | undefined {
  if (!isDecimal(bound.type) || bound.aggregate || bound.window || bound.volatile) return undefined;
  // Of a value that was changed since, by a cast say, it is no more the text.
  const sql = bound.narrow?.of === bound.sql ? bound.narrow.sql : bound.sql;
  const isNarrow = sql !== bound.sql || bound.type.precision <= NARROW_DIGITS;
  return isNarrow && isPlain(sql) ? sql : undefined;
}

/** Short, and nothing that TRY refuses: subqueries, `error`, and functions of the host, which count as volatile. */
function isPlain(sql: string): boolean {
  return sql.length <= 300 && !/\bSELECT\b|\berror\(|\bspark_/.test(sql);
}
