import type { DataType } from "../../model/data-type.js";
import { addByClock } from "../bind/bind-interval.js";
import { coerce } from "../bind/bind-place.js";
import { anyNullable, type Bound, callName } from "../bind/bound.js";
import {
  atomic,
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  INT,
  isDatetime,
  isDecimal,
  isFloating,
  isInteger,
  isNumeric,
  STRING,
  TIMESTAMP,
} from "../bind/type-rules.js";
import { microsOf } from "../lower/lower-cast.js";
import { castTo, quoteText, raise } from "../lower/lower-text.js";
import { clockReading } from "./date-pattern-use.js";
import {
  arg,
  argOf,
  type Functions,
  type Lowered,
  mismatch,
  nameWithDefault,
  type SparkFunction,
  scalar,
  simple,
  textOf,
  type Use,
  unsupportedForm,
} from "./function.js";
import { MONTHS_BETWEEN, UNITS_BETWEEN } from "./host/date-arithmetic.js";
import { callHost } from "./host/host-function.js";

const NTZ = atomic("timestamp_ntz");

const clock = (type: DataType, name: string): SparkFunction =>
  scalar(0, 0, () => ({
    // One moment for the whole query.
    sql: type.kind === "timestamp" ? "now()" : castTo("now()", type),
    type,
    nullable: false,
    volatile: true,
    name: `${name}()`,
  }));

const epoch = (type: DataType, divisor: number): SparkFunction =>
  scalar(1, 1, (use) => {
    const value = arg(use, 0);
    // No implicit cast here (`ExpectsInputTypes`).
    if (value.type.kind !== "timestamp" && value.type.kind !== "void") throw mismatch(use, value, "TIMESTAMP");
    const micros = `epoch_us(${coerce(use.place, value, TIMESTAMP).sql})`;
    return {
      sql: divisor === 1 ? micros : `spark_floor_div(${micros}, ${divisor})`,
      type,
      nullable: value.nullable,
    };
  });
const moment = (factor: number): SparkFunction =>
  simple([BIGINT], TIMESTAMP, (n) => `make_timestamptz(${n} * ${factor})`, { throws: true });
const shiftUnits = scalar(2, 3, (use) => (use.args.length === 2 ? shift(use, "+") : addUnits(use)));
const unitsBetween = scalar(2, 3, (use) => (use.args.length === 2 ? difference(use) : countUnits(use)));

export const DATETIMES: Functions = {
  current_timestamp: clock(TIMESTAMP, "current_timestamp"),
  now: clock(TIMESTAMP, "now"),
  current_date: clock(DATE, "current_date"),
  curdate: clock(DATE, "current_date"),
  localtimestamp: clock(NTZ, "localtimestamp"),
  current_timezone: scalar(0, 0, () => ({ sql: "current_setting('TimeZone')", type: STRING, nullable: false })),
  date_add: shiftUnits,
  dateadd: shiftUnits,
  timestampadd: scalar(3, 3, addUnits),
  date_sub: scalar(2, 2, (use) => shift(use, "-")),
  datediff: unitsBetween,
  date_diff: unitsBetween,
  timestampdiff: scalar(3, 3, countUnits),
  last_day: simple([DATE], DATE, (d) => `last_day(${d})`),
  next_day: scalar(2, 2, nextDay),
  add_months: simple([DATE, INT], DATE, (d, n) => castTo(`(${d} + to_months(${n}))`, DATE), { throws: true }),
  months_between: scalar(2, 3, monthsBetween),
  trunc: scalar(2, 2, (use) => truncate(use, 1, 0, DATE_UNITS)),
  date_trunc: scalar(2, 2, (use) => truncate(use, 0, 1, TIME_UNITS)),
  unix_date: simple([DATE], INT, (d) => castTo(`(${d} - DATE '1970-01-01')`, INT)),
  date_from_unix_date: simple([INT], DATE, (n) => `(DATE '1970-01-01' + ${n})`, { throws: true }),
  unix_seconds: epoch(BIGINT, 1_000_000),
  unix_millis: epoch(BIGINT, 1000),
  unix_micros: epoch(BIGINT, 1),
  timestamp_seconds: scalar(1, 1, momentOfSeconds),
  timestamp_millis: moment(1000),
  timestamp_micros: moment(1),
};

/** A date; of a moment, its day in the session's zone. */
function day(use: Use, index: number): Bound {
  return argOf(use, index, DATE);
}

function shift(use: Use, op: "+" | "-"): Lowered {
  const sql = `(${day(use, 0).sql} ${op} ${argOf(use, 1, INT).sql})`;
  const name = callName(op === "+" ? "date_add" : "date_sub", use.args);
  return { sql, type: DATE, nullable: anyNullable(use.args), throws: true, name };
}

function difference(use: Use): Lowered {
  const [end, start] = [day(use, 0), day(use, 1)];
  const sql = castTo(`(${end.sql} - ${start.sql})`, INT);
  return { sql, type: INT, nullable: anyNullable(use.args), throws: end.throws || start.throws };
}

const DATE_UNITS: Readonly<Record<string, string>> = {
  YEAR: "year",
  YYYY: "year",
  YY: "year",
  QUARTER: "quarter",
  MONTH: "month",
  MON: "month",
  MM: "month",
  WEEK: "week",
};
const TIME_UNITS: Readonly<Record<string, string>> = {
  ...DATE_UNITS,
  DAY: "day",
  DD: "day",
  HOUR: "hour",
  MINUTE: "minute",
  SECOND: "second",
  MILLISECOND: "millisecond",
  MICROSECOND: "microsecond",
};

const MICROS = { hour: 3_600_000_000, minute: 60_000_000 };

/** The start of the unit that a date or a moment (in the session's zone) lies in; NULL for a unit that Spark does not know. */
function truncate(use: Use, unitAt: number, valueAt: number, units: Readonly<Record<string, string>>): Lowered {
  const text = textOf(use, unitAt);
  if (text === undefined && arg(use, unitAt).type.kind !== "void")
    throw unsupportedForm(use, `${use.call.name} to a computed unit`, `Use one of ${Object.keys(units).join(", ")}.`);
  const type = units === DATE_UNITS ? DATE : TIMESTAMP;
  const value = argOf(use, valueAt, type);
  const unit = Object.hasOwn(units, text?.toUpperCase() ?? "") ? units[text?.toUpperCase() ?? ""] : undefined;
  const start = (unit: string) =>
    // An hour that comes twice is two hours, which DuckDB's own function takes for one.
    unit === "hour" || unit === "minute"
      ? `(${value.sql} - to_microseconds((epoch_us(${castTo(value.sql, atomic("timestamp_ntz"))}) % ${MICROS[unit]} + ${MICROS[unit]}) % ${MICROS[unit]}))`
      : `date_trunc('${unit}', ${value.sql})`;
  const sql = unit === undefined ? castTo("NULL", type) : castTo(start(unit), type);
  return { sql, type, nullable: true, throws: value.throws };
}

const WEEK = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const WEEKDAYS = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"];

/** The first such day after a date. */
function nextDay(use: Use): Lowered {
  const text = textOf(use, 1)?.trim().toUpperCase();
  if (arg(use, 1).type.kind === "void") return { sql: castTo("NULL", DATE), type: DATE, nullable: true };
  if (text === undefined) throw unsupportedForm(use, "next_day to a computed day", "Write its name.", arg(use, 1).at);
  const index = WEEKDAYS.findIndex((name, i) => [WEEK[i], name.slice(0, 3), name].includes(text));
  const date = day(use, 0).sql;
  const error = castTo(raise("ILLEGAL_DAY_OF_WEEK", `Illegal input for day of week: ${text}.`), DATE);
  const sql =
    index === -1
      ? `CASE WHEN ${date} IS NULL THEN NULL ELSE ${error} END`
      : `(${date} + CAST(1 + (${index} - dayofweek(${date}) + 6) % 7 AS INTEGER))`;
  return { sql, type: DATE, nullable: anyNullable(use.args), throws: true };
}

function monthsBetween(use: Use): Lowered {
  // The time of a day is what has passed since its midnight: on some days not what the clock says.
  const parts = [0, 1].flatMap((index) => {
    const moment = coerce(use.place, argOf(use, index, TIMESTAMP, isDatetime), TIMESTAMP).sql;
    const date = castTo(moment, DATE);
    return [`epoch_us(${date})`, `epoch_us(${moment}) - epoch_us(${castTo(date, TIMESTAMP)})`];
  });
  const rounds = use.args.length > 2 ? argOf(use, 2, BOOLEAN).sql : "true";
  return {
    sql: callHost(MONTHS_BETWEEN, ...parts, rounds),
    type: DOUBLE,
    nullable: anyNullable(use.args),
    throws: true,
    ...(use.args.length > 2 ? {} : { name: nameWithDefault(use, "true") }),
  };
}

const INTERVALS: Readonly<Record<string, string>> = {
  MICROSECOND: "to_microseconds",
  MILLISECOND: "to_milliseconds",
  SECOND: "to_seconds",
  MINUTE: "to_minutes",
  HOUR: "to_hours",
  DAY: "to_days",
  DAYOFYEAR: "to_days",
  WEEK: "to_weeks",
  MONTH: "to_months",
  QUARTER: "to_quarters",
  YEAR: "to_years",
};

/** The unit that stands as the first argument, a word. */
function unitOf(use: Use): string {
  const unit = textOf(use, 0)?.toUpperCase() ?? "";
  if (!Object.hasOwn(INTERVALS, unit))
    throw unsupportedForm(
      use,
      `The unit ${unit} of ${use.call.name}`,
      `Units are ${Object.keys(INTERVALS).join(", ")}.`,
    );
  return unit;
}

/** `timestampadd(unit, count, moment)`: days and longer units by the clock, shorter ones by elapsed time. */
function addUnits(use: Use): Lowered {
  const unit = unitOf(use);
  const value = argOf(use, 2, TIMESTAMP, (t) => t.kind === "timestamp_ntz");
  const count = argOf(use, 1, BIGINT);
  const narrow = ["DAY", "DAYOFYEAR", "WEEK", "MONTH", "QUARTER", "YEAR"].includes(unit);
  const amount = `${INTERVALS[unit]}(${narrow ? castTo(count.sql, INT) : count.sql})`;
  const sql = narrow ? addByClock(value.sql, amount, value.type) : `(${value.sql} + ${amount})`;
  return { sql, type: value.type, nullable: anyNullable(use.args), throws: true, name: unitName(use, "timestampadd") };
}

/** `timestampdiff(unit, from, to)`: whole units by the clock. */
function countUnits(use: Use): Lowered {
  const unit = unitOf(use);
  const reading = (index: number) => `epoch_us(${clockReading(use, argOf(use, index, TIMESTAMP, isDatetime)).sql})`;
  const sql = callHost(UNITS_BETWEEN, quoteText(unit === "DAYOFYEAR" ? "DAY" : unit), reading(1), reading(2));
  return { sql, type: BIGINT, nullable: anyNullable(use.args), throws: true, name: unitName(use, "timestampdiff") };
}

function unitName(use: Use, name: string): string | undefined {
  return callName(name, use.args);
}

/** Seconds since 1970, with their fraction. */
function momentOfSeconds(use: Use): Lowered {
  const value = argOf(use, 0, BIGINT, isNumeric);
  const nullable = value.nullable;
  if (isInteger(value.type))
    return { sql: `make_timestamptz(${castTo(value.sql, BIGINT)} * 1000000)`, type: TIMESTAMP, nullable, throws: true };
  if (isFloating(value.type)) {
    const sql = `CASE WHEN isfinite(${value.sql}) THEN make_timestamptz(CAST(trunc(${castTo(value.sql, DOUBLE)} * 1000000) AS BIGINT)) END`;
    return { sql, type: TIMESTAMP, nullable: true, throws: true };
  }
  if (!isDecimal(value.type) || value.type.scale > 6)
    throw unsupportedForm(use, "timestamp_seconds with parts of a microsecond", "Cast to DECIMAL(16,6).", value.at);
  return { sql: `make_timestamptz(${microsOf(value.sql, value.type)})`, type: TIMESTAMP, nullable, throws: true };
}
