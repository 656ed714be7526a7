import { expect, it } from "vitest";
import type { GraphInput, GraphNode } from "../graph/graph.js";
import {
  at,
  batchFile,
  DEFAULTS,
  dataset,
  filesInput,
  graphFlow,
  graphNode,
  manifest,
  queryFlow,
  tableName,
  tableState,
} from "../graph/test-builders.js";
import type { BatchFile } from "../model/batch.js";
import { sqlText } from "../model/position.js";
import { fingerprint } from "./fingerprint.js";
import type { History } from "./history.js";
import { type FlowSituation, type Offer, planFlow, planReplay } from "./plan-flow.js";
import { filesOffer } from "./test-offer.js";

// Materialized views.

const KEY = "whole table /p/orders";
const INPUT: GraphInput = { kind: "table", stream: false, location: "/p/orders", name: "orders" };
const flow = graphFlow(queryFlow("m"), { r0: INPUT });
const view = graphNode(dataset("m", "materialized-view"), [flow]);
const inputs = { [KEY]: { kind: "snapshot", tableId: "id-1", version: "2" } } as const;
const done = manifest(4, inputs, { mode: "overwrite", fingerprint: fingerprint(view, flow) });
const before: History = { manifests: [done], committed: true, lastNote: "mine" };

const offer = (version: bigint, tableId = "id-1"): ReadonlyMap<string, Offer> =>
  new Map([[KEY, { kind: "table", tableId, version }]]);

const unchanged: FlowSituation = {
  node: view,
  flow,
  history: before,
  offers: offer(2n),
  target: tableState({ lastCommitNote: "mine" }),
  reset: false,
  now: "2026-10-02T00:00:00.000Z",
};
const plan = (change: Partial<FlowSituation>) => planFlow({ ...unchanged, ...change });

it("does nothing where neither query nor inputs changed", () => {
  const reason = "unchanged: the same query over the same inputs";
  expect(plan({})).toEqual({ kind: "none", reason, held: [], notices: [] });
});

const random = graphFlow(queryFlow("m"), { r0: INPUT }, { deterministic: false });
const eager: GraphNode = { ...view, dataset: { ...view.dataset, refreshPolicy: "full" } };

it.each<[string, Partial<FlowSituation>]>([
  ["full refresh", { reset: true, history: { manifests: [], committed: true } }],
  ["first run", { history: { manifests: [], committed: true }, target: undefined }],
  ["first run", { target: undefined }],
  ["the last run did not finish", { history: { ...before, committed: false } }],
  ["another writer changed the table", { target: tableState({ lastCommitNote: "theirs" }) }],
  ["another writer changed the table", { target: tableState() }],
  ["the definition changed", { history: { ...before, manifests: [{ ...done, fingerprint: "other" }] } }],
  ["the definition changed", { target: tableState({ lastCommitNote: "mine", comment: "an old one" }) }],
  ["the query asks for the time", { flow: random, node: { ...view, flows: [random] } }],
  ["refresh policy full", { node: eager }],
])("is computed again: %s (%#)", (reason, change) => {
  expect(plan(change)).toMatchObject({ kind: "batch", reason, manifest: { mode: "overwrite", inputs } });
});

it("is computed again over another version, or another table of that name", () => {
  const found = { kind: "batch", reason: "inputs changed" };
  expect(plan({ offers: offer(3n) })).toMatchObject({ ...found, manifest: { inputs: { [KEY]: { version: "3" } } } });
  expect(plan({ offers: offer(2n, "id-2") })).toMatchObject({
    ...found,
    manifest: { inputs: { [KEY]: { tableId: "id-2" } } },
  });
});

it("says what its rows come of, where nothing but later versions of its inputs makes other rows of it", () => {
  expect(plan({ offers: offer(3n) })).toMatchObject({ since: inputs });
  for (const change of [
    { offers: offer(1n) },
    { offers: offer(3n, "id-2") },
    { offers: offer(3n), history: { ...before, committed: false } },
    { offers: offer(3n), target: tableState({ lastCommitNote: "theirs" }) },
    { offers: offer(3n), node: eager },
  ])
    expect(plan(change)).not.toHaveProperty("since");
});

it("counts its batches on, also behind one that did not finish", () => {
  expect(plan({ history: { ...before, committed: false } })).toMatchObject({ manifest: { batch: 5 } });
});

it("compares files by content, not by time", () => {
  const key = "whole files landing";
  const ofFiles = graphFlow(queryFlow("m"), { r0: filesInput("landing", false) });
  const node = graphNode(view.dataset, [ofFiles]);
  const last = manifest(
    0,
    { [key]: { kind: "files", files: [batchFile("a")] } },
    { fingerprint: fingerprint(node, ofFiles) },
  );
  const run = (file: BatchFile) => {
    const offers = new Map<string, Offer>([[key, filesOffer([file])]]);
    return plan({ node, flow: ofFiles, history: { ...before, manifests: [last] }, offers });
  };
  expect(run(batchFile("a", { mtimeMs: 9 })).kind).toBe("none");
  expect(run(batchFile("a", { sha256: "other" })).reason).toBe("inputs changed");
});

// Flows of snapshots: the same, into a table that keeps what they do not name.

const base = { name: "s", target: tableName("m"), at: at(), defaults: DEFAULTS, source: sqlText("orders") } as const;
const taking = { ...flow, flow: { ...base, kind: "auto-cdc-from-snapshot", keys: ["k"], storedAs: "scd1" } as const };
const kept = graphNode(dataset("m", "streaming-table"), [taking]);
const pending: History = { manifests: [{ ...done, mode: "reset" }], committed: false };

it.each<[string, Partial<FlowSituation>, string, string]>([
  ["a snapshot is applied to what is there", { history: { ...before, committed: false } }, "batch", "append"],
  ["a full refresh replaces it", { reset: true, history: { manifests: [], committed: true } }, "batch", "reset"],
  ["one that died is begun again, with the source of now", { history: pending, offers: offer(3n) }, "batch", "reset"],
])("%s", (_, change, kind, mode) => {
  const situation = { ...unchanged, node: kept, flow: taking, ...change };
  expect(planReplay(kept, taking, situation.history)).toBeUndefined();
  expect(planFlow(situation)).toMatchObject({ kind, manifest: { mode } });
});

it("a snapshot that is taken once is taken again only where it was not committed", () => {
  const once = { ...taking, flow: { ...taking.flow, once: true } };
  const situation = { ...unchanged, node: kept, flow: once, offers: offer(3n) };
  expect(planFlow(situation)).toMatchObject({ kind: "none", reason: "a once flow that has run" });
  expect(planFlow({ ...situation, history: { ...before, committed: false } }).kind).toBe("batch");
});
