import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderByReads } from "./order.js";
import { at, thrown } from "./test-builders.js";

const item = (key: string, ...reads: string[]) => ({ key, name: `main.${key}`, at: at(), reads: new Set(reads) });
const keys = (items: readonly { key: string }[]) => items.map((i) => i.key).join(" ");

describe("orderByReads", () => {
  it("puts upstream first, and equals by name", () => {
    expect(keys(orderByReads([item("d", "c", "b"), item("c", "a"), item("b", "a"), item("e"), item("a")]))).toBe(
      "a b c d e",
    );
  });

  it("passes by reads of what is not there", () => {
    expect(keys(orderByReads([item("a", "gone")]))).toBe("a");
  });

  it("gives one order, whatever the order of the files", () => {
    // Each item may read those with a smaller number: no cycle.
    const graph = fc
      .array(fc.array(fc.nat(9), { maxLength: 3 }), { maxLength: 10 })
      .map((all) => all.map((reads, i) => item(`k${i}`, ...reads.filter((r) => r < i).map((r) => `k${r}`))));
    const shuffled = graph.chain((g) => fc.tuple(fc.constant(g), fc.shuffledSubarray(g, { minLength: g.length })));
    fc.assert(
      fc.property(shuffled, ([given, mixed]) => {
        const order = orderByReads(given);
        expect(keys(orderByReads(mixed))).toBe(keys(order));
        for (const [i, { reads }] of order.entries())
          for (const read of reads) expect(order.findIndex((o) => o.key === read)).toBeLessThan(i);
      }),
    );
  });

  it("names all members of a cycle, in the order in which they read each other", () => {
    const error = thrown(() => orderByReads([item("x", "a"), item("a", "b"), item("b", "c"), item("c", "a")]));
    expect(error).toMatchObject({ code: "CYCLE", object: "main.a", at: at() });
    expect(error.message).toBe("These datasets need each other: main.a reads main.b reads main.c reads main.a");
  });

  it("says it plainly of a dataset that reads itself", () => {
    expect(thrown(() => orderByReads([item("a", "a")])).message).toBe(
      "main.a reads main.a: a dataset cannot read itself",
    );
  });
});
