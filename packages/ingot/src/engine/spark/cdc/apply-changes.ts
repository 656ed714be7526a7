import { checkPending, checkState } from "../../cdc/state-table.js";
import type { Applied, ApplyWork, BeforeCommit } from "./apply-work.js";
import { withDecided } from "./decided-events.js";
import { mergeChanges } from "./merge-changes.js";
import { startAnew } from "./start-anew.js";

/**
 * Applies events to a table of SCD type 1: a row a key, as its last event says. The state commits first, then the target;
 * both with the batch. See `duckdb/cdc`, which does the same by other means: tables that one engine wrote the other goes on with.
 *
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.…, AUTOCDC_INVALID_STATE.…, AUTOCDC_BATCH_PENDING, MASS_DELETE, BALANCE
 */
export async function applyChanges(work: ApplyWork, beforeCommit: BeforeCommit): Promise<Applied> {
  const { step, target, state } = work;
  if (step.mode === "reset" || target === undefined) {
    if (step.mode !== "reset") checkPending(step, state, target);
    return withDecided(work, undefined, (decided) => startAnew(work, decided, beforeCommit));
  }
  checkState(step, state, target);
  const tables = { target, state };
  return withDecided(work, tables, (decided) => mergeChanges(work, tables, decided, beforeCommit));
}
