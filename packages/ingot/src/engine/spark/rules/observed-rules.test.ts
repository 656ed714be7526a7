import { expect, it } from "vitest";
import type { RowRules } from "../../../model/rule.js";
import { observedCounts } from "./observed-rules.js";

const rule = { condition: "", status: "S", version: "1" };
const RULES: RowRules = {
  dataset: "t",
  rules: [
    { ...rule, name: "a", action: "drop" },
    { ...rule, name: "b", action: "quarantine" },
  ],
  absent: [],
  sensitive: [],
};
// All rows, failed, dropped, quarantined, kept, then each rule.
const observed = { rules: { n0: "9", n1: "4", n2: "1", n3: "3", n4: "5", n5: "2", n6: "3" } };

it("gives each rule its failures, where the rows that passed are those that were written", () => {
  expect(observedCounts(RULES, observed, 5)).toEqual({
    dataset: "t",
    rows: 9,
    failed: 4,
    dropped: 1,
    quarantined: 3,
    rules: [
      { name: "a", failed: 2 },
      { name: "b", failed: 3 },
    ],
  });
});

it("refuses other rows than were observed, or none observed", () => {
  const balance = expect.objectContaining({ code: "BALANCE" });
  expect(() => observedCounts(RULES, observed, 6)).toThrow(balance);
  expect(() => observedCounts(RULES, {}, 5)).toThrow(balance);
});
