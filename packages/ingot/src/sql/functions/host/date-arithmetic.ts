import { hostFunction, SparkCondition } from "./host-function.js";

/** Arithmetic on readings of the clock, in micros since 1970. */

const DAY = 86_400_000_000n;
const floorDiv = (a: bigint, b: bigint) => a / b - (a % b < 0n ? 1n : 0n);

function fieldsOf(micros: bigint) {
  const days = floorDiv(micros, DAY);
  const date = new Date(Number(days) * 86_400_000);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const next = new Date(date);
  next.setUTCDate(date.getUTCDate() + 1);
  return { month, day: date.getUTCDate(), isLast: next.getUTCDate() === 1, time: micros - days * DAY };
}

/**
 * `DateTimeUtils.monthsBetween`: months of 31 days, but whole ones between equal days and between last days. Of each side
 * the midnight of its day and what has passed since.
 */
export const MONTHS_BETWEEN = hostFunction(
  "months_between",
  ["bigint", "bigint", "bigint", "bigint", "boolean"],
  "double",
  (leftDay, leftTime, rightDay, rightTime, rounds) => {
    const [a, b] = [fieldsOf(leftDay), fieldsOf(rightDay)];
    const months = a.month - b.month;
    if (a.day === b.day || (a.isLast && b.isLast)) return months;
    const seconds = (a.day - b.day) * 86_400 + Number(leftTime / 1_000_000n) - Number(rightTime / 1_000_000n);
    const exact = months + seconds / (31 * 86_400);
    return rounds ? Math.floor(exact * 1e8 + 0.5) / 1e8 : exact;
  },
);

const UNITS: Readonly<Record<string, bigint>> = {
  MICROSECOND: 1n,
  MILLISECOND: 1000n,
  SECOND: 1_000_000n,
  MINUTE: 60_000_000n,
  HOUR: 3_600_000_000n,
  DAY,
  WEEK: 7n * DAY,
};
const MONTHS: Readonly<Record<string, number>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };

/** Whole units from the first to the second, cut off toward zero (`ChronoUnit.between`). */
export const UNITS_BETWEEN = hostFunction(
  "units_between",
  ["string", "bigint", "bigint"],
  "bigint",
  (unit, from, to) => {
    const width = UNITS[unit];
    if (width !== undefined) return (to - from) / width;
    const start = fieldsOf(from);
    const late = fieldsOf(to);
    // A part of a day at the end does not count.
    const before = late.time < start.time && to > from ? -1n : late.time > start.time && to < from ? 1n : 0n;
    const end = fieldsOf(to + before * DAY);
    const days = end.month * 32 + end.day - (start.month * 32 + start.day);
    return BigInt(Math.trunc(Math.trunc(days / 32) / (MONTHS[unit] ?? 1)));
  },
);

/** Of a date and a time whose seconds are given in micros; 60 seconds are the next minute. NULL, or an error, for others. */
export const MAKE_TIMESTAMP = hostFunction(
  "make_timestamp",
  ["int", "int", "int", "int", "int", "bigint", "boolean"],
  "bigint",
  (year, month, day, hour, minute, micros, lenient) => {
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && month >= 1 && month <= 12;
    const isTime = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && micros >= 0n;
    if (isDate && isTime && year >= 1 && year <= 9999 && (micros < 60_000_000n || micros === 60_000_000n))
      return BigInt(date.getTime()) * 1000n + BigInt(hour * 3600 + minute * 60) * 1_000_000n + micros;
    if (lenient) return undefined;
    if (isDate && isTime && micros > 60_000_000n && micros < 61_000_000n)
      throw new SparkCondition(
        "INVALID_FRACTION_OF_SECOND",
        "Valid range for seconds is [0, 60] (inclusive): a fraction cannot follow 60.",
      );
    throw new SparkCondition(
      "DATETIME_FIELD_OUT_OF_BOUNDS",
      `There is no time ${year}-${month}-${day} ${hour}:${minute}. Use the try_ function to get NULL instead.`,
    );
  },
);

export const DATE_ARITHMETIC = [MONTHS_BETWEEN, UNITS_BETWEEN, MAKE_TIMESTAMP];
