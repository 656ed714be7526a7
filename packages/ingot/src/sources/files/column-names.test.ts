import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clashes, columnNames } from "./column-names.js";

const raw = (...header: string[]) => columnNames(header, { clean: false });
const clean = (...header: string[]) => columnNames(header, { clean: true });

describe("columnNames", () => {
  // Spark 4.2: spark.read.option("header", true).csv(…).columns
  it.each([
    [
      ["id", "name"],
      ["id", "name"],
    ],
    [
      ["id", "", "x"],
      ["id", "_c1", "x"],
    ],
    [
      ["a", "b", "a"],
      ["a0", "b", "a2"],
    ],
    [
      ["Qty", "qty"],
      ["Qty0", "qty1"],
    ],
    [
      [" a", "b c", "/BIC/ZREG"],
      [" a", "b c", "/BIC/ZREG"],
    ],
    [
      ["a", "", "A", "a", "b", "", "B x", "b"],
      ["a0", "_c1", "A2", "a3", "b4", "_c5", "B x", "b7"],
    ],
  ])("%j as Spark: %j", (header, names) => {
    expect(raw(...header)).toEqual(names);
  });

  it("cleans", () => {
    expect(clean("Plant Exclusion (X)", "/BIC/ZREGION", "  Net--Amount % ", "€", "1inch")).toEqual([
      "plant_exclusion_x",
      "bic_zregion",
      "net_amount",
      "_c3",
      "1inch",
    ]);
  });

  it("names what clashes by its original, so that a moved column keeps its name", () => {
    const [first, second] = clean("am!t", "am%t");
    expect(new Set(["am_t", first, second]).size).toBe(3);
    expect(clean("id", "am%t", "am!t")).toEqual(["id", second, first]);
    expect(clashes(["id", "am!t", "am%t"], { clean: true })).toEqual([["am!t", "am%t"]]);
  });

  it("never gives a name twice", () => {
    const header = fc.array(
      fc.oneof(fc.constantFrom("a", "A", "a0", "a1", "a1_2", "", "_c1", "a b", "a-b"), fc.string()),
    );
    fc.assert(
      fc.property(header, fc.boolean(), (names, isClean) => {
        const given = columnNames(names, { clean: isClean });
        expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(names.length);
        expect(given).not.toContain("");
      }),
    );
  });
});
