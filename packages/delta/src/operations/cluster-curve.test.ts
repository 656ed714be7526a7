import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { curveBits, hilbertKey, rankOf, zOrderKey } from "./cluster-curve.js";

/** All points of a cube. */
function points(dimensions: number, bits: number): number[][] {
  const side = [...Array(2 ** bits).keys()];
  return Array.from({ length: dimensions }).reduce<number[][]>(
    (found) => found.flatMap((point) => side.map((value) => [...point, value])),
    [[]],
  );
}

const CUBES: readonly (readonly [number, number])[] = [
  [1, 6],
  [2, 1],
  [2, 5],
  [3, 3],
  [4, 3],
  [5, 2],
];

describe("hilbertKey", () => {
  test.each(CUBES)("in %i columns of %i bits goes through every point, one step at a time", (dimensions, bits) => {
    const walk = points(dimensions, bits)
      .map((point) => ({ point, key: hilbertKey(point, bits) }))
      .sort((a, b) => Number(a.key - b.key));
    expect(walk.map(({ key }) => key)).toEqual(walk.map((_, place) => BigInt(place)));
    for (const [place, { point }] of walk.entries()) {
      const before = walk[place - 1]?.point ?? point;
      const steps = point.reduce((sum, value, i) => sum + Math.abs(value - (before[i] ?? 0)), 0);
      expect(steps).toBe(place === 0 ? 0 : 1);
    }
  });

  test("with one column is the rank, so that the order is the column's", () => {
    for (let rank = 0; rank < 64; rank += 1) expect(hilbertKey([rank], 6)).toBe(BigInt(rank));
  });

  test("keeps the curve of the upper bits when bits are added", () => {
    // What makes the curve a good order for files: a square of points is one run of keys.
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 16 - 1), { minLength: 2, maxLength: 3 }), (point) => {
        const block = (rank: number): number => rank >>> 8;
        const inBlock = [point, point.map((rank) => rank ^ 0xff), point.map((rank) => rank ^ 0x3c)];
        const blocks = new Set(inBlock.map((ranks) => hilbertKey(ranks, 16) >> BigInt(8 * point.length)));
        expect(inBlock.every((ranks) => ranks.every((rank, i) => block(rank) === block(point[i] ?? 0)))).toBe(true);
        expect(blocks.size).toBe(1);
      }),
    );
  });
});

describe("zOrderKey", () => {
  test("interleaves the bits, the first column's first", () => {
    // 5 = 101, 3 = 011: 10 01 11
    expect(zOrderKey([5, 3], 3)).toBe(0b100111n);
    // 6 = 110, 0 = 000, 7 = 111
    expect(zOrderKey([6, 0, 7], 3)).toBe(0b101101001n);
  });

  test("is long enough for more columns than 64 bits hold", () => {
    const ranks = Array.from({ length: 70 }, () => 1);
    expect(zOrderKey(ranks, curveBits(70))).toBe((1n << 70n) - 1n);
  });

  test("reads back bit by bit", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 15 - 1), { minLength: 1, maxLength: 4 }), (ranks) => {
        const digits = zOrderKey(ranks, 15)
          .toString(2)
          .padStart(15 * ranks.length, "0");
        const back = ranks.map((_, i) => parseInt([...digits].filter((_d, j) => j % ranks.length === i).join(""), 2));
        expect(back).toEqual(ranks);
      }),
    );
  });
});

test("a rank tells which of the equally filled ranges a value lies in", () => {
  expect([0, 24, 25, 50, 99].map((less) => rankOf(less, 100, 2))).toEqual([0, 0, 1, 2, 3]);
  expect(curveBits(1)).toBe(16);
  expect(curveBits(4)).toBe(15);
  expect(curveBits(62)).toBe(1);
});
