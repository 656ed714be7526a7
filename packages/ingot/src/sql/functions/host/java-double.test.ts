import { describe, expect, it } from "vitest";
import { javaText } from "./java-double.js";

describe("Java's text of a number", () => {
  // Written by Java 17.0.15; where it is not the shortest, JavaScript's differs.
  it.each([
    [4.9e-324, "4.9E-324"],
    [1e23, "9.999999999999999E22"],
    [2e-3, "0.002"],
    [9.999e-5, "9.999E-5"],
    [1e7, "1.0E7"],
    [9999999.5, "9999999.5"],
    [Number("1.90189066275467648E18"), "1.90189066275467648E18"],
    [Number("6.2534811421020992E16"), "6.2534811421020992E16"],
    [Number("-3.6347944224114306E25"), "-3.6347944224114306E25"],
    [-0, "-0.0"],
    [Number.NaN, "NaN"],
    [Number.NEGATIVE_INFINITY, "-Infinity"],
  ])("%d as DOUBLE is %s", (value, text) => expect(javaText(value, 53)).toBe(text));
  it.each([
    [-2.96362619e10, "-2.96362619E10"],
    [1.29338578e13, "1.29338578E13"],
    [5.9818446e25, "5.9818446E25"],
    [3.3, "3.3"],
  ])("%d as FLOAT is %s", (value, text) => expect(javaText(Math.fround(value), 24)).toBe(text));
});
