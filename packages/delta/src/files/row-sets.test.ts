import fc from "fast-check";
import { expect, it } from "vitest";
import { difference, union } from "./row-sets.js";

const set = fc.uniqueArray(fc.nat({ max: 100 }));
const rows = (values: Iterable<number>) => Float64Array.from(values).sort();

it("takes rows away and puts rows together", () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      const inB = new Set(b);
      const onlyA = a.filter((row) => !inB.has(row));
      expect(difference(rows(a), rows(b))).toEqual(rows(onlyA));
      expect(union(rows(onlyA), rows(b))).toEqual(rows([...onlyA, ...b]));
    }),
  );
});
