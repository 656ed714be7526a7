import { describe, expect, it } from "vitest";
import { compileGlob, expandBraces } from "./file-glob.js";

const NAMES = [
  "a.csv",
  "b.csv",
  "c.csv",
  "ab.csv",
  "a{b.csv",
  "a^.csv",
  "a!.csv",
  "a-.csv",
  "a]b.csv",
  ".h.csv",
  "é.csv",
  "\u{1D7CF}.csv",
];

// What Hadoop 3.5's `globStatus` matched among files of these names.
describe("compileGlob", () => {
  it.each([
    ["*.csv", NAMES],
    ["?.csv", ["a.csv", "b.csv", "c.csv", "é.csv", "\u{1D7CF}.csv"]],
    ["[ab].csv", ["a.csv", "b.csv"]],
    ["[a-b].csv", ["a.csv", "b.csv"]],
    ["[^a].csv", ["b.csv", "c.csv", "é.csv", "\u{1D7CF}.csv"]],
    ["[!a].csv", ["b.csv", "c.csv", "é.csv", "\u{1D7CF}.csv"]],
    ["{a,ab}.csv", ["a.csv", "ab.csv"]],
    ["{a{b,},c}.csv", ["a.csv", "c.csv", "ab.csv"]],
    ["a\\{b.csv", ["a{b.csv"]],
    ["a[\\^].csv", ["a^.csv"]],
    ["a[^b].csv", ["a^.csv", "a!.csv", "a-.csv"]],
    ["[a-].csv", ["a.csv"]],
    ["[]a].csv", ["a.csv"]],
    ["a]b.csv", ["a]b.csv"]],
    ["??.csv", ["ab.csv", "a^.csv", "a!.csv", "a-.csv", ".h.csv"]],
  ])("%s", (pattern, matched) => {
    expect(NAMES.filter(compileGlob(pattern))).toEqual(matched);
  });

  it.each(["[a", "{a,b.csv", "[[]x].csv"])("refuses %s", (pattern) => {
    expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ code: "BAD_OPTION" }));
  });
});

it("expandBraces lets a part hold a path", () => {
  expect(expandBraces("/in/{d/x,e}/*.csv")).toEqual(["/in/d/x/*.csv", "/in/e/*.csv"]);
});
