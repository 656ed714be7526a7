import { describe, expect, it } from "vitest";
import type { GraphInput, GraphNode } from "../graph/graph.js";
import {
  batchFile,
  dataset,
  filesInput,
  graphFlow,
  graphNode,
  manifest,
  queryFlow,
  tableState,
  thrown,
} from "../graph/test-builders.js";
import type { BatchInput, HeldFile, Manifest } from "../model/batch.js";
import { fingerprint } from "./fingerprint.js";
import { filesSeen, type History, positionOf } from "./history.js";
import { type FlowSituation, isAbandoned, type Offer, planFlow, planReplay } from "./plan-flow.js";
import type { SeenFiles } from "./seen-files.js";
import { filesOffer } from "./test-offer.js";

const LANDING: GraphInput = filesInput("landing");
const ORDERS: GraphInput = { kind: "table", stream: true, location: "/p/orders", name: "orders" };
const NOW = "2026-10-02T00:00:00.000Z";
const FILES = "stream files landing";
const TABLE = "stream table /p/orders";

const files = (...names: string[]): BatchInput => ({ kind: "files", files: names.map((name) => batchFile(name)) });
const versions = (after: string | undefined, to: string): BatchInput => ({
  kind: "appended",
  tableId: "id-1",
  ...(after === undefined ? {} : { after }),
  to,
});

const offerFiles = (names: readonly string[], held: readonly HeldFile[] = []) =>
  filesOffer(
    names.map((name) => batchFile(name)),
    held,
  );
const offerTable = (version: bigint): Offer => ({ kind: "table", tableId: "id-1", version });

const target = dataset("t");
const node = (flow: ReturnType<typeof graphFlow>): GraphNode => graphNode(target, [flow]);
const streaming = graphFlow(queryFlow("t"), { r0: LANDING });
const PRINT = fingerprint(node(streaming), streaming);

const history = (manifests: readonly Manifest[], committed = true): History => ({ manifests, committed });

function plan(situation: Partial<FlowSituation>) {
  const flow = situation.flow ?? streaming;
  const whole = {
    node: node(flow),
    flow,
    history: history([]),
    offers: new Map(),
    target: tableState(),
    reset: false,
    now: NOW,
    ...situation,
  };
  return planReplay(whole.node, flow, whole.history) ?? planFlow(whole);
}

const HELD: HeldFile = { path: "/p/landing/x.csv", reason: "changed", detail: "other content" };

describe("a streaming table", () => {
  it.each<[string, Partial<FlowSituation>, object]>([
    [
      "makes its table on the first run",
      { target: undefined, offers: new Map([[FILES, offerFiles(["a", "b"])]]) },
      {
        kind: "batch",
        reason: "2 new files, 4 records",
        manifest: manifest(0, { [FILES]: files("a", "b") }, { created: NOW, fingerprint: PRINT }),
      },
    ],
    [
      "makes its table though nothing is there, so that others can read it",
      { target: undefined, offers: new Map([[FILES, offerFiles([])]]) },
      { kind: "batch", reason: "nothing to read yet", manifest: { batch: 0, inputs: { [FILES]: files() } } },
    ],
    [
      "reads what is new",
      {
        history: history([manifest(0, { [FILES]: files("a") }, { fingerprint: PRINT })]),
        offers: new Map([[FILES, offerFiles(["b"])]]),
      },
      { kind: "batch", reason: "1 new file, 2 records", manifest: { batch: 1, inputs: { [FILES]: files("b") } } },
    ],
    [
      "does nothing where nothing is new, and tells what is held",
      { history: history([manifest(0, { [FILES]: files("a") })]), offers: new Map([[FILES, offerFiles([], [HELD])]]) },
      { kind: "none", reason: "nothing new", held: [HELD] },
    ],
    [
      "writes an empty batch where only the declaration changed, so that it reaches the table",
      {
        history: history([manifest(0, { [FILES]: files("a") }, { fingerprint: PRINT })]),
        offers: new Map([[FILES, offerFiles([])]]),
        target: tableState({ comment: "an old one" }),
      },
      { kind: "batch", reason: "the definition changed", manifest: { batch: 1, inputs: { [FILES]: files() } } },
    ],
    [
      "does just what a manifest says that was not committed, though newer files have come",
      {
        history: history([manifest(0, { [FILES]: files("a") })], false),
        target: undefined,
        offers: new Map([[FILES, offerFiles(["b"])]]),
      },
      {
        kind: "replay",
        reason: "batch 0 was planned and not committed",
        manifest: manifest(0, { [FILES]: files("a") }),
      },
    ],
    [
      "begins again with a full refresh",
      { reset: true, offers: new Map([[FILES, offerFiles(["a", "b"])]]) },
      { kind: "batch", reason: "full refresh: 2 new files, 4 records", manifest: { batch: 0, mode: "reset" } },
    ],
    [
      "is emptied by a full refresh without files",
      { reset: true, offers: new Map([[FILES, offerFiles([])]]) },
      { kind: "batch", reason: "full refresh: nothing to read yet", manifest: { batch: 0, mode: "reset" } },
    ],
    [
      "says that a changed query meets new rows only",
      {
        history: history([manifest(0, { [FILES]: files("a") }, { fingerprint: "other" })]),
        offers: new Map([[FILES, offerFiles(["b"])]]),
      },
      { reason: "1 new file, 2 records; the query changed, for new rows only", manifest: { fingerprint: PRINT } },
    ],
  ])("%s", (_, situation, expected) => {
    expect(plan(situation)).toMatchObject(expected);
  });

  const ofTable = graphFlow(queryFlow("t"), { r0: ORDERS });
  const read = manifest(0, { [TABLE]: versions(undefined, "4") }, { fingerprint: fingerprint(node(ofTable), ofTable) });
  it.each<[string, readonly Manifest[], bigint, object]>([
    [
      "reads a table from its first version",
      [],
      4n,
      { reason: "orders up to version 4", manifest: { inputs: { [TABLE]: versions(undefined, "4") } } },
    ],
    [
      "goes on where it stopped",
      [read],
      6n,
      { reason: "orders versions 5 to 6", manifest: { inputs: { [TABLE]: versions("4", "6") } } },
    ],
    ["does nothing at the same version", [read], 4n, { kind: "none", reason: "nothing new" }],
    [
      "finds its position behind batches that did not read the table",
      [read, manifest(1, { [FILES]: files("a") })],
      6n,
      { manifest: { batch: 2, inputs: { [TABLE]: versions("4", "6") } } },
    ],
  ])("%s", (_, manifests, version, expected) => {
    expect(
      plan({
        flow: ofTable,
        history: history(manifests),
        offers: new Map([[TABLE, offerTable(version)]]),
        target: manifests.length === 0 ? undefined : tableState(),
      }),
    ).toMatchObject(expected);
  });

  it("joins a stream with the whole of another table, whose changes alone bring nothing", () => {
    const prices: GraphInput = { kind: "table", stream: false, location: "/p/prices", name: "prices" };
    const flow = graphFlow(queryFlow("t"), { r0: ORDERS, r1: prices });
    const offers = (orders: bigint) =>
      new Map([
        [TABLE, offerTable(orders)],
        ["whole table /p/prices", offerTable(9n)],
      ]);
    const before = manifest(0, {
      [TABLE]: versions(undefined, "4"),
      "whole table /p/prices": { kind: "snapshot", tableId: "id-1", version: "8" },
    });
    expect(plan({ flow, history: history([before]), offers: offers(4n) })).toMatchObject({ kind: "none" });
    expect(plan({ flow, history: history([before]), offers: offers(5n) })).toMatchObject({
      manifest: {
        inputs: { [TABLE]: versions("4", "5"), "whole table /p/prices": { kind: "snapshot", version: "9" } },
      },
    });
  });

  it("refuses to finish a batch whose source the query reads no more: its rows would be lost", () => {
    const error = thrown(() =>
      plan({ flow: ofTable, history: history([manifest(3, { [FILES]: files("a") })], false) }),
    );
    expect(error).toMatchObject({ code: "CHECKPOINT_DAMAGED", object: "t" });
    expect(error.message).toContain("Batch 3 of the flow t was planned and not committed");
    expect(error.message).toContain(FILES);
  });
});

describe("a once flow", () => {
  const whole: GraphInput = { kind: "table", stream: false, location: "/p/archive", name: "archive" };
  const flow = graphFlow(queryFlow("t", "SELECT 1", { once: true }), { r0: whole });
  const offers = new Map([["whole table /p/archive", offerTable(2n)]]);
  const done = manifest(0, { "whole table /p/archive": { kind: "snapshot", tableId: "id-1", version: "2" } });

  it.each<[string, Partial<FlowSituation>, object]>([
    ["runs one time", {}, { kind: "batch", reason: "a once flow that has not run", manifest: { inputs: done.inputs } }],
    ["never runs again", { history: history([done]) }, { kind: "none", reason: "a once flow that has run" }],
    ["finishes what it began", { history: history([done], false) }, { kind: "replay", manifest: done }],
    ["runs again in a full refresh", { reset: true }, { kind: "batch", manifest: { mode: "reset", batch: 0 } }],
  ])("%s", (_, situation, expected) => {
    expect(plan({ flow, offers, ...situation })).toMatchObject(expected);
  });
});

describe("what batches have read", () => {
  const batches = history([
    manifest(0, { [FILES]: files("a"), [TABLE]: versions(undefined, "1") }),
    manifest(1, { [FILES]: files("b") }),
  ]);

  const paths = (seen: SeenFiles) => [...seen].map(([path]) => path);

  it("is every file of every batch of the source", () => {
    expect(paths(filesSeen(streaming, batches, FILES))).toEqual(["/p/landing/a", "/p/landing/b"]);
  });

  it("is nothing for a source that was added beside the one that read the same files", () => {
    const more: GraphInput = filesInput("landing/a");
    const both = graphFlow(queryFlow("t"), { r0: LANDING, r1: more });
    expect(paths(filesSeen(both, batches, "stream files landing/a"))).toEqual([]);
  });

  it("counts the files of a stream that was edited away, so that an edit reads none of them again", () => {
    const edited = graphFlow(queryFlow("t"), { r0: filesInput("landing/*") });
    expect(paths(filesSeen(edited, batches, "stream files landing/*"))).toEqual(["/p/landing/a", "/p/landing/b"]);
  });

  it("tells a generation whose first batch was never done and has lost its source from one that goes on", () => {
    const other = graphFlow(queryFlow("t"), { r0: filesInput("elsewhere") });
    const first = [manifest(0, { [FILES]: files("a") })];
    expect(isAbandoned(other, history(first, false))).toBe(true);
    expect(isAbandoned(streaming, history(first, false))).toBe(false);
    expect(isAbandoned(other, history(first))).toBe(false);
    expect(isAbandoned(other, batches)).toBe(false);
  });

  it("is the newest position of each source", () => {
    expect(positionOf(batches, FILES)).toEqual(files("b"));
    expect(positionOf(batches, TABLE)).toEqual(versions(undefined, "1"));
    expect(positionOf(batches, "stream table /p/other")).toBeUndefined();
  });
});
