import { describe, expect, it } from "vitest";
import { parseInterval } from "./interval.js";

describe("parseInterval", () => {
  it.each([
    ["interval 30 days", 2_592_000_000],
    ["INTERVAL 1 WEEK", 604_800_000],
    ["7 days", 604_800_000],
    ["interval 1 day 12 hours 1 second", 129_601_000],
    ["interval 0 seconds", 0],
    ["interval 1500 microseconds", 1.5],
  ])("%s", (text, milliseconds) => {
    expect(parseInterval(text)).toBe(milliseconds);
  });

  it.each([
    "",
    "30",
    "1 constructor",
    "days",
    "interval",
    "interval 1 month",
    "interval 1 year",
    "interval -1 days",
    "1 day 2",
  ])("tells nothing of %j", (text) => {
    expect(parseInterval(text)).toBeUndefined();
  });
});
