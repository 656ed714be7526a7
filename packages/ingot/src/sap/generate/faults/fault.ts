import type { FileFaultName } from "./file-kinds.js";
import type { FaultName } from "./kinds.js";

/** Deletes that come after the last batch. */
export type AftermathName = "archive" | "mass_delete";

/** What is wrong from the start to the end. */
export type StandingName = "unknown_product";

/** A fault that was put into a delivery. */
export interface Fault {
  readonly kind: FaultName | FileFaultName | AftermathName | StandingName | "redelivered" | "lost_token";
  readonly table: string;
  /** Fields of the key, the client among them; none where a whole file has it, one where all rows with its value do. */
  readonly key: Readonly<Record<string, string>>;
  /** The batch that it is in; 0: the state at the start. */
  readonly batch: number;
  readonly expected: string;
  readonly reason?: string;
  /** The batch that brings the row as it should be. */
  readonly repaired?: number;
}
