import { checkPending, checkState } from "../../cdc/state-table.js";
import type { Applied, ApplyWork, BeforeCommit } from "./apply-work.js";
import { checkEvents } from "./check-events.js";
import { maintainState } from "./maintain-state.js";
import { mergeChanges } from "./merge-changes.js";
import { startAnew } from "./start-anew.js";

/**
 * Applies the events that were staged to a table of SCD type 1: a row a key, as its last event says. The state commits
 * first, then the target; both with the batch. The result is the same whatever the order of events and the batches they
 * come in (law 5).
 *
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.…, AUTOCDC_INVALID_STATE.…, AUTOCDC_BATCH_PENDING, MASS_DELETE, BALANCE
 */
export async function applyChanges(work: ApplyWork, beforeCommit: BeforeCommit): Promise<Applied> {
  const { connection, step, target, state } = work;
  await checkEvents(connection, step.rules, step.target.name);
  if (step.mode === "reset") return startAnew(work, beforeCommit);
  if (target === undefined) {
    checkPending(step, state, target);
    return startAnew(work, beforeCommit);
  }
  checkState(step, state, target);
  const applied = await mergeChanges(work, { target, state }, beforeCommit);
  await maintainState(work);
  return applied;
}
