import { describe, expect, it } from "vitest";
import type { GraphInput } from "../graph/graph.js";
import { filesInput, graphFlow, queryFlow } from "../graph/test-builders.js";
import { isDeterministic, keepsRecords, leavesOf, sourceKey } from "./inputs.js";

const files = filesInput("landing");
const table: GraphInput = { kind: "table", stream: false, location: "/p/t", name: "t" };
const over = (view: ReturnType<typeof graphFlow>): GraphInput => ({ kind: "view", stream: true, view });
const keeps = { preservesRows: true };

describe("sourceKey", () => {
  it.each([
    [files, "stream files landing"],
    [
      { ...files, stream: false, read: { ...files.read, pathGlobFilter: "*.csv" } },
      'whole files landing {"filter":"*.csv"}',
    ],
    [table, "whole table /p/t"],
    [{ ...table, stream: true }, "stream table /p/t"],
    [{ ...table, version: 3n }, "whole table /p/t version 3"],
  ] as const)("names %#", (leaf, key) => {
    expect(sourceKey(leaf)).toBe(key);
  });
});

it("leavesOf looks through views and lists a source once", () => {
  const view = graphFlow(queryFlow("v"), { r0: files, r1: table });
  const flow = graphFlow(queryFlow("t"), { r0: over(view), r1: table, r2: files });
  expect([...leavesOf(flow).keys()]).toEqual(["stream files landing", "whole table /p/t"]);
});

it("keepsRecords: one file source, and only projections above it", () => {
  const view = graphFlow(queryFlow("v"), { r0: files }, keeps);
  const filter = graphFlow(queryFlow("v"), { r0: files });
  const flows = [
    view,
    graphFlow(queryFlow("t"), { r0: over(view) }, keeps),
    filter,
    graphFlow(queryFlow("t"), { r0: over(filter) }, keeps),
    graphFlow(queryFlow("t"), { r0: files, r1: table }, keeps),
    graphFlow(queryFlow("t"), { r0: table }, keeps),
    graphFlow(queryFlow("t"), {}, keeps),
  ];
  expect(flows.map(keepsRecords)).toEqual([true, true, false, false, false, false, false]);
});

it("isDeterministic asks the views below too", () => {
  const clock = graphFlow(queryFlow("v"), { r0: files }, { deterministic: false });
  expect(isDeterministic(graphFlow(queryFlow("t"), { r0: files }))).toBe(true);
  expect(isDeterministic(clock)).toBe(false);
  expect(isDeterministic(graphFlow(queryFlow("t"), { r0: over(clock) }))).toBe(false);
});
