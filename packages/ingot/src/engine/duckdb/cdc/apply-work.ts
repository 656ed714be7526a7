import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot, Store } from "@ingot/delta";
import type { ApplyStep, EventCounts } from "../../engine.js";

/** A step that applies events, with the tables as they are; undefined where they are not there. */
export interface ApplyWork {
  readonly connection: DuckDBConnection;
  readonly store: Store;
  readonly step: ApplyStep;
  readonly target: Snapshot | undefined;
  readonly state: Snapshot | undefined;
  readonly signal: AbortSignal;
}

/** What was committed, by part. */
export interface Applied {
  readonly version: bigint;
  readonly parts: readonly EventCounts[];
  /** See `ApplyResult`. */
  readonly notice?: string;
}

/** Called when nothing can be refused any more: commits what has to be there before the tables. */
export type BeforeCommit = () => Promise<void>;
