import { expect, it } from "vitest";
import type { RowRules } from "../../../model/rule.js";
import { observedCounts, requireWritten } from "./observed-rules.js";

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
const observed = { "f 0": { n0: "9", n1: "4", n2: "1", n3: "3", n4: "5", n5: "2", n6: "3" } };

it("gives each rule its failures, where the rows that passed are those that were written", () => {
  const counts = observedCounts(RULES, "f 0", observed);
  expect(counts).toEqual({
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
  if (counts !== undefined) requireWritten(counts, 5);
});

it("refuses other rows than were observed, and knows nothing of what nobody observed", () => {
  const balance = expect.objectContaining({ code: "BALANCE" });
  const counts = observedCounts(RULES, "f 0", observed);
  expect(() => counts && requireWritten(counts, 6)).toThrow(balance);
  expect(() => observedCounts(RULES, "f 0", { "f 0": { ...observed["f 0"], n4: "4" } })).toThrow(balance);
  expect(observedCounts(RULES, "f 1", observed)).toBeUndefined();
});
