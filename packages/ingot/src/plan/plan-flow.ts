import type { GraphFlow, GraphNode } from "../graph/graph.js";
import type { BatchFile, BatchInput, HeldFile, Manifest } from "../model/batch.js";
import { IngotError } from "../model/error.js";
import type { TableState } from "../model/table.js";
import { fingerprint, isRedefined } from "./fingerprint.js";
import { isDeterministic, type Leaf, leavesOf } from "./inputs.js";

/** What a flow will do, and why. A value: the dry run prints it, the run executes it. */
export type FlowPlan =
  /** The last run wrote this manifest and not its rows: do just what it says. */
  | { readonly kind: "replay"; readonly manifest: Manifest; readonly reason: string }
  | { readonly kind: "batch"; readonly manifest: Manifest; readonly reason: string; readonly held: readonly HeldFile[] }
  | { readonly kind: "none"; readonly reason: string; readonly held: readonly HeldFile[] };

/** What a flow has done so far: its checkpoint. */
export interface History {
  /** All batches of the present generation, in order; none before the first. */
  readonly manifests: readonly Manifest[];
  /** The target holds the last batch. */
  readonly committed: boolean;
  /** Note of the last batch's commit. */
  readonly lastNote?: string;
}

/** What an input offers now. */
export type Offer =
  /** Stream: files not seen before. Whole: all files. */
  | { readonly kind: "files"; readonly files: readonly BatchFile[]; readonly held: readonly HeldFile[] }
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
  return first !== undefined && more.length === 0 && !history.committed && sourcesGone(flow, first).length > 0;
}

/** Decides what a flow does in this run when nothing is pending. Pure. */
export function planFlow(situation: FlowSituation): FlowPlan {
  const { node, flow, history } = situation;
  if (node.dataset.kind === "materialized-view") return planWhole(situation);
  if (flow.flow.once === true && history.manifests.length > 0)
    return { kind: "none", reason: "a once flow that has run", held: [] };
  return planNew(situation);
}

/**
 * Files that a source has given, by path. Files of streams that the query reads no more count too: a path or an option
 * that was edited makes another source, and must not read the same files again.
 */
export function filesRead(flow: GraphFlow, history: History, key: string): Map<string, BatchFile> {
  const present = leavesOf(flow);
  const counts = (source: string) => source === key || (source.startsWith("stream ") && !present.has(source));
  const seen = new Map<string, BatchFile>();
  for (const { inputs } of history.manifests) {
    for (const [source, input] of Object.entries(inputs)) {
      if (input.kind === "files" && counts(source)) for (const file of input.files) seen.set(file.path, file);
    }
  }
  return seen;
}

/** How far the flow's batches have read a source; an edit of the query may have left it out for some of them. */
export function positionOf(history: History, key: string): BatchInput | undefined {
  return history.manifests.findLast((manifest) => manifest.inputs[key] !== undefined)?.inputs[key];
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
  const held: HeldFile[] = [];
  for (const [key, leaf] of leavesOf(flow)) {
    const offer = offers.get(key);
    if (offer === undefined) continue;
    if (offer.kind === "files") held.push(...offer.held);
    const input = leaf.stream ? newPart(offer, positionOf(history, key)) : whole(offer);
    if (input === undefined) continue;
    inputs[key] = input;
    if (leaf.stream) news.push(describeNews(input, leaf));
  }
  const fresh = news.filter((text) => text !== "");
  // A first batch is planned even when nothing is there: it makes the table, so that others can read it.
  const first = target === undefined || reset || flow.flow.once === true;
  const redefined = target !== undefined && isRedefined(node, target);
  if (fresh.length === 0 && !first && !redefined) return { kind: "none", reason: "nothing new", held };
  const print = fingerprint(node, flow);
  const nothing =
    flow.flow.once === true
      ? "a once flow that has not run"
      : redefined
        ? "the definition changed"
        : "nothing to read yet";
  const changed = last !== undefined && last.fingerprint !== print ? "; the query changed, for new rows only" : "";
  return {
    kind: "batch",
    reason: `${reset ? "full refresh: " : ""}${fresh.join(", ") || nothing}${changed}`,
    held,
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
  const held: HeldFile[] = [];
  for (const [key] of leavesOf(flow)) {
    const offer = offers.get(key);
    if (offer === undefined) continue;
    if (offer.kind === "files") held.push(...offer.held);
    inputs[key] = whole(offer);
  }
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
  if (why === undefined) return { kind: "none", reason: "unchanged: the same query over the same inputs", held };
  return {
    kind: "batch",
    reason: why,
    held,
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

function whole(offer: Offer): BatchInput {
  return offer.kind === "files"
    ? { kind: "files", files: offer.files }
    : { kind: "snapshot", tableId: offer.tableId, version: String(offer.version) };
}

/** The part of a stream's offer that no batch has read. */
function newPart(offer: Offer, before: BatchInput | undefined): BatchInput | undefined {
  if (offer.kind === "files") return { kind: "files", files: offer.files };
  if (before?.kind !== "appended") return { kind: "appended", tableId: offer.tableId, to: String(offer.version) };
  return { kind: "appended", tableId: offer.tableId, after: before.to, to: String(offer.version) };
}

function describeNews(input: BatchInput, leaf: Leaf): string {
  if (input.kind === "files") {
    const records = input.files.reduce((sum, f) => sum + f.records, 0);
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
