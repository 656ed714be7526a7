import { DeltaError } from "../error.js";
import type { Store } from "../store/store.js";

/** A commit file of the log: `00000000000000000007.json`. */
export interface CommitFile {
  readonly version: bigint;
  /**
   * When the file was written, milliseconds; at least one later than the commit before, so that versions and times
   * have one order. Spark's rule for tables without in-commit timestamps.
   */
  readonly timestamp: number;
}

/** The files of one checkpoint: what all commits up to its version add up to. */
export interface CheckpointFiles {
  readonly version: bigint;
  /** One name; several for a multi-part checkpoint, in their order. */
  readonly names: readonly string[];
  /** When it was written, milliseconds since the epoch. */
  readonly timestamp: number;
}

/** A log compaction file: what the commits from `first` to `version` add up to. */
export interface CompactionFile {
  readonly first: bigint;
  readonly version: bigint;
  readonly name: string;
}

/** The files of a table's log, or of its newest part, as a listing shows them. */
export interface Log {
  readonly table: string;
  /** Oldest first. They begin after version 0 where a clean-up took the older ones, or where those were not listed. */
  readonly commits: readonly CommitFile[];
  /** Newest first; a multi-part checkpoint that lacks a part is not among them. */
  readonly checkpoints: readonly CheckpointFiles[];
  readonly compactions: readonly CompactionFile[];
  /** The versions that have a checksum file. */
  readonly checksums: ReadonlySet<bigint>;
  /** The newest version that any of these files proves. */
  readonly newest: bigint;
}

export function logFolder(table: string): string {
  return `${table.replace(/\/+$/, "")}/_delta_log`;
}

export function commitPath(table: string, version: bigint): string {
  return versionPath(table, version, "json");
}

/** Of a version's checksum. */
export function checksumPath(table: string, version: bigint): string {
  return versionPath(table, version, "crc");
}

/** Of a classic checkpoint, or of the top file of one in V2 with a name of its own. */
export function checkpointPath(
  table: string,
  version: bigint,
  own?: { readonly uuid: string; readonly format: "parquet" | "json" },
): string {
  return versionPath(table, version, own === undefined ? "checkpoint.parquet" : `checkpoint.${own.uuid}.${own.format}`);
}

export function sidecarsFolder(table: string): string {
  return `${logFolder(table)}/_sidecars`;
}

function versionPath(table: string, version: bigint, kind: string): string {
  return `${logFolder(table)}/${digitsOf(version)}.${kind}`;
}

function digitsOf(version: bigint): string {
  return version.toString().padStart(20, "0");
}

/**
 * The files of a table's log; undefined when there is none. Staged commits and temporary files are left aside. Source:
 * the Delta protocol, "File Types".
 *
 * @param from older versions are of no interest; whether they are listed depends on the store
 */
export async function listLog(store: Store, table: string, from = 0n): Promise<Log | undefined> {
  const commits: { version: bigint; modified: number }[] = [];
  const parts: CheckpointPart[] = [];
  const compactions: CompactionFile[] = [];
  const checksums = new Set<bigint>();
  let isLog = false;
  const after = from > 0n ? digitsOf(from) : undefined;
  for (const { name, modified, kind } of await store.list(logFolder(table), after)) {
    const digits = /^(\d{20})\./.exec(name)?.[1];
    if (digits === undefined || kind !== "file") continue;
    isLog = true;
    const version = BigInt(digits);
    const rest = name.slice(21);
    const part = checkpointPart(rest);
    const until = /^(\d{20})\.compacted\.json$/.exec(rest)?.[1];
    if (rest === "json") commits.push({ version, modified });
    else if (rest === "crc") checksums.add(version);
    else if (part !== undefined) parts.push({ version, name, modified, ...part });
    else if (until !== undefined) compactions.push({ first: version, version: BigInt(until), name });
  }
  if (!isLog) return undefined;
  commits.sort((a, b) => (a.version < b.version ? -1 : 1));
  const newest = [...commits, ...parts, ...compactions].reduce(
    (max, { version }) => (version > max ? version : max),
    -1n,
  );
  return { table, commits: inTime(commits), checkpoints: wholeCheckpoints(parts), compactions, checksums, newest };
}

/** As `listLog`. @throws DeltaError NO_DELTA_TABLE when there is none */
export async function requireLog(store: Store, table: string): Promise<Log> {
  const log = await listLog(store, table);
  if (log === undefined) throw noDeltaTable(table);
  return log;
}

export function noDeltaTable(table: string): DeltaError {
  return new DeltaError("NO_DELTA_TABLE", `${table} is no Delta table: it has no _delta_log.`, {
    table,
    path: logFolder(table),
    hint: "Check the location; a table is the folder that holds _delta_log.",
  });
}

/** The version to which a file of the log belongs, or at which it begins; undefined for what this library does not know. */
export function logFileVersion({ name }: { readonly name: string }): {
  readonly version: bigint | undefined;
  /** A log compaction: from its version on it covers later ones, too. */
  readonly isCommitRange: boolean;
} {
  const [, digits, rest = ""] = /^(\d{20})\.(.+)$/.exec(name) ?? [];
  const isCommitRange = /^\d{20}\.compacted\.json$/.test(rest);
  const isKnown = isCommitRange || rest === "json" || rest === "crc" || checkpointPart(rest) !== undefined;
  return { version: digits !== undefined && isKnown ? BigInt(digits) : undefined, isCommitRange };
}

interface CheckpointPart {
  readonly version: bigint;
  readonly name: string;
  readonly modified: number;
  /** Tells the checkpoints of one version apart. */
  readonly of: string;
  /** From 1 on. */
  readonly part: number;
  readonly parts: number;
}

/** `checkpoint.parquet`, `checkpoint.0000000001.0000000003.parquet`, `checkpoint.<uuid>.json` or `.parquet`. */
function checkpointPart(rest: string): Pick<CheckpointPart, "of" | "part" | "parts"> | undefined {
  const [, part, parts] = /^checkpoint\.(\d{10})\.(\d{10})\.parquet$/.exec(rest) ?? [];
  if (part !== undefined && parts !== undefined) return { of: parts, part: Number(part), parts: Number(parts) };
  return /^checkpoint(\.[0-9a-f-]{36})?\.parquet$|^checkpoint\.[0-9a-f-]{36}\.json$/i.test(rest)
    ? { of: rest, part: 1, parts: 1 }
    : undefined;
}

function wholeCheckpoints(parts: readonly CheckpointPart[]): CheckpointFiles[] {
  const groups = new Map<string, CheckpointPart[]>();
  for (const part of parts) {
    const key = `${part.version} ${part.of}`;
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group.sort((a, b) => a.part - b.part);
      if (first === undefined || group.length !== first.parts || group.some(({ part }, i) => part !== i + 1)) return [];
      const timestamp = Math.max(...group.map(({ modified }) => modified));
      return [{ version: first.version, names: group.map(({ name }) => name), timestamp }];
    })
    .sort((a, b) => (a.version > b.version ? -1 : 1));
}

function inTime(commits: readonly { version: bigint; modified: number }[]): CommitFile[] {
  let timestamp = Number.NEGATIVE_INFINITY;
  return commits.map(({ version, modified }) => {
    timestamp = Math.max(modified, timestamp + 1);
    return { version, timestamp };
  });
}
