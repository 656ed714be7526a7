import { describe, expect, it } from "vitest";
import { partitionOf } from "./partition.js";

describe("partitionOf", () => {
  it.each([
    ["/in/a.csv", undefined],
    ["/in/day=1/a.csv", { day: "1" }],
    ["/in/region=EU/x/day=2026-10-01/a.csv", { region: "EU", day: "2026-10-01" }],
    ["/in/at=08%3A30/a.csv", { at: "08:30" }],
    ["/in/day=__HIVE_DEFAULT_PARTITION__/a.csv", { day: null }],
    ["/in/day=/a.csv", undefined],
    ["/in/formula=a=b/a.csv", { formula: "a=b" }],
    ["/in/x=1.csv", undefined],
  ])("%s", (path, values) => {
    expect(partitionOf(path, "/in", undefined)).toEqual(values);
  });

  it("takes no folder above the start, and only the keys that are asked for", () => {
    expect(partitionOf("/in/a=1/b=2/f.csv", "/in/a=1", undefined)).toEqual({ b: "2" });
    expect(partitionOf("/in/a=1/B=2/f.csv", "/in", ["b"])).toEqual({ B: "2" });
    expect(partitionOf("/in/a=1/f.csv", "/in", [])).toBeUndefined();
  });
});
