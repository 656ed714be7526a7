import type { DataType } from "../../model/data-type.js";
import { coerce } from "../bind/bind-place.js";
import { anyNullable, type Bound } from "../bind/bound.js";
import { DATE, INT, isDatetime, STRING, TIMESTAMP } from "../bind/type-rules.js";
import { castTo, quoteText, raise } from "../lower/lower-text.js";
import { compileDateFormat, compileDateParser } from "./date-pattern.js";
import {
  arg,
  argOf,
  type Functions,
  type Lowered,
  type SparkFunction,
  scalar,
  textOf,
  type Use,
  unsupportedForm,
} from "./function.js";

const clock = (type: DataType, name: string): SparkFunction =>
  scalar(0, 0, () => ({
    // One moment for the whole query.
    sql: type.kind === "date" ? castTo("now()", DATE) : "now()",
    type,
    nullable: false,
    volatile: true,
    name: `${name}()`,
  }));

export const DATETIMES: Functions = {
  current_timestamp: clock(TIMESTAMP, "current_timestamp"),
  now: clock(TIMESTAMP, "now"),
  current_date: clock(DATE, "current_date"),
  curdate: clock(DATE, "curdate"),
  to_date: scalar(1, 2, (use) => parseMoment(use, DATE, false)),
  try_to_date: scalar(1, 2, (use) => parseMoment(use, DATE, true)),
  to_timestamp: scalar(1, 2, (use) => parseMoment(use, TIMESTAMP, false)),
  try_to_timestamp: scalar(1, 2, (use) => parseMoment(use, TIMESTAMP, true)),
  date_add: scalar(2, 2, (use) => shift(use, "+")),
  date_sub: scalar(2, 2, (use) => shift(use, "-")),
  datediff: scalar(2, 2, difference),
  date_diff: scalar(2, 2, difference),
  last_day: scalar(1, 1, (use) => ({
    sql: `last_day(${day(use, 0).sql})`,
    type: DATE,
    nullable: anyNullable(use.args),
  })),
  add_months: scalar(2, 2, (use) => {
    const months = argOf(use, 1, INT, (t) => t.kind === "smallint" || t.kind === "tinyint");
    const sql = castTo(`(${day(use, 0).sql} + to_months(${castTo(months.sql, INT)}))`, DATE);
    return { sql, type: DATE, nullable: anyNullable(use.args), throws: true };
  }),
  trunc: scalar(2, 2, (use) => truncate(use, 1, 0, DATE, DATE_UNITS)),
  date_trunc: scalar(2, 2, (use) => truncate(use, 0, 1, TIMESTAMP, TIME_UNITS)),
  unix_date: scalar(1, 1, (use) => ({
    sql: castTo(`(${argOf(use, 0, DATE).sql} - DATE '1970-01-01')`, INT),
    type: INT,
    nullable: anyNullable(use.args),
  })),
  year: part("year"),
  month: part("month"),
  day: part("day"),
  dayofmonth: part("day"),
  quarter: part("quarter"),
  dayofyear: part("dayofyear"),
  weekofyear: part("weekofyear"),
  dayofweek: part("dayofweek", " + 1"),
  weekday: part("isodow", " - 1"),
  hour: part("hour"),
  minute: part("minute"),
  second: part("second"),
  date_format: scalar(2, 2, format),
};

const TIME_OF_DAY = new Set(["hour", "minute", "second"]);

/** A part of a date or of a moment in the session's zone. */
function part(name: string, shift = ""): SparkFunction {
  return scalar(1, 1, (use) => {
    const value = TIME_OF_DAY.has(name)
      ? argOf(use, 0, TIMESTAMP, (t) => t.kind === "timestamp_ntz")
      : argOf(use, 0, DATE, isDatetime);
    return { sql: castTo(`${name}(${value.sql})${shift}`, INT), type: INT, nullable: value.nullable };
  });
}

/** A date; of a moment, its day in the session's zone. */
function day(use: Use, index: number): Bound {
  return coerce(use.place, argOf(use, index, DATE, isDatetime), DATE);
}

function shift(use: Use, op: "+" | "-"): Lowered {
  const days = argOf(use, 1, INT, (t) => t.kind === "smallint" || t.kind === "tinyint");
  const sql = `(${day(use, 0).sql} ${op} ${castTo(days.sql, INT)})`;
  return { sql, type: DATE, nullable: anyNullable(use.args), throws: true };
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
};

/** The start of the unit that a date or a moment (in the session's zone) lies in. */
function truncate(
  use: Use,
  unitAt: number,
  valueAt: number,
  type: DataType,
  units: Readonly<Record<string, string>>,
): Lowered {
  const unit = units[textOf(use, unitAt)?.toUpperCase() ?? ""];
  if (unit === undefined)
    throw unsupportedForm(use, `${use.call.name} to this unit`, `Use ${Object.keys(units).join(", ")}.`);
  const value = coerce(use.place, argOf(use, valueAt, type, isDatetime), type);
  return { sql: castTo(`date_trunc('${unit}', ${value.sql})`, type), type, nullable: value.nullable };
}

function difference(use: Use): Lowered {
  const sql = castTo(`(${day(use, 0).sql} - ${day(use, 1).sql})`, INT);
  return { sql, type: INT, nullable: anyNullable(use.args) };
}

/** Without a pattern a cast; with one, a reading by Spark's strict rules. */
function parseMoment(use: Use, type: DataType, lenient: boolean): Lowered {
  const value = arg(use, 0);
  const nullable = lenient || anyNullable(use.args);
  if (use.args.length === 1) {
    if (lenient) throw unsupportedForm(use, `${use.call.name} without a pattern`, "Use TRY_CAST(x AS …).");
    const cast = coerce(use.place, argOf(use, 0, STRING, isDatetime), type);
    return { sql: cast.sql, type, nullable, throws: cast.throws };
  }
  const pattern = textOf(use, 1);
  const parser = pattern === undefined ? undefined : compileDateParser(pattern);
  if (parser === undefined)
    throw unsupportedForm(
      use,
      "This date pattern",
      "Supported are yyyy, MM, dd, HH, mm, ss, each once, and signs between.",
      arg(use, 1).at,
    );
  if (value.type.kind !== "string")
    throw unsupportedForm(use, `${use.call.name} of other than a STRING`, "Cast the argument.", value.at);
  const parsed = castTo(
    `TRY_CAST(${parser(value.sql)} AS ${type.kind === "date" ? "TIMESTAMP" : "TIMESTAMPTZ"})`,
    type,
  );
  if (lenient) return { sql: parsed, type, nullable, throws: true };
  const error = castTo(
    raise(
      "CANNOT_PARSE_TIMESTAMP",
      `A text does not fit the pattern ${pattern}. Use try_${use.call.name} to get NULL instead.`,
    ),
    type,
  );
  const sql = `CASE WHEN ${value.sql} IS NULL THEN NULL ELSE coalesce(${parsed}, ${error}) END`;
  return { sql, type, nullable, throws: true };
}

function format(use: Use): Lowered {
  const pattern = textOf(use, 1);
  const compiled = pattern === undefined ? undefined : compileDateFormat(pattern);
  if (compiled === undefined)
    throw unsupportedForm(
      use,
      "This date pattern",
      "Supported are yyyy, MM, dd, HH, mm, ss and signs between.",
      arg(use, 1).at,
    );
  const value = argOf(use, 0, TIMESTAMP, isDatetime);
  return { sql: `strftime(${value.sql}, ${quoteText(compiled)})`, type: STRING, nullable: anyNullable(use.args) };
}
