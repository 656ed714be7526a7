import { IngotError } from "../../../../model/error.js";
import { parseZone, zoneOffset } from "./zone.js";

/**
 * Dates and timestamps in all forms that Spark 4.2's CSV source takes: `SparkDateTimeUtils.stringToDate` and
 * `parseTimestampString`, and after a failure once more without the letters GMT. The session's time zone is UTC.
 */

const DATE = /^([+-]?)([0-9]{4,7})(?:-([0-9]{1,2})(?:-([0-9]{1,2})(?:[ T].*)?)?)?$/s;
/** What DuckDB's DATE holds; its outermost values mean infinity. Spark's holds a few hundred days more. */
const MAX_DATE = 2 ** 31 - 2;

/** Days since 1970-01-01, undefined for text that is no date. What follows a blank or a T behind the day is ignored. */
export function parseDate(text: string): number | undefined {
  return parseDateStrictly(text) ?? (text.includes("GMT") ? parseDateStrictly(text.replaceAll("GMT", "")) : undefined);
}

function parseDateStrictly(text: string): number | undefined {
  const [matched, sign, year, month, day] = DATE.exec(trim(text)) ?? [];
  if (matched === undefined) return undefined;
  const days = daysOf(sign, year, month, day);
  // Spark keeps the days in 32 bits.
  if (days === undefined || days > 2 ** 31 - 1 || days < -(2 ** 31)) return undefined;
  if (Math.abs(days) > MAX_DATE) throw beyondEngine(text, "date");
  return days;
}

const TIME = String.raw`(?<hour>[0-9]{1,2})(?::(?<minute>[0-9]{1,2})(?::(?<second>[0-9]{1,2})(?:\.(?<fraction>[0-9]*))?(?<zone>[^0-9.].*)?)?)?`;
const TIMESTAMP = new RegExp(
  `^(?<sign>[+-]?)(?<year>[0-9]{4,6})(?:-(?<month>[0-9]{1,2})(?:-(?<day>[0-9]{1,2})(?:[ T]${TIME})?)?)?$`,
  "s",
);
const TIME_ALONE = new RegExp(`^(?:T|(?=[0-9]{1,2}:))${TIME}$`, "s");
/** What DuckDB's timestamps hold, in microseconds; Spark's hold all 64 bits. */
const MAX_TIMESTAMP = 2n ** 63n - 2n;
const MIN_TIMESTAMP = -9_223_372_022_400_000_000n;

/**
 * Microseconds since 1970-01-01 00:00 UTC, undefined for text that is no timestamp.
 *
 * @param regions see {@link parseZone}.
 * @throws NOT_SUPPORTED for a time of day alone, which Spark completes with the day of the run.
 */
export function parseTimestamp(text: string, regions: ReadonlySet<string>): bigint | undefined {
  const micros = parseInstant(text, regions);
  return micros ?? (text.includes("GMT") ? parseInstant(text.replaceAll("GMT", ""), regions) : undefined);
}

function parseInstant(text: string, regions: ReadonlySet<string>): bigint | undefined {
  const trimmed = trim(text);
  // A leading T is no time of day where blanks stand before it.
  const alone = text.startsWith("T") || !trimmed.startsWith("T") ? TIME_ALONE.exec(trimmed) : null;
  const parts = (TIMESTAMP.exec(trimmed) ?? alone)?.groups;
  if (parts === undefined) return undefined;
  const zone =
    parts["zone"] === undefined ? 0 : parseZone(parts["zone"].replace(/^[\0-\x20]+|[\0-\x20]+$/g, ""), regions);
  const seconds = secondsOf(parts);
  if (zone === undefined || seconds === undefined) return undefined;
  if (alone !== null) {
    throw new IngotError("NOT_SUPPORTED", `The timestamp "${text}" is a time without a day.`, {
      hint: "Spark would take the day of the run, which a replay could not repeat. Declare the column as STRING.",
    });
  }
  const days = daysOf(parts["sign"], parts["year"], parts["month"], parts["day"]);
  if (days === undefined) return undefined;
  const local = days * 86_400 + seconds;
  return inRange(BigInt(local - zoneOffset(zone, local)) * 1_000_000n + microsOf(parts), text);
}

/** Microseconds since 1970-01-01 00:00 of a clock without a zone; text with a zone or without a day is none. */
export function parseLocalTimestamp(text: string): bigint | undefined {
  const parts = TIMESTAMP.exec(trim(text))?.groups;
  if (parts === undefined || parts["zone"] !== undefined) return undefined;
  const days = daysOf(parts["sign"], parts["year"], parts["month"], parts["day"]);
  const seconds = secondsOf(parts);
  if (days === undefined || seconds === undefined) return undefined;
  return inRange(BigInt(days * 86_400 + seconds) * 1_000_000n + microsOf(parts), text);
}

function inRange(micros: bigint, text: string): bigint | undefined {
  if (BigInt.asIntN(64, micros) !== micros) return undefined;
  if (micros > MAX_TIMESTAMP || micros < MIN_TIMESTAMP) throw beyondEngine(text, "timestamp");
  return micros;
}

function secondsOf(parts: Record<string, string | undefined>): number | undefined {
  const hour = Number(parts["hour"] ?? 0);
  const minute = Number(parts["minute"] ?? 0);
  const second = Number(parts["second"] ?? 0);
  return hour > 23 || minute > 59 || second > 59 ? undefined : hour * 3600 + minute * 60 + second;
}

/** Digits beyond the sixth are cut off. */
function microsOf(parts: Record<string, string | undefined>): bigint {
  return BigInt((parts["fraction"] ?? "").slice(0, 6).padEnd(6, "0"));
}

/** Days since 1970-01-01 of a day in the proleptic Gregorian calendar; undefined where there is no such day. */
function daysOf(sign = "", yearText = "", monthText = "1", dayText = "1"): number | undefined {
  const year = Number(sign + yearText);
  const month = Number(monthText);
  const day = Number(dayText);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  // Years that begin in March have their leap day at the end.
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - 719_468;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Spark trims blanks and ASCII control characters, not the blanks of Unicode. */
function trim(text: string): string {
  return text.replace(/^[\0-\x20\x7f]+|[\0-\x20\x7f]+$/g, "");
}

function beyondEngine(text: string, type: string): IngotError {
  return new IngotError("NOT_SUPPORTED", `The ${type} "${text}" lies beyond what DuckDB can hold.`, {
    hint: "Declare the column as STRING.",
  });
}
