import type { Snapshot } from "@ingot/delta";
import { SNAPSHOT_PROPERTY } from "../../model/table.js";
import type { ApplyStep } from "../engine.js";

export interface SnapshotVersion {
  /** As text. */
  readonly version: string;
  /** The version of the last snapshot that was applied, where this one is not newer. */
  readonly newer?: string;
}

/** The version of the last snapshot that was applied to a target, as text; undefined where none was. */
export function lastSnapshot(target: Snapshot | undefined): string | undefined {
  return target?.metadata.configuration[SNAPSHOT_PROPERTY] ?? undefined;
}

/** The number of the snapshot behind the last, from 0. @param last text of another type is of a definition that was changed */
export function numberAfter(last: string | undefined): bigint {
  return last !== undefined && /^\d+$/.test(last) ? BigInt(last) + 1n : 0n;
}

/** A step whose target holds the version of its snapshot, so that it needs no state table. */
export function withVersion(step: ApplyStep, version: string): ApplyStep {
  const properties = { ...step.target.properties, [SNAPSHOT_PROPERTY]: version };
  return { ...step, target: { ...step.target, properties } };
}
