import type { DataType } from "../../model/data-type.js";
import { anyNullable, callName } from "../bind/bound.js";
import { atomic, DATE, INT, TIMESTAMP } from "../bind/type-rules.js";
import { castTo, raise } from "../lower/lower-text.js";
import { argOf, type Functions, type SparkFunction, scalar, simple } from "./function.js";
import { MAKE_TIMESTAMP } from "./host/date-arithmetic.js";
import { callHost } from "./host/host-function.js";
import { zoneOf } from "./time-zone.js";

const NTZ = atomic("timestamp_ntz");

/** Dates and moments made of numbers. */
export const MADE_DATETIMES: Functions = {
  make_date: simple([INT, INT, INT], DATE, makeDate, { throws: true }),
  make_timestamp: makeTimestamp(TIMESTAMP, false),
  make_timestamp_ltz: makeTimestamp(TIMESTAMP, false),
  make_timestamp_ntz: makeTimestamp(NTZ, false),
  try_make_timestamp: makeTimestamp(TIMESTAMP, true),
  try_make_timestamp_ltz: makeTimestamp(TIMESTAMP, true),
  try_make_timestamp_ntz: makeTimestamp(NTZ, true),
};

function makeDate(year: string, month: string, dayOfMonth: string): string {
  const error = raise("DATETIME_FIELD_OUT_OF_BOUNDS", "There is no such date.");
  const none = castTo(error, DATE);
  const whens = [
    `WHEN ${year} IS NULL OR ${month} IS NULL OR ${dayOfMonth} IS NULL THEN NULL`,
    `WHEN ${month} NOT BETWEEN 1 AND 12 OR ${dayOfMonth} NOT BETWEEN 1 AND 31 THEN ${none}`,
    `WHEN ${dayOfMonth} > day(last_day(make_date(${year}, ${month}, 1))) THEN ${none}`,
  ];
  return `CASE ${whens.join(" ")} ELSE make_date(${year}, ${month}, ${dayOfMonth}) END`;
}

/** The seconds are DECIMAL(16,6); a seventh argument is the zone of the reading. */
function makeTimestamp(type: DataType, lenient: boolean): SparkFunction {
  return scalar(6, type.kind === "timestamp" ? 7 : 6, (use) => {
    const parts = [0, 1, 2, 3, 4].map((i) => argOf(use, i, INT));
    const exact = argOf(use, 5, { kind: "decimal", precision: 16, scale: 6 });
    const texts = parts.map((p) => p.sql);
    const micros = callHost(MAKE_TIMESTAMP, ...texts, `CAST(${exact.sql} * 1000000 AS BIGINT)`, String(lenient));
    const reading = `make_timestamp(${micros})`;
    const moment =
      use.args.length > 6 ? `spark_moment_in(${zoneOf(use, 6)}, ${reading})` : `spark_moment_of(${reading})`;
    return {
      sql: type.kind === "timestamp" ? moment : reading,
      type,
      nullable: lenient || anyNullable(use.args),
      throws: true,
      // Spark does not show the zone here.
      ...(use.call.name.toLowerCase() === "try_make_timestamp"
        ? { name: callName("try_make_timestamp", use.args.slice(0, 6)) }
        : {}),
    };
  });
}
