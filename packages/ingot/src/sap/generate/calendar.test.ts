import { describe, expect, it } from "vitest";
import { dats, dayOf, invertedDate, isWeekend, monthEnd, monthOf, tims, yearOf } from "./calendar.js";
import { decimal, divideHalfUp } from "./decimal.js";

describe("days", () => {
  it("are written as SAP writes them", () => {
    expect(dats(dayOf("2026-01-15"))).toBe("20260115");
    // From the specification: 2026-01-15 is 79739884.
    expect(invertedDate(dayOf("2026-01-15"))).toBe("79739884");
    expect([yearOf(dayOf("2024-02-29")), monthOf(dayOf("2024-02-29"))]).toEqual(["2024", "02"]);
  });
  it("know weekends and the ends of months", () => {
    expect(["2026-11-27", "2026-11-28", "2026-11-29", "2026-11-30"].map((day) => isWeekend(dayOf(day)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(["2024-02-10", "2025-02-10", "2024-12-31"].map((day) => dats(monthEnd(dayOf(day))))).toEqual([
      "20240229",
      "20250228",
      "20241231",
    ]);
  });
});

describe("times", () => {
  it("go to the end of the day", () => {
    expect([0, 34_511, 86_400].map(tims)).toEqual(["000000", "093511", "240000"]);
  });
});

describe("decimals", () => {
  it("are texts of whole numbers", () => {
    expect([decimal(12_345, 2), decimal(-5, 2), decimal(0, 3), decimal(7, 0)]).toEqual([
      "123.45",
      "-0.05",
      "0.000",
      "7",
    ]);
  });
  it("are rounded half up", () => {
    expect([divideHalfUp(5, 10), divideHalfUp(4, 10), divideHalfUp(15, 10)]).toEqual([1, 0, 2]);
  });
});
