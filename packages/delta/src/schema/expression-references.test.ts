import { describe, expect, it } from "vitest";
import { mentions } from "./expression-references.js";

describe("mentions", () => {
  it.each<[string, string[], boolean]>([
    ["amount > 0", ["amount"], true],
    ["AMOUNT > 0", ["amount"], true],
    ["amount > 0", ["amoun"], false],
    ["`Key Id` IS NOT NULL", ["Key Id"], true],
    ["`a``b` = 1", ["a`b"], true],
    ["status = 'amount'", ["amount"], false],
    ['status = "amount"', ["amount"], false],
    ["status = 'it''s amount'", ["amount"], false],
    ["year(day) > 2020", ["year"], false],
    ["year (day) > 2020", ["day"], true],
    ["a > 0 -- amount", ["amount"], false],
    ["1e5 < a", ["e5"], false],
    ["größe > 0", ["größe"], true],
    // A struct and its fields, as Spark's `containsDependentExpression`.
    ["b.c + 1", ["b"], true],
    ["b.c + 1", ["b", "c"], true],
    ["b.c + 1", ["b", "d"], false],
    ["b.c + 1", ["c"], false],
    ["cast(b as string)", ["b", "c"], true],
    ["`b` . `c` = 1", ["b", "c"], true],
    ["l[0].x = 1", ["l", "element", "x"], true],
    ["l[0].x = 1", ["x"], false],
  ])("%s mentions %j: %s", (expression, path, expected) => {
    expect(mentions(expression, path)).toBe(expected);
  });
});
