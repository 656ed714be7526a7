import type { WantedRows } from "./view-difference.js";

/** What changes of its inputs make of a view's table. */
export interface Followed {
  readonly wanted: WantedRows;
  /** In words. */
  readonly how: string;
  /** Drops its tables. */
  close(): Promise<void>;
}
