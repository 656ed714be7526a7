import { describe, expect, it } from "vitest";
import { completeName, formatName, nameKey, quoteIdentifier, shortName, splitName } from "./name.js";

const defaults = { catalog: "main", schema: "bronze" };

it.each([
  [["t"], "main.bronze.t"],
  [["silver", "t"], "main.silver.t"],
  [["Other", "s", "T"], "Other.s.T"],
])("completeName completes %j to %s", (parts, full) => {
  expect(formatName(completeName(parts, defaults))).toBe(full);
});

describe("nameKey", () => {
  const key = (...parts: string[]) => nameKey(completeName(parts, defaults));

  it("is one for two spellings of a name", () => {
    expect(key("T")).toBe(key("MAIN", "Bronze", "t"));
  });

  it("keeps names apart whose parts hold dots", () => {
    expect(key("a.b", "c")).not.toBe(key("a", "b.c"));
  });
});

it.each([
  [["t"], "t"],
  [["MAIN", "BRONZE", "t"], "t"],
  [["silver", "t"], "silver.t"],
  [["other", "bronze", "t"], "other.bronze.t"],
])("shortName writes %j as %s", (parts, short) => {
  expect(shortName(completeName(parts, defaults), defaults)).toBe(short);
});

it("quoteIdentifier doubles back-ticks", () => {
  expect(quoteIdentifier("a`b c")).toBe("`a``b c`");
});

describe("splitName", () => {
  it.each([
    ["a", ["a"]],
    ["c.s.t", ["c", "s", "t"]],
    ["s.`a.b`", ["s", "a.b"]],
    ["`a``.b`", ["a`.b"]],
    ["a..b", ["a", "", "b"]],
    ["`a", ["`a"]],
  ])("%s", (text, parts) => {
    expect(splitName(text)).toEqual(parts);
  });
});
