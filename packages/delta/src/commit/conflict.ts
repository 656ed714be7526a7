import type { ConflictCode } from "../error.js";
import type { Action, AddFile, RemoveFile } from "../log/actions.js";
import type { ReadSet } from "./change.js";
import type { IsolationLevel } from "./isolation.js";
import { ROW_TRACKING_DOMAIN } from "./row-tracking.js";

/** What of a commit other commits can clash with. */
export interface Contender {
  readonly isolation: IsolationLevel;
  readonly isBlindAppend: boolean;
  readonly reads: ReadSet;
  /** Paths of the files that it removes or masks. */
  readonly touched: ReadonlySet<string>;
  readonly changesMetadata: boolean;
  readonly appIds: ReadonlySet<string>;
  readonly domains: ReadonlySet<string>;
}

export interface Conflict {
  readonly code: ConflictCode;
  /** What the winner did, as the end of a sentence. */
  readonly reason: string;
}

/**
 * Why a commit cannot go behind one that was faster; undefined when it can. A commit that goes behind must be what it
 * would have been, had it read the winner's version.
 *
 * Source: the conflict rules of Delta Lake ("Concurrency control" in its documentation, `ConflictChecker` in Spark),
 * stricter in one point, that every change of metadata or protocol is a conflict, and finer in another: rows that the
 * winner only moved clash with a commit that has read or touched the files from which they were taken, no other.
 */
export function findConflict(loser: Contender, winner: readonly Action[]): Conflict | undefined {
  return (
    definitionConflict(loser, winner) ?? appendConflict(loser, winner) ?? removalConflict(loser, removedBy(winner))
  );
}

function definitionConflict(loser: Contender, winner: readonly Action[]): Conflict | undefined {
  for (const action of winner)
    if ("protocol" in action) return { code: "DELTA_PROTOCOL_CHANGED", reason: "it changed the protocol" };
  for (const action of winner) {
    if ("metaData" in action)
      return { code: "DELTA_METADATA_CHANGED", reason: "it changed the schema or the properties" };
    if ("domainMetadata" in action) {
      const { domain } = action.domainMetadata;
      // High-water marks are set anew when a commit goes behind another.
      if (domain !== ROW_TRACKING_DOMAIN && loser.domains.has(domain))
        return { code: "DELTA_CONCURRENT_TRANSACTION", reason: `it changed the metadata domain ${domain}, too` };
    }
    if ("txn" in action && loser.appIds.has(action.txn.appId))
      return {
        code: "DELTA_CONCURRENT_TRANSACTION",
        reason: `it is of the same application, ${action.txn.appId}`,
      };
  }
  return undefined;
}

/** Rows came that the loser would have read. */
function appendConflict(loser: Contender, winner: readonly Action[]): Conflict | undefined {
  if (loser.isBlindAppend || loser.isolation === "SnapshotIsolation") return undefined;
  const wasBlind = winner.some((action) => "commitInfo" in action && action.commitInfo["isBlindAppend"] === true);
  if (wasBlind && loser.isolation === "WriteSerializable" && !loser.changesMetadata) return undefined;
  const { wouldRead = () => true } = loser.reads;
  for (const action of winner)
    if ("add" in action && action.add.dataChange && wouldRead(action.add))
      return {
        code: "DELTA_CONCURRENT_APPEND",
        reason: `it added rows${within(action.add)} that this commit would have read`,
      };
  return undefined;
}

function removalConflict(loser: Contender, removed: readonly RemoveFile[]): Conflict | undefined {
  const [first] = removed;
  if (first === undefined) return undefined;
  const { files } = loser.reads;
  const readPaths = files === "all" ? undefined : new Set(files.map(({ path }) => path));
  const read = readPaths === undefined ? first : removed.find(({ path }) => readPaths.has(path));
  if (read !== undefined)
    return {
      code: "DELTA_CONCURRENT_DELETE_READ",
      reason: `it removed or rewrote rows${within(read)} that this commit has read`,
    };
  const both = removed.find(({ path }) => loser.touched.has(path));
  if (both === undefined) return undefined;
  return {
    code: "DELTA_CONCURRENT_DELETE_DELETE",
    reason: `it removed or rewrote rows${within(both)} of a file that this commit changes, too`,
  };
}

function removedBy(winner: readonly Action[]): RemoveFile[] {
  return winner.flatMap((action) => ("remove" in action ? [action.remove] : []));
}

/** The partition of a file, where it has one. */
function within({ partitionValues = {} }: AddFile | RemoveFile): string {
  const values = Object.entries(partitionValues).map(([column, value]) => `${column}=${value ?? "null"}`);
  return values.length === 0 ? "" : ` in the partition [${values.join(", ")}]`;
}
