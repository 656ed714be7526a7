import { describe, expect, it } from "vitest";
import type { GraphInput } from "../graph/graph.js";
import { dataset, filesInput, graphFlow, graphNode, manifest, queryFlow, tableState } from "../graph/test-builders.js";
import type { Manifest } from "../model/batch.js";
import { describeEdits } from "./describe-edits.js";

const ORDERS: GraphInput = { kind: "table", stream: true, location: "/p/orders", name: "orders" };
const PRICES: GraphInput = { kind: "table", stream: false, location: "/p/prices", name: "prices" };

function edits(
  inputs: Readonly<Record<string, GraphInput>>,
  manifests: readonly Manifest[],
  more: Partial<Parameters<typeof describeEdits>[0]> = {},
  isEdited = false,
): string[] {
  const flow = graphFlow(queryFlow("t"), inputs);
  const node = graphNode(dataset("t"), [flow]);
  const history = { manifests, committed: true };
  return describeEdits({ node, flow, history, target: tableState(), isAskedFor: false, ...more }, isEdited);
}

const done = manifest(0, { "stream files landing": { kind: "files", files: [] } });

describe("what an edit means, before the run", () => {
  it("tells streams that were added and taken away; what is read whole is no position", () => {
    expect(edits({ r0: ORDERS, r1: PRICES }, [done], {}, true)).toEqual([
      "the stream table /p/orders is new, and read from its beginning",
      "the stream files landing is read no more, and its rows stay",
      "the query changed, for new rows only",
    ]);
    expect(edits({ r0: filesInput("landing"), r1: PRICES }, [done])).toEqual([]);
  });

  it("does not call a stream new that an earlier batch has read", () => {
    const before = manifest(0, { "stream table /p/orders": { kind: "appended", tableId: "id", to: "1" } });
    expect(edits({ r0: ORDERS }, [before, { ...done, batch: 1 }])).toEqual([
      "the stream files landing is read no more, and its rows stay",
    ]);
  });

  it("says that another writer changed a table that changes fill", () => {
    const rules = { storedAs: "scd1" } as NonNullable<ReturnType<typeof graphFlow>["changes"]>;
    const flow = { ...graphFlow(queryFlow("t"), { r0: filesInput("landing") }), changes: rules };
    const said = (lastCommitNote?: string) =>
      edits({}, [done], { flow, target: tableState(lastCommitNote === undefined ? {} : { lastCommitNote }) });
    expect(said("ingot/f/0 batch 3\ningot/g/0 batch 1")).toEqual([]);
    expect(said("by hand")).toEqual(["another writer changed the rows that are there"]);
    expect(said()).toEqual(["another writer changed the rows that are there"]);
  });

  it("names the flow that is gone where a new one fills its table", () => {
    const target = tableState({
      transactions: new Map([
        ["ingot/old%2ename/1", 3n],
        ["spark", 1n],
      ]),
    });
    const said = [
      "a new flow into a table that has batches of the flow old%2ename, which is gone: what that one has read is read again",
    ];
    expect(edits({ r0: ORDERS }, [], { target })).toEqual(said);
    expect(edits({ r0: ORDERS }, [], { target, isAskedFor: true })).toEqual([]);
    expect(edits({ r0: ORDERS }, [], { target: tableState({ transactions: new Map([["ingot/t/1", 3n]]) }) })).toEqual(
      [],
    );
    expect(edits({ r0: ORDERS }, [], { target: undefined })).toEqual([]);
  });
});
