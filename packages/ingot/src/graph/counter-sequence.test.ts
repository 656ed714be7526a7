import { expect, it } from "vitest";
import type { ColumnSource } from "../model/lineage.js";
import { sqlText } from "../model/position.js";
import { warnOfCounters } from "./counter-sequence.js";
import type { GraphFlow, GraphInput } from "./graph.js";
import { at, columns, compiled, DEFAULTS, dataset, graphNode, queryFlow, tableName } from "./test-builders.js";

const TABLE: GraphInput = { kind: "table", stream: true, location: "/t", name: "t" };
const source = (column: string): ColumnSource => ({ relation: "r0", column, how: "copied" });

function orderedBy(sources: readonly ColumnSource[], input = TABLE): GraphFlow {
  const base = { name: "f", target: tableName("t"), at: at(7), defaults: DEFAULTS, source: sqlText("STREAM s") };
  return {
    flow: { kind: "auto-cdc", ...base, keys: ["id"], sequenceBy: sqlText("x"), storedAs: "scd1" },
    query: compiled({ schema: columns("__ingot_sequence int"), lineage: { columns: [sources], influences: [] } }),
    inputs: new Map([["r0", input]]),
  };
}

const view = (of: ColumnSource): GraphInput => ({
  kind: "view",
  stream: true,
  view: {
    flow: queryFlow("v"),
    query: compiled({ schema: columns("seq int"), lineage: { columns: [[of]], influences: [] } }),
    inputs: new Map([["r0", TABLE]]),
  },
});
const warnings = (flow: GraphFlow) => warnOfCounters([graphNode(dataset("t"), [flow])]);

it.each([
  ["as it is", orderedBy([source("odq_entitycntr")])],
  ["under another name", orderedBy([source("seq")], view(source("ODQ_ENTITYCNTR")))],
])("a sequence that is ODQ_ENTITYCNTR, %s, is told with its place", (_, flow) => {
  expect(warnings(flow)).toEqual([
    expect.stringMatching(/^The flow f \(\/p\/all\.sql:7:1\) orders changes by ODQ_ENTITYCNTR, which is a counter/),
  ]);
});

it.each([
  ["another column", orderedBy([source("seq")])],
  ["a view's other column", orderedBy([source("seq")], view(source("txn")))],
  ["the counter behind a real sequence", orderedBy([source("txn"), source("odq_entitycntr")])],
  ["nothing", orderedBy([])],
])("%s is no matter", (_, flow) => {
  expect(warnings(flow)).toEqual([]);
});
