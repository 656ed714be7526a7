import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openStats, recordsIn } from "./stats-text.js";

describe("openStats", () => {
  const values = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom("minValues", "numRecords", "c", ":", "},", '"', "\\", "__proto__")),
    fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.constant(null), fc.constantFrom('},"', '"c":', "\\")),
    { maxKeys: 5 },
  );

  // Expected: what JSON.parse finds; whole numbers print as they stand.
  it("finds by searching what a parser finds", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        values,
        values,
        values,
        fc.boolean(),
        (numRecords, minValues, maxValues, nullCount, indent) => {
          const stats = JSON.stringify({ numRecords, minValues, maxValues, nullCount }, null, indent ? 1 : 0);
          const opened = openStats(stats);
          expect([opened?.numRecords, recordsIn(stats)]).toEqual([numRecords, numRecords]);
          for (const [section, members] of Object.entries({ minValues, maxValues, nullCount }))
            for (const name of [...Object.keys(members), "absent"]) {
              const value = Object.hasOwn(members, name) ? members[name] : null;
              const found = opened?.valueOf(section as "minValues", [name]);
              expect(found).toBe(value === null || value === undefined ? undefined : String(value));
            }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("keeps all digits, plain or nested, and does not mix levels up", () => {
    const plain = '{"numRecords":1,"minValues":{"c":0.12345678901234567890},"tightBounds":true}';
    expect(openStats(plain)?.valueOf("minValues", ["c"])).toBe("0.12345678901234567890");
    const nested = '{"numRecords":1,"minValues":{"s":{"c":12345678901234567890},"d":1}}';
    expect(openStats(nested)?.valueOf("minValues", ["s", "c"])).toBe("12345678901234567890");
    expect(openStats(nested)?.valueOf("minValues", ["c"])).toBeUndefined();
    expect(openStats('{"nullCount":{"minValues":5}}')?.valueOf("minValues", ["minValues"])).toBeUndefined();
  });

  it("tells nothing of what is no JSON object", () => {
    for (const text of ["", "x", "[1]", '{"numRecords":', '"a"', "null"]) expect(openStats(text)).toBeUndefined();
    expect(openStats(undefined)).toBeUndefined();
  });
});
