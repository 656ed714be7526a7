import type { Snapshot } from "@ingot/delta";
import type { ApplyStep, EventCounts } from "../../engine.js";
import type { Observed } from "../connect/observed-metrics.js";
import type { SparkWork } from "../spark-work.js";
import type { SparkText } from "../text-context.js";

/** A step that applies events, with the tables as they are; undefined where they are not there. */
export interface ApplyWork extends SparkWork {
  readonly step: ApplyStep;
  readonly target: Snapshot | undefined;
  readonly state: Snapshot | undefined;
  /** The events of all parts: see `readEvents`. */
  readonly events: SparkText;
  /** What is known of their keys: see `inRange`. */
  readonly range: Observed[string];
}

/** Tables that tell what is known of keys, in their newest versions: to read an older one costs Spark seconds. */
export interface Tables {
  readonly target: Snapshot;
  readonly state: Snapshot;
}

/** What was committed, by part. */
export interface Applied {
  readonly version: bigint;
  readonly parts: readonly EventCounts[];
  /** See `ApplyResult`. */
  readonly notice?: string;
}

/**
 * Called when nothing can be refused any more: commits what has to be there before the tables.
 *
 * @param read events by part
 */
export type BeforeCommit = (read: readonly number[]) => Promise<void>;
