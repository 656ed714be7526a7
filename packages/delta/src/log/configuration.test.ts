import { describe, expect, it } from "vitest";
import { isOn, retentionOf } from "./configuration.js";

it.each([
  ["true", true],
  ["TRUE", true],
  ["false", false],
  ["1", false],
  [null, false],
  [undefined, false],
])("a property %j is on: %s", (value, expected) => {
  expect(isOn(value === undefined ? {} : { "delta.appendOnly": value }, "delta.appendOnly")).toBe(expected);
});

describe("retentionOf", () => {
  it("names the property that is none", () => {
    expect(retentionOf({ table: "t" }, {}, "delta.logRetentionDuration")).toBeUndefined();
    expect(() =>
      retentionOf({ table: "t" }, { "delta.logRetentionDuration": "1 month" }, "delta.logRetentionDuration"),
    ).toThrow(/delta\.logRetentionDuration of t is no interval: "1 month"/);
  });
});
