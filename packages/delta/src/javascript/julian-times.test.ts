import { expect, it } from "vitest";
import { gregorianOnly, oldCalendar } from "./julian-times.js";

const spark = (version: string, ...keys: string[]) =>
  new Map([["org.apache.spark.version", version], ...keys.map((key) => [`org.apache.spark.${key}`, ""] as const)]);

/** Cases of Spark's `datetimeRebaseSpec` and `int96RebaseSpec`. */
it.each([
  [new Map<string, string>(), false, false],
  [spark("2.4.8"), true, true],
  [spark("3.0.1"), false, true],
  [spark("3.1.0"), false, false],
  [spark("4.2.0"), false, false],
  [spark("3.5.0", "legacyDateTime"), true, false],
  [spark("3.5.0", "legacyINT96"), false, true],
])("%j", (keyValues, forDates, forInt96) => {
  expect(oldCalendar(keyValues)).toEqual({ forDates, forInt96 });
});

it("lets times through on which both calendars agree", () => {
  const date = gregorianOnly((value) => value as string, "date");
  expect(["1582-10-15", "2024-05-01", "+012345-01-01", null].map(date)).toHaveLength(4);
  for (const old of ["1582-10-04", "0001-01-01", "-000001-01-01"]) expect(() => date(old)).toThrow("Julian");
  const time = gregorianOnly((value) => value as string, "time");
  expect(time("1900-01-01T00:00:00.000000")).toBe("1900-01-01T00:00:00.000000");
  expect(() => time("1899-12-31T23:59:59.999999")).toThrow("Julian");
});
