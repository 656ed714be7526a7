import { describe, expect, it } from "vitest";
import { EXP } from "./math.js";
import { cbrt, hypot, pow } from "./strict-math.js";

const run = (fn: typeof EXP, ...args: number[]) => (fn.run as (...values: number[]) => number)(...args);

describe("StrictMath", () => {
  // Answers of Java 17.0.15.
  it("has powers and roots to the last bit", () => {
    expect(pow(2.5, 3.3)).toBe(20.568471942722457);
    expect(pow(-8, 1 / 3)).toBeNaN();
    expect(pow(1.366912710688434e-108, 3)).toBe(5e-324);
    expect(pow(-2, 3)).toBe(-8);
    expect(pow(1, Number.POSITIVE_INFINITY)).toBeNaN();
    expect(cbrt(27)).toBe(3);
    expect(cbrt(-5e-324)).toBe(-1.7031839360032603e-108);
    expect(hypot(3, 4)).toBe(5);
    expect(hypot(1e308, 1e308)).toBe(1.4142135623730951e308);
  });
  it("has e at 1 as fdlibm, not as V8", () => expect(run(EXP, 1)).toBe(Math.E + 2 ** -51));
});
