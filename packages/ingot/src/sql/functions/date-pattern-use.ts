import type { DataType } from "../../model/data-type.js";
import { coerce } from "../bind/bind-place.js";
import type { Bound } from "../bind/bound.js";
import { atomic } from "../bind/type-rules.js";
import { castTo, quoteText } from "../lower/lower-text.js";
import { compileDateFormat, compileDateParser } from "./date-pattern.js";
import { arg, textOf, type Use, unsupportedForm } from "./function.js";
import { FORMAT_DATE } from "./host/date-format.js";
import { PARSE_DATE } from "./host/date-parse.js";
import { hasOffset, type PatternItem, PatternRefusal, readPattern } from "./host/date-pattern.js";
import { callHost } from "./host/host-function.js";

/** A reading of the clock: a moment's in the session's zone, a date's midnight. */
export function clockReading(use: Use, value: Bound): Bound {
  return coerce(use.place, value, atomic("timestamp_ntz"));
}

/** A constant pattern, checked. @throws IngotError UNSUPPORTED_FUNCTION */
export function patternOf(
  use: Use,
  index: number,
  reading: "format" | "parse",
): readonly [string, readonly PatternItem[]] {
  const pattern = textOf(use, index);
  const at = arg(use, index).at;
  if (pattern === undefined)
    throw unsupportedForm(use, `${use.call.name} by a computed pattern`, "Write the pattern as a constant.", at);
  try {
    return [pattern, readPattern(pattern, reading)];
  } catch (error) {
    if (!(error instanceof PatternRefusal)) throw error;
    throw unsupportedForm(use, error.message, "See Spark's datetime patterns; names of zones are not read here.", at);
  }
}

/** The text of a moment or date by a pattern. */
export function formatMoment(use: Use, value: Bound, pattern: string, items: readonly PatternItem[]): string {
  const plain = compileDateFormat(pattern);
  const local = clockReading(use, value).sql;
  const offset =
    hasOffset(items) && value.type.kind === "timestamp"
      ? `CAST((epoch_us(${local}) - epoch_us(${value.sql})) // 1000000 AS INTEGER)`
      : "0";
  const host = callHost(FORMAT_DATE, `epoch_us(${local})`, offset, quoteText(pattern));
  if (plain === undefined) return host;
  // Years of other than four digits have a sign or fewer digits.
  return `CASE WHEN year(${local}) BETWEEN 1000 AND 9999 THEN strftime(${local}, ${quoteText(plain)}) ELSE ${host} END`;
}

/** The moment (date) that a text means by a pattern; NULL where it does not fit. */
export function parseByPattern(sql: string, pattern: string, items: readonly PatternItem[], type: DataType): string {
  const plain = compileDateParser(pattern);
  const micros = callHost(PARSE_DATE, sql, quoteText(pattern));
  if (hasOffset(items)) return castTo(`make_timestamptz(${micros})`, type);
  const reading = plain === undefined ? `make_timestamp(${micros})` : `TRY_CAST(${plain(sql)} AS TIMESTAMP)`;
  return type.kind === "timestamp" ? `spark_moment_of(${reading})` : castTo(reading, type);
}
