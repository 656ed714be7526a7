import { describe, expect, it } from "vitest";
import type { AddFile, DeletionVector } from "../log/actions.js";
import { maskedStats } from "./masked-stats.js";

const vector = (cardinality: bigint) => ({ cardinality }) as DeletionVector;
const masked = (stats: string | undefined, before: bigint | undefined, after: bigint | undefined) =>
  maskedStats({
    file: { stats, deletionVector: before === undefined ? undefined : vector(before) } as AddFile,
    deletionVector: after === undefined ? undefined : vector(after),
  });

describe("maskedStats", () => {
  it.each([
    // Amounts of many digits stay as they are written.
    [
      '{"numRecords":5,"maxValues":{"AMT":12345678901234567890.123}}',
      '{"numRecords":5,"maxValues":{"AMT":12345678901234567890.123},"tightBounds":false}',
    ],
    ['{"tightBounds":true,"numRecords":5}', '{"tightBounds":false,"numRecords":5}'],
    ['{"numRecords":5, "tightBounds" : true }', '{"numRecords":5, "tightBounds" : false }'],
    // A column may have this name, and a value any text.
    [
      '{"numRecords":5,"minValues":{"tightBounds":true,"s":"\\"tightBounds\\":true}"},"tightBounds":true}',
      '{"numRecords":5,"minValues":{"tightBounds":true,"s":"\\"tightBounds\\":true}"},"tightBounds":false}',
    ],
    ['{"numRecords":5,"tightBounds":false}', '{"numRecords":5,"tightBounds":false}'],
    ["{}", '{"tightBounds":false}'],
  ])("loosens the bounds of %s", (stats, expected) => {
    expect(masked(stats, undefined, 2n)).toBe(expected);
    expect(masked(stats, 1n, 2n)).toBe(expected);
  });

  it("drops bounds that need not hold for rows that come back", () => {
    const tight = '{"numRecords":5,"minValues":{"id":3},"tightBounds":true}';
    expect(masked(tight, 2n, undefined)).toBe('{"numRecords":5}');
    expect(masked(tight, 2n, 1n)).toBe('{"numRecords":5}');
    // These were taken from the whole file.
    const loose = '{"numRecords":5,"minValues":{"id":3},"tightBounds":false}';
    expect(masked(loose, 2n, undefined)).toBe(loose);
    expect(masked(undefined, undefined, 1n)).toBeUndefined();
  });
});
