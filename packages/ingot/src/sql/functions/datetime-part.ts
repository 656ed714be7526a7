import type { DataType } from "../../model/data-type.js";
import { micros, monthsOf } from "../bind/bind-interval.js";
import { anyNullable, callName } from "../bind/bound.js";
import { atomic, DATE, INT, isDatetime, isMonths, STRING, TIMESTAMP } from "../bind/type-rules.js";
import { castTo } from "../lower/lower-text.js";
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

interface Part {
  readonly text: (value: string) => string;
  readonly type: DataType;
  /** Whether it is of the time of day, which a date lacks. */
  readonly time?: true;
}
const SECONDS: DataType = { kind: "decimal", precision: 8, scale: 6 };
const whole = (name: string, shift = ""): Part => ({ text: (v) => castTo(`${name}(${v})${shift}`, INT), type: INT });
const ofTime = (name: string): Part => ({ ...whole(name), time: true });

/** Names of parts by which `date_part` and EXTRACT know them (`DatePart.parseExtractField`). */
const PARTS: Readonly<Record<string, Part>> = {
  year: whole("year"),
  yearofweek: whole("isoyear"),
  quarter: whole("quarter"),
  month: whole("month"),
  week: whole("weekofyear"),
  day: whole("day"),
  dayofweek: whole("dayofweek", " + 1"),
  dayofweek_iso: whole("isodow"),
  doy: whole("dayofyear"),
  hour: ofTime("hour"),
  minute: ofTime("minute"),
  // With its fraction, unlike the function second.
  second: {
    text: (v) => `CAST(microsecond(${v}) * CAST('0.000001' AS DECIMAL(7,6)) AS DECIMAL(8,6))`,
    type: SECONDS,
    time: true,
  },
};
const OTHER_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    year: "y years yr yrs",
    quarter: "qtr",
    month: "mon mons months",
    week: "w weeks",
    day: "d days",
    dayofweek: "dow",
    dayofweek_iso: "dow_iso",
    hour: "h hours hr hrs",
    minute: "m min mins minutes",
    second: "s sec seconds secs",
  }).flatMap(([part, names]) => names.split(" ").map((name) => [name, part])),
);

export const DATETIME_PARTS: Functions = {
  year: ownPart("year"),
  month: ownPart("month"),
  day: ownPart("day"),
  dayofmonth: ownPart("day"),
  quarter: ownPart("quarter"),
  dayofyear: ownPart("doy"),
  weekofyear: ownPart("week"),
  dayofweek: ownPart("dayofweek"),
  weekday: scalar(1, 1, (use) => take(use, 0, whole("isodow", " - 1"))),
  hour: ownPart("hour"),
  minute: ownPart("minute"),
  second: scalar(1, 1, (use) => take(use, 0, ofTime("second"))),
  date_part: scalar(2, 2, namedPart),
  datepart: scalar(2, 2, (use) => ({ ...namedPart(use), name: fromName(use) })),
  extract: scalar(2, 2, (use) => ({ ...namedPart(use), name: fromName(use) })),
  dayname: shortName("dayname"),
  monthname: shortName("monthname"),
};

function ownPart(name: string): SparkFunction {
  return scalar(1, 1, (use) => take(use, 0, PARTS[name] ?? whole(name)));
}

/** Of a date, or of a moment in the session's zone. */
function take(use: Use, index: number, part: Part): Lowered {
  const value =
    part.time === true
      ? argOf(use, index, TIMESTAMP, (t) => t.kind === "timestamp_ntz")
      : argOf(use, index, DATE, isDatetime);
  return { sql: part.text(value.sql), type: part.type, nullable: value.nullable, throws: value.throws };
}

function namedPart(use: Use): Lowered {
  const field = textOf(use, 0)?.toLowerCase() ?? "";
  const partName = Object.hasOwn(OTHER_NAMES, field) ? (OTHER_NAMES[field] ?? "") : field;
  const part = PARTS[partName];
  if (part === undefined)
    throw unsupportedForm(
      use,
      `${use.call.name} of ${textOf(use, 0) ?? "a computed part"}`,
      `Parts are ${Object.keys(PARTS).join(", ")}.`,
      arg(use, 0).at,
    );
  const { type, sql, nullable, throws } = arg(use, 1);
  if (type.kind !== "interval") return take(use, 1, part);
  const known = isMonths(type) ? MONTH_PARTS : TIME_PARTS;
  const own = Object.hasOwn(known, partName) ? known[partName] : undefined;
  if (own === undefined)
    throw unsupportedForm(
      use,
      `${use.call.name} of ${field} of an interval`,
      `Parts are ${Object.keys(known).join(", ")}.`,
    );
  return {
    sql: castTo(own.text(isMonths(type) ? monthsOf(sql) : micros(sql)), own.type),
    type: own.type,
    nullable,
    throws,
  };
}

const TINY = atomic("tinyint");
/** Parts of months, and of microseconds: each is what the greater ones leave over, with the interval's sign. */
const MONTH_PARTS: Readonly<Record<string, Part>> = {
  year: { text: (v) => `${v} // 12`, type: INT },
  month: { text: (v) => `${v} % 12`, type: TINY },
};
const TIME_PARTS: Readonly<Record<string, Part>> = {
  day: { text: (v) => `${v} // 86400000000`, type: INT },
  hour: { text: (v) => `${v} // 3600000000 % 24`, type: TINY },
  minute: { text: (v) => `${v} // 60000000 % 60`, type: TINY },
  second: { text: (v) => `CAST(${v} % 60000000 AS DECIMAL(18,0)) * CAST('0.000001' AS DECIMAL(7,6))`, type: SECONDS },
};

/** `extract(YEAR FROM d)`, also where it is written with a comma. */
function fromName(use: Use): string | undefined {
  return callName(use.call.name.toLowerCase(), use.args.slice(1), `${textOf(use, 0)} FROM `);
}

/** `Mon`, `Jan` */
function shortName(name: string): SparkFunction {
  return scalar(1, 1, (use) => {
    const value = argOf(use, 0, DATE, isDatetime);
    return {
      sql: `left(${name}(${value.sql}), 3)`,
      type: STRING,
      nullable: anyNullable(use.args),
      throws: value.throws,
    };
  });
}
