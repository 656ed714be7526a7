import { describe, expect, it } from "vitest";
import type { Value } from "../engine/engine.js";
import { columns } from "../graph/test-builders.js";
import type { DataType } from "../model/data-type.js";
import { formatCell } from "./format-cell.js";

const type = (kind: string) => ({ kind }) as DataType;
const array = (element: DataType): DataType => ({ kind: "array", element, containsNull: true });

describe("formatCell", () => {
  // Java's Double.toString.
  it.each([
    [0, "0.0"],
    [-0, "-0.0"],
    [1, "1.0"],
    [-1.5, "-1.5"],
    [0.1, "0.1"],
    [0.001, "0.001"],
    [0.0009, "9.0E-4"],
    [0.00012345, "1.2345E-4"],
    [9999999, "9999999.0"],
    [10000000, "1.0E7"],
    [123456789.125, "1.23456789125E8"],
    [1e21, "1.0E21"],
    [1.7976931348623157e308, "1.7976931348623157E308"],
    [5e-324, "4.9E-324"],
  ])("writes the double %d as %s", (value, text) => {
    expect(formatCell(value, type("double"))).toBe(text);
  });

  // Java's Float.toString: 32-bit floats come as the double of the same value.
  it.each([
    [Math.fround(0.1), "0.1"],
    [Math.fround(3.4028235e38), "3.4028235E38"],
    [Math.fround(1.4e-45), "1.4E-45"],
    [16777216, "1.6777216E7"],
    [Math.fround(1e10), "1.0E10"],
  ])("writes the float %d as %s", (value, text) => {
    expect(formatCell(value, type("float"))).toBe(text);
  });

  it.each<[Value, DataType, string]>([
    [null, type("int"), "NULL"],
    ["NaN", type("double"), "NaN"],
    [true, type("boolean"), "true"],
    ["9007199254740993", type("bigint"), "9007199254740993"],
    ["1.50", { kind: "decimal", precision: 5, scale: 2 }, "1.50"],
    ["", type("string"), ""],
    [[1, null], array(type("int")), "[1, NULL]"],
    [[], array(type("int")), "[]"],
    [{ a: 1, b: "x" }, { kind: "struct", fields: columns("b string, a double") }, "{x, 1.0}"],
    [
      [
        [10, "a"],
        [2, null],
      ],
      { kind: "map", key: type("double"), value: type("string"), valueContainsNull: true },
      "{10.0 -> a, 2.0 -> NULL}",
    ],
    [[[{ a: null }]], array(array({ kind: "struct", fields: columns("a int") })), "[[{NULL}]]"],
  ])("writes %j as Spark's show does: %#", (value, of, text) => {
    expect(formatCell(value, of)).toBe(text);
  });
});
