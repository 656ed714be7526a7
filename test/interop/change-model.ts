import { createHash } from "node:crypto";
import type { TestEvent } from "../../packages/ingot/src/engine/duckdb/cdc/test-changes.js";

/** How events are applied: see `ChangeRules`. */
export interface ModelRules {
  readonly ties: "upsert" | "delete";
  /** The target has the column `seq`, so that it counts for the digest. */
  readonly hasSequence?: boolean;
  /** NULL keeps the value of before, in v and w. */
  readonly keepsNull?: boolean;
  /** Each event lists the columns that it writes, of v and w; NULLs too. */
  readonly lists?: boolean;
  /** A change of w opens no version. */
  readonly tracksVOnly?: boolean;
}

interface Version {
  readonly k: string;
  v: string | null;
  w: string | null;
  readonly start: number;
  end: number | null;
}

/**
 * Law 5 and the rules of SCD type 2 for all events at once: the versions of each key as `k:v:w:start:end`, sorted. Those
 * without an end are the rows of type 1.
 */
export function modelVersions(events: readonly TestEvent[], rules: ModelRules): string[] {
  const keys = [...new Set(events.flatMap(({ k }) => (k === null ? [] : [k])))];
  const versions = keys.flatMap((k) =>
    versionsOf(
      k,
      events.filter((event) => event.k === k),
      rules,
    ),
  );
  return versions.map(({ k, v, w, start, end }) => [k, v, w, start, end].map(String).join(":")).sort();
}

function versionsOf(k: string, events: readonly TestEvent[], rules: ModelRules): Version[] {
  const versions: Version[] = [];
  let open: Version | undefined;
  for (const seq of [...new Set(events.map((event) => event.seq))].sort((a, b) => a - b)) {
    const upserts = events.filter((event) => event.seq === seq && event.kind === "upsert");
    const isDeleted = events.some((event) => event.seq === seq && event.kind === "delete");
    if (upserts.length === 0 || (isDeleted && rules.ties === "delete")) {
      if (open !== undefined) open.end = seq;
      open = undefined;
      continue;
    }
    const isMerged = rules.keepsNull === true || rules.lists === true;
    const row = isMerged ? merged(upserts, isDeleted ? undefined : open, rules) : greatest(upserts, rules);
    if (open !== undefined && open.v === row.v && (rules.tracksVOnly === true || open.w === row.w)) open.w = row.w;
    else {
      if (open !== undefined) open.end = seq;
      open = { k, v: row.v, w: row.w, start: seq, end: null };
      versions.push(open);
    }
  }
  return versions;
}

/** All upserts of a sequence count, of each column the greatest value that one of them writes; NULL is the least. */
function merged(
  upserts: readonly TestEvent[],
  before: Version | undefined,
  { lists }: ModelRules,
): Pick<Version, "v" | "w"> {
  const of = (column: "v" | "w") => {
    const writing = upserts.filter((event) =>
      lists === true ? event.listed?.includes(column) : event[column] !== null,
    );
    const [first, ...others] = writing.map((event) => event[column]);
    if (first === undefined) return before?.[column] ?? null;
    return others.reduce((greatest, value) => ((value ?? "") > (greatest ?? "") ? value : greatest), first);
  };
  return { v: of("v"), w: of("w") };
}

function greatest(upserts: readonly TestEvent[], rules: ModelRules): TestEvent {
  const [first, ...others] = upserts.toSorted((a, b) => (digest(a, rules) < digest(b, rules) ? 1 : -1));
  if (first === undefined) throw new Error(`no upsert among ${others.length}`);
  return first;
}

/** As `row-digest.ts` documents it: for each column that is not NULL, by name, its name and its value behind lengths. */
function digest({ k, seq, v, w }: TestEvent, { hasSequence }: ModelRules): string {
  const text = (name: string, value: string | null) =>
    value === null ? "" : `${name.length}:${name}${value.length}:${value}`;
  const sequence = hasSequence === true ? `3:seq${seq};` : "";
  return createHash("sha256")
    .update(`${text("k", k)}${sequence}${text("v", v)}${text("w", w)}`)
    .digest("hex");
}

/** Law 5 with truncates: the rows of type 1 as `k:v:w`, sorted; what is older than the last truncate is gone. */
export function modelRows(events: readonly TestEvent[], rules: ModelRules): string[] {
  const floor = Math.max(-1, ...events.flatMap(({ kind, seq }) => (kind === "truncate" ? [seq] : [])));
  const later = events.filter(({ seq }) => (rules.ties === "delete" ? seq > floor : seq >= floor));
  return modelVersions(later, rules)
    .filter((version) => version.endsWith(":null"))
    .map((version) => version.split(":").slice(0, 3).join(":"));
}
