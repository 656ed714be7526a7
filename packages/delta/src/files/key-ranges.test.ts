import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { field, file, table } from "../testing/test-columns.js";
import { type KeyRange, mayContain, rangesOf } from "./key-ranges.js";

const withStats = (stats: string) => file({ stats });

describe("rangesOf", () => {
  const of = table([field("bukrs", "string"), field("belnr", "long")]);
  const columns = [["bukrs"], ["belnr"]];

  it("holds neighbours together, and leaves out keys with NULL", () => {
    const keys = [
      ["B", 7n],
      ["A", 9007199254740993n],
      ["A", 5n],
      [null, 1n],
      ["B", 6n],
    ] as const;
    expect(rangesOf(keys, columns, of, { limit: 2 })).toEqual([
      { lower: ["A", 5n], upper: ["A", 9007199254740993n] },
      { lower: ["B", 6n], upper: ["B", 7n] },
    ]);
    expect(rangesOf([[null, 1n]], columns, of)).toEqual([]);
  });

  it("tells 200,000 keys in at most 1,000 ranges", () => {
    const keys = Array.from({ length: 200_000 }, (_, i) => ["A", BigInt(i * 7)] as const);
    const ranges = rangesOf(keys, columns, of);
    expect(ranges.length).toBe(1000);
    const within = (min: number, max: number) =>
      withStats(`{"numRecords":9,"minValues":{"bukrs":"A","belnr":${min}},"maxValues":{"bukrs":"A","belnr":${max}}}`);
    const mayHold = mayContain(ranges, columns, of);
    expect(mayHold(within(0, 0))).toBe(true);
    expect(mayHold(within(1_399_993, 1_399_999))).toBe(true);
    expect(mayHold(within(1_399_994, 1_399_999))).toBe(false);
    // Between the 200 keys of one range and those of the next.
    expect(mayHold(within(199 * 7 + 1, 200 * 7 - 1))).toBe(false);
  });
});

describe("mayContain", () => {
  it("is false for a column that is NULL in all rows, true where nothing is told", () => {
    const of = table([field("k", "long")]);
    const mayHold = mayContain([{ lower: [1n], upper: [2n] }], [["k"]], of);
    expect(mayHold(withStats('{"numRecords":2,"minValues":{},"maxValues":{},"nullCount":{"k":2}}'))).toBe(false);
    expect(mayHold(withStats('{"numRecords":2}'))).toBe(true);
    expect(mayContain([], [["k"]], of)(withStats('{"numRecords":2}'))).toBe(false);
  });

  it("finds NaN beside the bounds", () => {
    const of = table([field("k", "double")]);
    const stats = '{"numRecords":2,"minValues":{"k":1.0},"maxValues":{"k":2.0},"nullCount":{"k":0}}';
    expect(mayContain([{ lower: [5], upper: [Number.NaN] }], [["k"]], of)(withStats(stats))).toBe(true);
    expect(mayContain([{ lower: [5], upper: [6] }], [["k"]], of)(withStats(stats))).toBe(false);
  });

  // Every key in a file's bounds must find the file; a plain search over all ranges says which others may.
  it("finds what a search of every range finds", () => {
    const of = table([field("a", "long"), field("b", "long")]);
    const columns = [["a"], ["b"]];
    const number = fc.bigInt({ min: 0n, max: 20n });
    const span = fc.tuple(number, number).map(([x, y]) => (x < y ? ([x, y] as const) : ([y, x] as const)));
    const range = fc.tuple(span, span).map(([a, b]): KeyRange => ({ lower: [a[0], b[0]], upper: [a[1], b[1]] }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 8 }), span, span, (ranges, a, b) => {
        const stats = `{"numRecords":2,"minValues":{"a":${a[0]},"b":${b[0]}},"maxValues":{"a":${a[1]},"b":${b[1]}},"nullCount":{"a":0,"b":0}}`;
        const expected = ranges.some(
          ({ lower, upper }) =>
            (lower[0] as bigint) <= a[1] &&
            (upper[0] as bigint) >= a[0] &&
            (lower[1] as bigint) <= b[1] &&
            (upper[1] as bigint) >= b[0],
        );
        expect(mayContain(ranges, columns, of)(withStats(stats))).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});
