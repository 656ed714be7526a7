import { describe, expect, it } from "vitest";
import { exactValue } from "./parquet-values.js";

describe("exactValue", () => {
  it.each<[string, Parameters<typeof exactValue>[0], unknown, string]>([
    ["a date", { name: "c", type: "INT32", converted_type: "DATE" }, 19_844, "2024-05-01"],
    ["a date before 1970", { name: "c", type: "INT32", converted_type: "DATE" }, -1, "1969-12-31"],
    [
      "microseconds in UTC",
      { name: "c", type: "INT64", converted_type: "TIMESTAMP_MICROS" },
      1_714_557_600_123_456n,
      "2024-05-01 10:00:00.123456+00",
    ],
    [
      "microseconds before 1970",
      { name: "c", type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS" } },
      -1n,
      "1969-12-31 23:59:59.999999",
    ],
    [
      "nanoseconds, cut",
      { name: "c", type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "NANOS" } },
      -1n,
      "1969-12-31 23:59:59.999999+00",
    ],
    [
      "milliseconds",
      { name: "c", type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
      5n,
      "1970-01-01 00:00:00.005000+00",
    ],
    // 2 January 1970 is day 2,440,589 of the Julian calendar; one microsecond of it has gone.
    ["an INT96", { name: "c", type: "INT96" }, (2_440_589n << 64n) | 1000n, "1970-01-02 00:00:00.000001+00"],
    ["a decimal in 4 bytes", { name: "c", type: "INT32", converted_type: "DECIMAL", scale: 2 }, -5, "-0.05"],
    ["a decimal in 8 bytes", { name: "c", type: "INT64", converted_type: "DECIMAL", scale: 0 }, 12n, "12"],
    [
      "a decimal in bytes",
      { name: "c", type: "FIXED_LEN_BYTE_ARRAY", converted_type: "DECIMAL", scale: 3 },
      Uint8Array.from([0xff, 0xff, 0xfb, 0x2e]),
      "-1.234",
    ],
  ])("of %s", (_name, element, value, text) => {
    expect(exactValue(element)?.(value)).toBe(text);
  });

  it("has nothing to do for plain numbers and texts", () => {
    expect(exactValue({ name: "c", type: "INT64" })).toBeUndefined();
    expect(exactValue({ name: "c", type: "BYTE_ARRAY", converted_type: "UTF8" })).toBeUndefined();
  });
});
