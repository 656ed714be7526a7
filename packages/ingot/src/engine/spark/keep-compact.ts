import type { TargetTable } from "../engine.js";
import { compactsItself } from "../tables/compacts-itself.js";
import { snapshotOf } from "../tables/table-state.js";
import { optimizeTable } from "./optimize-table.js";
import type { SparkWork } from "./spark-work.js";

/** Defaults of Delta's own auto compaction, which a commit from here does not start: so many files below this size. */
const [FILES, BYTES] = [50, 128 * 2 ** 20];

/** Gathers the small files of a table that asks for it, as `gatherFiles`. */
export async function keepCompact(work: SparkWork, target: TargetTable): Promise<void> {
  if (compactsItself(target)) await gatherFiles(work, target.location);
}

/** Gathers small files where there are many, in a commit behind a batch. What fails here is left to the next batch. */
export async function gatherFiles({ session, store, signal }: SparkWork, location: string): Promise<void> {
  try {
    const snapshot = await snapshotOf(store, location);
    const small = snapshot?.files.filter(({ size }) => size < BYTES) ?? [];
    if (small.length >= FILES) await optimizeTable(session, store, location, signal);
  } catch {
    // The rows are committed, and stay as the batch left them.
  }
}
