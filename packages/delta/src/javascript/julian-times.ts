import type { Value } from "./value.js";

/**
 * Before 1582 Spark 2 counted days by the Julian calendar, and later versions do so when they are told to. Such files
 * say so, and only Spark knows how to put their old times right.
 */
export interface OldCalendar {
  readonly forDates: boolean;
  readonly forInt96: boolean;
}

const VERSION = "org.apache.spark.version";

/** By a file's key-value metadata. Source: Spark's `DataSourceUtils.datetimeRebaseSpec` and `int96RebaseSpec`. */
export function oldCalendar(keyValues: ReadonlyMap<string, string>): OldCalendar {
  const version = keyValues.get(VERSION);
  const [major = 0, minor = 0] = version?.split(".").map(Number) ?? [];
  const isBefore = (since: number): boolean => version !== undefined && major * 100 + minor < since;
  return {
    forDates: isBefore(300) || keyValues.has("org.apache.spark.legacyDateTime"),
    forInt96: isBefore(301) || keyValues.has("org.apache.spark.legacyINT96"),
  };
}

/** The first days on which both calendars agree for every time zone, as Spark takes them. */
const FIRST_DATE = "1582-10-15";
const FIRST_TIME = "1900-01-01T00:00:00";

export class JulianTime extends Error {
  override readonly name = "JulianTime";
}

/** Refuses values that the old calendar may have shifted. Years before 0 have a sign. */
export function gregorianOnly(read: (stored: unknown) => Value, first: "date" | "time"): (stored: unknown) => Value {
  const limit = first === "date" ? FIRST_DATE : FIRST_TIME;
  return (stored) => {
    const value = read(stored);
    if (typeof value === "string" && !value.startsWith("+") && value < limit)
      throw new JulianTime(`it has the time ${value}, which Spark wrote by the Julian calendar`);
    return value;
  };
}
