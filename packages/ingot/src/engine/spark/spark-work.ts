import type { Store } from "@ingot/delta";
import type { SparkSession } from "./connect/session.js";

/** What a step is done with. */
export interface SparkWork {
  readonly session: SparkSession;
  /** Where the logs of tables lie. */
  readonly store: Store;
  /** Folder for what lasts as long as the step; what a run that was killed left there is gone. */
  readonly scratch: string;
  readonly signal: AbortSignal;
}
