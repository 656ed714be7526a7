import { DeltaError } from "../error.js";
import type { Base, Change } from "./change.js";

/**
 * How far a commit is kept from what others do at the same time, in Spark's words. "Serializable": as if all commits and
 * reads had come one after the other. "WriteSerializable": a blind append of another writer may have come later than its
 * version says. "SnapshotIsolation": for commits that move rows only, to which appends do not matter.
 */
export type IsolationLevel = "Serializable" | "WriteSerializable" | "SnapshotIsolation";

/**
 * The level of a change: as the table property `delta.isolationLevel` says, Serializable without it, as in Delta's open
 * source.
 *
 * @throws DeltaError DELTA_INVALID_ISOLATION_LEVEL
 */
export function isolationOf(change: Change, { table, version, metadata }: Base): IsolationLevel {
  if (change.dataChange === false) return "SnapshotIsolation";
  const value = metadata.configuration["delta.isolationLevel"] ?? "Serializable";
  const level = (["Serializable", "WriteSerializable"] as const).find(
    (known) => known.toLowerCase() === value.toLowerCase(),
  );
  if (level !== undefined) return level;
  throw new DeltaError("DELTA_INVALID_ISOLATION_LEVEL", `delta.isolationLevel of ${table} is "${value}".`, {
    table,
    version,
    hint: "Set it to Serializable or WriteSerializable.",
  });
}
