import type { DataType, IntervalField, IntervalType } from "../../model/data-type.js";
import { castTo, raise } from "../lower/lower-text.js";
import type { ArithmeticOperator, Interval } from "../parse/ast.js";
import { coerce, describe, type Place, unsupported } from "./bind-place.js";
import { anyNullable, type Bound, derive, joinNames } from "./bound.js";
import {
  BIGINT,
  commonInterval,
  DATE,
  INTERVAL_FIELDS,
  isDatetime,
  isInteger,
  isMonths,
  TIMESTAMP,
} from "./type-rules.js";

/*
 * In DuckDB an interval of months has months alone, one of days and seconds has microseconds alone: so their
 * comparisons are those of Spark, and the days are told from the rest where a moment meets them.
 */

/** Microseconds of 24 hours. */
export const DAY = 86_400_000_000n;

export function bindInterval({ type, value, at }: Interval): Bound {
  const sql = isMonths(type) ? `to_months(${value})` : `to_microseconds(${value})`;
  return derive([], { sql, type, nullable: false, name: intervalName(type, value), at });
}

const SIZES: Readonly<Record<IntervalField, bigint>> = {
  year: 12n,
  month: 1n,
  day: DAY,
  hour: 3_600_000_000n,
  minute: 60_000_000n,
  second: 1_000_000n,
};

/** `INTERVAL '1 02:03' DAY TO MINUTE`: the first field as it is, the others (and all times alone) in two digits. */
function intervalName({ from, to }: IntervalType, value: bigint): string {
  let rest = value < 0n ? -value : value;
  let text = value < 0n ? "-" : "";
  for (const field of INTERVAL_FIELDS.slice(INTERVAL_FIELDS.indexOf(from), INTERVAL_FIELDS.indexOf(to) + 1)) {
    const size = SIZES[field];
    const sign = field === from ? "" : field === "month" ? "-" : field === "hour" ? " " : ":";
    const wide = field === "hour" || field === "minute" || field === "second";
    text += `${sign}${String(rest / size).padStart(wide ? 2 : 1, "0")}`;
    rest %= size;
  }
  if (to === "second" && rest > 0n) text += `.${String(rest).padStart(6, "0").replace(/0+$/, "")}`;
  return `INTERVAL '${text}' ${from.toUpperCase()}${from === to ? "" : ` TO ${to.toUpperCase()}`}`;
}

/** Arithmetic in which an interval or two moments stand; undefined where none does. */
export function bindIntervalArithmetic(
  place: Place,
  op: ArithmeticOperator,
  left: Bound,
  right: Bound,
  at: number,
): Bound | undefined {
  const { type: a } = left;
  const { type: b } = right;
  if (op === "-" && isDatetime(a) && isDatetime(b)) return bindDifference(place, left, right, at);
  if (a.kind !== "interval" && b.kind !== "interval") return undefined;
  if ((op === "+" || op === "-") && isDatetime(a)) return bindShift(place, op, left, right, at);
  if (op === "+" && isDatetime(b)) return bindShift(place, op, right, left, at);
  if ((op === "+" || op === "-") && a.kind === "interval" && b.kind === "interval") {
    const type = commonInterval(a, b);
    if (type !== undefined) return bindSum(op, left, right, type, at);
  }
  if (op === "*" && a.kind === "interval" && isInteger(b)) return bindMultiple(place, left, a, right, at);
  if (op === "*" && b.kind === "interval" && isInteger(a)) return bindMultiple(place, right, b, left, at);
  if (op === "/" && a.kind === "interval" && isInteger(b)) return bindQuotient(place, left, a, right, at);
  throw unsupported(place, at, `${describe(a)} ${op} ${describe(b)}`, "Compute with numbers of days or months.");
}

/** Microseconds of an interval of days and seconds. */
export const micros = (sql: string) => `epoch_us(${sql})`;

function bindSum(op: "+" | "-", left: Bound, right: Bound, type: IntervalType, at: number): Bound {
  const months = isMonths(type);
  return derive([left, right], {
    sql: months
      ? `(${left.sql} ${op} ${right.sql})`
      : `to_microseconds(${micros(left.sql)} ${op} ${micros(right.sql)})`,
    type,
    nullable: anyNullable([left, right]),
    name: joinNames([left, right], ([x, y]) => `(${x} ${op} ${y})`),
    at,
    throws: true,
  });
}

function bindMultiple(place: Place, interval: Bound, type: IntervalType, factor: Bound, at: number): Bound {
  const times = coerce(place, factor, BIGINT).sql;
  const months = isMonths(type);
  return derive([interval, factor], {
    sql: months
      ? `to_months(CAST(${monthsOf(interval.sql)} * ${times} AS INTEGER))`
      : `to_microseconds(${micros(interval.sql)} * ${times})`,
    type: { kind: "interval", from: months ? "year" : "day", to: months ? "month" : "second" },
    nullable: anyNullable([interval, factor]),
    name: joinNames([interval, factor], ([x, y]) => `(${x} * ${y})`),
    at,
    throws: true,
  });
}

/** By a whole number, half up. */
function bindQuotient(place: Place, interval: Bound, type: IntervalType, divisor: Bound, at: number): Bound {
  const by = `CAST(${coerce(place, divisor, BIGINT).sql} AS HUGEINT)`;
  const months = isMonths(type);
  const total = `CAST(${months ? monthsOf(interval.sql) : micros(interval.sql)} AS HUGEINT)`;
  const zero = castTo(raise("INTERVAL_DIVIDED_BY_ZERO", "Division by zero."), { kind: "bigint" });
  const quotient = `CASE WHEN ${by} = 0 THEN ${zero} ELSE CAST(spark_round_div(${total}, ${by}) AS BIGINT) END`;
  return derive([interval, divisor], {
    sql: months ? `to_months(CAST(${quotient} AS INTEGER))` : `to_microseconds(${quotient})`,
    type: { kind: "interval", from: months ? "year" : "day", to: months ? "month" : "second" },
    nullable: anyNullable([interval, divisor]),
    name: joinNames([interval, divisor], ([x, y]) => `(${x} / ${y})`),
    at,
    throws: true,
  });
}

/** Months of an interval of years and months. */
export function monthsOf(sql: string): string {
  return `(date_part('year', ${sql}) * 12 + date_part('month', ${sql}))`;
}

/** A moment and months or days, in the session's zone where it is one on the line of time. */
export function addByClock(moment: string, amount: string, type: DataType): string {
  return type.kind === "timestamp" ? `spark_add_by_clock(${moment}, ${amount})` : `(${moment} + ${amount})`;
}

/** A moment and an interval. A day of the clock may have 23 hours: days are added to the calendar, the rest to time. */
function bindShift(place: Place, op: "+" | "-", moment: Bound, interval: Bound, at: number): Bound {
  const { type } = interval;
  if (type.kind !== "interval")
    throw unsupported(place, at, `${describe(moment.type)} ${op} ${describe(type)}`, "Use date_add.");
  const isDays = moment.type.kind === "date" && type.from === "day" && type.to === "day";
  const sign = op === "-" ? "-" : "";
  const total = `(${sign}${micros(interval.sql)})`;
  const kept: DataType = moment.type.kind === "date" && !isDays && !isMonths(type) ? TIMESTAMP : moment.type;
  const start = coerce(place, moment, kept).sql;
  const byClock = (amount: string) => addByClock(start, amount, kept);
  const sql = isMonths(type)
    ? castTo(byClock(`to_months(CAST(${sign}${monthsOf(interval.sql)} AS INTEGER))`), kept)
    : isDays
      ? `(${start} + CAST(${total} // ${DAY} AS INTEGER))`
      : `(${byClock(`to_days(CAST(${total} // ${DAY} AS INTEGER))`)} + to_microseconds(${total} % ${DAY}))`;
  const days = (name: string) =>
    op === "-" ? `(- extractansiintervaldays(${name}))` : `extractansiintervaldays(${name})`;
  return derive([moment, interval], {
    sql,
    type: isDays ? DATE : kept,
    nullable: anyNullable([moment, interval]),
    name: joinNames([moment, interval], ([x, y = ""]) => (isDays ? `date_add(${x}, ${days(y)})` : `${x} ${op} ${y}`)),
    at,
    throws: true,
  });
}

/** Two dates are days apart; moments are as far apart as their readings of the clock. */
function bindDifference(place: Place, left: Bound, right: Bound, at: number): Bound {
  const areDates = left.type.kind === "date" && right.type.kind === "date";
  const clock = (side: Bound): string => {
    const moment = side.type.kind === "date" ? coerce(place, side, TIMESTAMP) : side;
    return micros(castTo(moment.sql, { kind: "timestamp_ntz" }));
  };
  return derive([left, right], {
    sql: areDates
      ? `to_microseconds(CAST(${left.sql} - ${right.sql} AS BIGINT) * ${DAY})`
      : `to_microseconds(${clock(left)} - ${clock(right)})`,
    type: { kind: "interval", from: "day", to: areDates ? "day" : "second" },
    nullable: anyNullable([left, right]),
    name: joinNames([left, right], ([x, y]) => `(${x} - ${y})`),
    at,
    throws: true,
  });
}
