import { describe, expect, it } from "vitest";
import { Random } from "./random.js";

const many = <T>(count: number, draw: () => T): T[] => Array.from({ length: count }, draw);

describe("Random", () => {
  it("depends on its key alone", () => {
    const draw = (key: string) => {
      const random = new Random(key);
      return many(5, () => random.next());
    };
    expect(draw("1/100/VBAK/7")).toEqual(draw("1/100/VBAK/7"));
    expect(draw("1/100/VBAK/8")).not.toEqual(draw("1/100/VBAK/7"));
  });

  it("is even over its range", () => {
    const random = new Random("even");
    const counts = new Map<number, number>();
    for (const value of many(20_000, () => random.below(10))) counts.set(value, (counts.get(value) ?? 0) + 1);
    expect(counts.size).toBe(10);
    for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(250);
  });

  it("prefers low ranks by Zipf's law: 2^1.1 times from octave to octave", () => {
    const random = new Random("zipf");
    const counts = Array.from({ length: 100 }, () => 0);
    for (const rank of many(50_000, () => random.zipf(100))) counts[rank] = (counts[rank] ?? 0) + 1;
    const octave = (first: number) => counts.slice(first - 1, 2 * first - 1).reduce((sum, count) => sum + count, 0);
    for (const first of [1, 2, 4, 8, 16]) expect(octave(first) / octave(2 * first)).toBeCloseTo(2 ** 0.1, 0);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  it("is log-normal about its median", () => {
    const random = new Random("log");
    const values = many(4_001, () => random.logNormal(1000)).sort((a, b) => a - b);
    expect(values[2000]).toBeGreaterThan(900);
    expect(values[2000]).toBeLessThan(1100);
    expect(values.filter((value) => value > 1000 / 2.9 && value < 2900).length / values.length).toBeCloseTo(0.68, 1);
  });
});
