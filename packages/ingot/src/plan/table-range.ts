import type { BatchInput, TableRange } from "../model/batch.js";
import type { Leaf } from "./inputs.js";

type TableLeaf = Leaf & { readonly kind: "table" };

/** A table as it stands, and the versions that a read of it names. */
export interface TableOffer {
  readonly kind: "table";
  readonly tableId: string;
  readonly version: bigint;
  /** What the read's own start and end mean in versions, both included; of a stream its start alone. */
  readonly range?: { readonly from: bigint; readonly to: bigint };
  /** Where the limits of a stream cut its next batch. */
  readonly cut?: { readonly to: bigint; readonly untilFile?: number };
}

/** What a stream over a table has not given yet, limits aside; none new where `after` is `to`. */
export function unreadRange(offer: TableOffer, before: BatchInput | undefined): TableRange {
  const { tableId, version, range } = offer;
  const to = String(version);
  if (before?.kind !== "appended" && before?.kind !== "changes")
    return { tableId, ...(range === undefined ? {} : { after: String(range.from - 1n) }), to };
  if (before.untilFile === undefined) return { tableId, after: before.to, to };
  const fromFile = before.untilFile;
  // The rest of a whole table is that of the version at which it was begun.
  if (before.after === undefined) return { tableId, to: before.to, fromFile };
  return { tableId, after: String(BigInt(before.to) - 1n), to, fromFile };
}

export function isEmpty({ after, to }: TableRange): boolean {
  return after !== undefined && BigInt(after) >= BigInt(to);
}

/** The part of a stream's offer that its next batch reads. */
export function nextPart({ options }: TableLeaf, offer: TableOffer, before: BatchInput | undefined): BatchInput {
  const unread = unreadRange(offer, before);
  const { cut } = offer;
  const untilFile = cut?.untilFile === undefined ? {} : { untilFile: cut.untilFile };
  const range = { ...unread, ...(cut === undefined ? {} : { to: String(cut.to) }), ...untilFile };
  if (options?.changeFeed === true) return { kind: "changes", ...range };
  return { kind: "appended", ...range, ...(options?.skipChangeCommits === true ? { skipsChanges: true } : {}) };
}

/** All that a read without STREAM gives. */
export function wholePart({ options }: TableLeaf, { tableId, version, range }: TableOffer): BatchInput {
  if (options?.changeFeed !== true || range === undefined)
    return { kind: "snapshot", tableId, version: String(version) };
  return { kind: "changes", tableId, after: String(range.from - 1n), to: String(range.to) };
}

/** Whether rows are left behind a batch's part. */
export function isMoreBehind(part: BatchInput, { version }: TableOffer): boolean {
  if (part.kind !== "appended" && part.kind !== "changes") return false;
  return part.untilFile !== undefined || BigInt(part.to) < version;
}

/** What a part brings, in words: `orders versions 5 to 6`. @param isFirst the stream has no position before it */
export function describePart(part: BatchInput, { name }: TableLeaf, isFirst: boolean): string {
  if (part.kind !== "appended" && part.kind !== "changes") return "";
  const what = part.kind === "changes" ? `changes of ${name}` : name;
  const cut = part.fromFile !== undefined || part.untilFile !== undefined ? " in part" : "";
  if (part.after === undefined) {
    const rows = part.kind === "changes" ? `all rows of ${name} as inserts,` : `${name} up to`;
    return `${rows} version ${part.to}${cut}`;
  }
  // A stream that begins with what comes next has a position from now on.
  if (isEmpty(part)) return isFirst ? `${what} behind version ${part.to}` : "";
  const first = String(BigInt(part.after) + 1n);
  return `${what} ${first === part.to ? `version ${first}` : `versions ${first} to ${part.to}`}${cut}`;
}
