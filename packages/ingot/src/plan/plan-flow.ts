import type { GraphFlow, GraphNode } from "../graph/graph.js";
import type { BatchInput, ColumnNotice, FilesInput, HeldFile, Manifest } from "../model/batch.js";
import { IngotError } from "../model/error.js";
import type { TableState } from "../model/table.js";
import { fingerprint, isRedefined } from "./fingerprint.js";
import { type History, positionOf } from "./history.js";
import { isDeterministic, type Leaf, leavesOf } from "./inputs.js";

/** What a flow will do, and why. A value: the dry run prints it, the run executes it. */
export type FlowPlan =
  /** The last run wrote this manifest and not its rows: do just what it says. */
  | { readonly kind: "replay"; readonly manifest: Manifest; readonly reason: string }
  | (Found & {
      readonly kind: "batch";
      readonly manifest: Manifest;
      readonly reason: string;
      /** A source has more than this batch may take. */
      readonly more: boolean;
    })
  | (Found & { readonly kind: "none"; readonly reason: string });

/** What looking at files brought that is no row, for the event log. */
export interface Found {
  readonly held: readonly HeldFile[];
  readonly notices: readonly ColumnNotice[];
}

export const NOTHING_FOUND: Found = { held: [], notices: [] };

/** What an input offers now. */
export type Offer =
  /** Stream: files not seen before. Whole: all files. */
  | (Found &
      FilesInput & {
        /** Files wait for a batch behind this one. */
        readonly more: boolean;
        /** The path is not there, and may be missing. */
        readonly absent?: boolean;
      })
  | { readonly kind: "table"; readonly tableId: string; readonly version: bigint };

export interface FlowSituation {
  readonly node: GraphNode;
  readonly flow: GraphFlow;
  readonly history: History;
  /** By source. */
  readonly offers: ReadonlyMap<string, Offer>;
  /** The target as it is now. */
  readonly target: TableState | undefined;
  /** A full refresh: the history is that of a new, empty generation. */
  readonly reset: boolean;
  /** UTC, ISO 8601. */
  readonly now: string;
}

/**
 * The batch that an earlier run wrote down and did not commit: it is done as written before anything else is looked at.
 * A materialized view is computed from everything anyway, so it never needs one.
 *
 * @throws IngotError CHECKPOINT_DAMAGED when the batch cannot be done any more
 */
export function planReplay(node: GraphNode, flow: GraphFlow, history: History): FlowPlan | undefined {
  const pending = history.committed ? undefined : history.manifests.at(-1);
  if (pending === undefined || node.dataset.kind === "materialized-view") return undefined;
  const gone = sourcesGone(flow, pending)[0];
  if (gone !== undefined) throw lostSource(flow, pending, gone);
  return { kind: "replay", manifest: pending, reason: `batch ${pending.batch} was planned and not committed` };
}

/**
 * Whether a generation never began: its first batch is not committed, and the query has other sources now. Nothing was
 * read, so nothing is lost by beginning anew.
 */
export function isAbandoned(flow: GraphFlow, history: History): boolean {
  const [first, ...more] = history.manifests;
  const isFirst = first !== undefined && more.length === 0 && history.compacted === undefined;
  return isFirst && !history.committed && sourcesGone(flow, first).length > 0;
}

/** Decides what a flow does in this run when nothing is pending. Pure. */
export function planFlow(situation: FlowSituation): FlowPlan {
  const { node, flow, history } = situation;
  if (node.dataset.kind === "materialized-view") return planWhole(situation);
  if (flow.flow.once === true && history.manifests.length > 0)
    return { kind: "none", reason: "a once flow that has run", ...NOTHING_FOUND };
  return planNew(situation);
}

function sourcesGone(flow: GraphFlow, manifest: Manifest): string[] {
  const leaves = leavesOf(flow);
  return Object.keys(manifest.inputs).filter((key) => !leaves.has(key));
}

/** A batch is done as it was planned: rows of a source that the query reads no more would be lost. */
function lostSource(flow: GraphFlow, manifest: Manifest, gone: string): IngotError {
  return new IngotError(
    "CHECKPOINT_DAMAGED",
    `Batch ${manifest.batch} of the flow ${flow.flow.name} was planned and not committed, and the query does not read its source any more: ${gone}`,
    {
      at: flow.flow.at,
      object: flow.flow.name,
      hint: "Put the source back for one run, so that the batch is finished; or start the table again with --full-refresh.",
    },
  );
}

/** A streaming table's next batch: what its streams have not given yet. */
function planNew({ node, flow, history, offers, target, reset, now }: FlowSituation): FlowPlan {
  const last = history.manifests.at(-1);
  const inputs: Record<string, BatchInput> = {};
  const news: string[] = [];
  const found = foundIn(offers);
  for (const [key, leaf] of leavesOf(flow)) {
    const offer = offers.get(key);
    if (offer === undefined) continue;
    const input = leaf.stream ? newPart(offer, positionOf(history, key)) : whole(offer);
    if (input === undefined) continue;
    inputs[key] = input;
    if (leaf.stream) news.push(describeNews(input, leaf));
  }
  const fresh = news.filter((text) => text !== "");
  // A first batch is planned even when nothing is there: it makes the table, so that others can read it.
  const first = target === undefined || reset || flow.flow.once === true;
  const redefined = target !== undefined && isRedefined(node, target);
  if (fresh.length === 0 && !first && !redefined) return { kind: "none", reason: "nothing new", ...found };
  const print = fingerprint(node, flow);
  const nothing =
    flow.flow.once === true
      ? "a once flow that has not run"
      : redefined
        ? "the definition changed"
        : "nothing to read yet";
  // A column more in the files is told by itself, and changes what `*` means.
  const isEdited =
    last !== undefined && last.fingerprint !== print && !found.notices.some((n) => n.kind === "new-column");
  const changed = isEdited ? "; the query changed, for new rows only" : "";
  return {
    kind: "batch",
    more: [...offers.values()].some((offer) => offer.kind === "files" && offer.more),
    reason: `${reset ? "full refresh: " : ""}${fresh.join(", ") || nothing}${changed}`,
    ...found,
    manifest: {
      format: 1,
      batch: (last?.batch ?? -1) + 1,
      mode: reset ? "reset" : "append",
      fingerprint: print,
      created: now,
      inputs,
    },
  };
}

/** A materialized view: computed from everything, unless neither its query nor its inputs changed. */
function planWhole({ node, flow, history, offers, target, reset, now }: FlowSituation): FlowPlan {
  const last = history.manifests.at(-1);
  const inputs: Record<string, BatchInput> = {};
  const found = foundIn(offers);
  for (const [key] of leavesOf(flow)) {
    const offer = offers.get(key);
    if (offer !== undefined) inputs[key] = whole(offer);
  }
  const isAbsent = [...offers.values()].some((offer) => offer.kind === "files" && offer.absent === true);
  if (isAbsent && target !== undefined) return { kind: "none", reason: "left out: its files are not there", ...found };
  const print = fingerprint(node, flow);
  const why = ((): string | undefined => {
    if (reset) return "full refresh";
    if (target === undefined || last === undefined) return "first run";
    if (!history.committed) return "the last run did not finish";
    if (target.lastCommitNote !== history.lastNote) return "another writer changed the table";
    if (last.fingerprint !== print || isRedefined(node, target)) return "the definition changed";
    if (!isDeterministic(flow)) return "the query asks for the time";
    if (node.dataset.refreshPolicy === "full") return "refresh policy full";
    return sameInputs(last.inputs, inputs) ? undefined : "inputs changed";
  })();
  if (why === undefined) return { kind: "none", reason: "unchanged: the same query over the same inputs", ...found };
  return {
    kind: "batch",
    reason: why,
    more: false,
    ...found,
    manifest: {
      format: 1,
      batch: (last?.batch ?? -1) + 1,
      mode: "overwrite",
      fingerprint: print,
      created: now,
      inputs,
    },
  };
}

function foundIn(offers: FlowSituation["offers"]): Found {
  const files = [...offers.values()].flatMap((offer) => (offer.kind === "files" ? [offer] : []));
  return { held: files.flatMap(({ held }) => held), notices: files.flatMap(({ notices }) => notices) };
}

function whole(offer: Offer): BatchInput {
  return offer.kind === "files"
    ? filesInput(offer)
    : { kind: "snapshot", tableId: offer.tableId, version: String(offer.version) };
}

function filesInput({ files, columns, options, passed }: Offer & { readonly kind: "files" }): FilesInput {
  return {
    kind: "files",
    files,
    ...(columns === undefined ? {} : { columns }),
    ...(options === undefined ? {} : { options }),
    ...(passed === undefined || passed.length === 0 ? {} : { passed }),
  };
}

/** The part of a stream's offer that no batch has read. */
function newPart(offer: Offer, before: BatchInput | undefined): BatchInput | undefined {
  if (offer.kind === "files") return filesInput(offer);
  if (before?.kind !== "appended") return { kind: "appended", tableId: offer.tableId, to: String(offer.version) };
  return { kind: "appended", tableId: offer.tableId, after: before.to, to: String(offer.version) };
}

function describeNews(input: BatchInput, leaf: Leaf): string {
  if (input.kind === "files") {
    const records = input.files.reduce((sum, f) => sum + f.records, 0);
    const passed = input.passed?.length ?? 0;
    if (passed > 0) return `${count(passed, "file")} of before passed over`;
    return input.files.length === 0 ? "" : `${count(input.files.length, "new file")}, ${count(records, "record")}`;
  }
  if (input.kind !== "appended" || leaf.kind !== "table") return "";
  if (input.after === undefined) return `${leaf.name} up to version ${input.to}`;
  if (input.after === input.to) return "";
  const first = String(BigInt(input.after) + 1n);
  return `${leaf.name} ${first === input.to ? `version ${first}` : `versions ${first} to ${input.to}`}`;
}

function count(n: number, noun: string): string {
  return `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;
}

function sameInputs(a: Manifest["inputs"], b: Manifest["inputs"]): boolean {
  const text = (inputs: Manifest["inputs"]) =>
    JSON.stringify(
      Object.keys(inputs)
        .sort()
        .map((key) => [
          key,
          inputs[key]?.kind === "files" ? inputs[key].files.map((f) => [f.path, f.sha256]) : inputs[key],
        ]),
    );
  return text(a) === text(b);
}
