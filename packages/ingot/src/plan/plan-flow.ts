import { type GraphFlow, type GraphNode, readsWhole } from "../graph/graph.js";
import type { BatchInput, ColumnNotice, FilesInput, HeldFile, Manifest } from "../model/batch.js";
import { IngotError } from "../model/error.js";
import type { TableState } from "../model/table.js";
import { describeEdits } from "./describe-edits.js";
import { fingerprint, isRedefined } from "./fingerprint.js";
import { type History, positionOf } from "./history.js";
import { isDeterministic, type Leaf, leavesOf } from "./inputs.js";
import { describePart, isMoreBehind, nextPart, type TableOffer, wholePart } from "./table-range.js";

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
      /** Of a view: the inputs that its rows come of, where only their changes make other rows of it. */
      readonly since?: Manifest["inputs"];
    })
  | (Found & { readonly kind: "none"; readonly reason: string });

/** What looking at files brought that is no row, for the event log. */
export interface Found {
  readonly held: readonly HeldFile[];
  readonly notices: readonly ColumnNotice[];
}

export const NOTHING_FOUND: Found = { held: [], notices: [] };

/** Why a flow begins at the start of its sources though its table keeps its rows. */
export const CHECKPOINT_RESET = "checkpoint reset, so that rows of before are added once more:";

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
  | TableOffer;

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
  /** The checkpoint alone begins anew: the history is empty, and the target keeps its rows. */
  readonly restarted?: boolean;
  /** UTC, ISO 8601. */
  readonly now: string;
}

/**
 * The batch that an earlier run wrote down and did not commit: it is done as written before anything else is looked at.
 * What is computed from everything anyway never needs one.
 *
 * @throws IngotError CHECKPOINT_DAMAGED when the batch cannot be done any more
 */
export function planReplay(node: GraphNode, flow: GraphFlow, history: History): FlowPlan | undefined {
  const pending = history.committed ? undefined : history.manifests.at(-1);
  if (pending === undefined || isRecomputed(node, flow)) return undefined;
  const gone = sourcesGone(flow, pending)[0];
  if (gone !== undefined) throw lostSource(flow, pending, gone);
  return { kind: "replay", manifest: pending, reason: `batch ${pending.batch} was planned and not committed` };
}

/** Whether each batch takes all rows of the sources, whatever came before. */
export function isRecomputed({ dataset }: GraphNode, { flow }: GraphFlow): boolean {
  return dataset.kind === "materialized-view" || readsWhole(flow);
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
  const isWhole = isRecomputed(node, flow);
  // A batch of it that was not committed would be replayed, if it were not computed anew.
  if (flow.flow.once === true && history.manifests.length > 0 && (history.committed || !isWhole))
    return { kind: "none", reason: "a once flow that has run", ...NOTHING_FOUND };
  return isWhole ? planWhole(situation) : planNew(situation);
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
function planNew(situation: FlowSituation): FlowPlan {
  const { node, flow, history, offers, target, reset, restarted = false, now } = situation;
  const last = history.manifests.at(-1);
  const inputs: Record<string, BatchInput> = {};
  const news: string[] = [];
  let more = false;
  const found = foundIn(offers);
  for (const [key, leaf] of leavesOf(flow)) {
    const offer = offers.get(key);
    if (offer === undefined) continue;
    const before = positionOf(history, key);
    const input = leaf.stream ? newPart(leaf, offer, before) : whole(leaf, offer);
    inputs[key] = input;
    if (!leaf.stream) continue;
    news.push(describeNews(input, leaf, before === undefined));
    more ||= offer.kind === "files" ? offer.more : isMoreBehind(input, offer);
  }
  const fresh = news.filter((text) => text !== "");
  // A first batch is planned even when nothing is there: it makes the table, so that others can read it.
  const first = target === undefined || reset || restarted || flow.flow.once === true;
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
  const edits = describeEdits({ node, flow, history, target, isAskedFor: reset || restarted }, isEdited).map(
    (edit) => `; ${edit}`,
  );
  const start = reset ? "full refresh: " : restarted ? `${CHECKPOINT_RESET} ` : "";
  return {
    kind: "batch",
    more,
    reason: `${start}${fresh.join(", ") || nothing}${edits.join("")}`,
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

const INPUTS_CHANGED = "inputs changed";

/** What is computed from everything, unless neither its query nor its inputs changed. */
function planWhole(situation: FlowSituation): FlowPlan {
  const { node, flow, history, offers, target, reset, now } = situation;
  const last = history.manifests.at(-1);
  const inputs: Record<string, BatchInput> = {};
  const found = foundIn(offers);
  for (const [key, leaf] of leavesOf(flow)) {
    const offer = offers.get(key);
    if (offer !== undefined) inputs[key] = whole(leaf, offer);
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
    return sameInputs(last.inputs, inputs) ? undefined : INPUTS_CHANGED;
  })();
  if (why === undefined) return { kind: "none", reason: "unchanged: the same query over the same inputs", ...found };
  return {
    kind: "batch",
    reason: why,
    more: false,
    ...(last !== undefined && why === INPUTS_CHANGED && areLater(last.inputs, inputs) ? { since: last.inputs } : {}),
    ...found,
    manifest: {
      format: 1,
      batch: (last?.batch ?? -1) + 1,
      mode: wholeMode(situation),
      fingerprint: print,
      created: now,
      inputs,
    },
  };
}

/** A view is all that its query gives; what fills a streaming table says itself which rows go, but after a reset. */
function wholeMode({ node, history, reset }: FlowSituation): Manifest["mode"] {
  if (node.dataset.kind === "materialized-view") return "overwrite";
  const isResuming = !history.committed && history.manifests.at(-1)?.mode === "reset";
  return reset || isResuming ? "reset" : "append";
}

function foundIn(offers: FlowSituation["offers"]): Found {
  const files = [...offers.values()].flatMap((offer) => (offer.kind === "files" ? [offer] : []));
  return { held: files.flatMap(({ held }) => held), notices: files.flatMap(({ notices }) => notices) };
}

/** All that a source holds now. */
export function whole(leaf: Leaf, offer: Offer): BatchInput {
  if (offer.kind === "files") return filesInput(offer);
  if (leaf.kind !== "table") throw new Error("unreachable: an offer is one of its leaf");
  return wholePart(leaf, offer);
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
function newPart(leaf: Leaf, offer: Offer, before: BatchInput | undefined): BatchInput {
  if (offer.kind === "files") return filesInput(offer);
  if (leaf.kind !== "table") throw new Error("unreachable: an offer is one of its leaf");
  return nextPart(leaf, offer, before);
}

/** @param isFirst the stream has no position before it */
function describeNews(input: BatchInput, leaf: Leaf, isFirst: boolean): string {
  if (leaf.kind === "table") return describePart(input, leaf, isFirst);
  if (input.kind !== "files") return "";
  const records = input.files.reduce((sum, f) => sum + f.records, 0);
  const passed = input.passed?.length ?? 0;
  if (passed > 0) return `${count(passed, "file")} of before passed over`;
  if (input.files.length === 0) return "";
  const again = input.files.filter((file) => file.overwrites !== undefined).length;
  const news = again < input.files.length ? [count(input.files.length - again, "new file")] : [];
  const changed = again > 0 ? [`${count(again, "file")} written again`] : [];
  return [...news, ...changed, count(records, "record")].join(", ");
}

function count(n: number, noun: string): string {
  return `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;
}

/** Whether each table is the one that it was, and no version of it older. */
function areLater(before: Manifest["inputs"], now: Manifest["inputs"]): boolean {
  return Object.entries(now).every(([key, input]) => {
    const then = before[key];
    if (input.kind === "files" || then?.kind === "files") return input.kind === then?.kind;
    if (then === undefined || then.tableId !== input.tableId) return false;
    return input.kind !== "snapshot" || (then.kind === "snapshot" && BigInt(then.version) <= BigInt(input.version));
  });
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
