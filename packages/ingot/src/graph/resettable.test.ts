import { describe, expect, it } from "vitest";
import type { GraphNode } from "./graph.js";
import { isResettable, refuseResettableSources } from "./resettable.js";
import { dataset, graphFlow, graphNode, keyOf, queryFlow } from "./test-builders.js";

const PROTECTED = { properties: { "pipelines.reset.allowed": "FALSE" } };

/** A streaming table that reads others, as a stream or as a whole. */
function table(name: string, reads: readonly string[], more: object = {}, stream = true): GraphNode {
  const inputs = reads.map((read) => [read, { kind: "table", stream, location: `/p/${read}`, name: read }] as const);
  return graphNode(dataset(name, "streaming-table", more), [graphFlow(queryFlow(name), Object.fromEntries(inputs))], {
    upstream: new Set(reads.map(keyOf)),
  });
}

describe("refuseResettableSources", () => {
  it("refuses a protected table that streams from one that is not, however far above", () => {
    const nodes = [table("a", []), table("b", ["a"], PROTECTED), table("c", ["b"], PROTECTED)];
    expect(refuseResettableSources(nodes)).toMatchObject([
      { code: "INVALID_RESETTABLE_DEPENDENCY", object: "spark_catalog.default.b" },
      { code: "INVALID_RESETTABLE_DEPENDENCY", message: expect.stringMatching(/: spark_catalog\.default\.a$/) },
    ]);
  });

  it("takes one below protected tables, one that does not stream, and one that reads files", () => {
    const nodes = [
      table("a", [], PROTECTED),
      table("b", ["a"], PROTECTED),
      table("c", []),
      table("d", ["c"], PROTECTED, false),
    ];
    expect(refuseResettableSources(nodes)).toEqual([]);
  });
});

it("isResettable takes any letter case, and true by default", () => {
  expect(isResettable(dataset("t"))).toBe(true);
  expect(isResettable(dataset("t", "streaming-table", PROTECTED))).toBe(false);
});
