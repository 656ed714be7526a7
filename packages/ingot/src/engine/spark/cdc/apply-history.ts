import { END_AT, SEQUENCE } from "../../../model/changes.js";
import { historyShape } from "../../cdc/history-shape.js";
import { limitDeletes } from "../../cdc/limit-deletes.js";
import { requireBalance } from "../../cdc/require-balance.js";
import { checkPending, checkState, stateTable } from "../../cdc/state-table.js";
import { projection } from "../spark-sql.js";
import { addRows } from "./add-rows.js";
import type { Applied, ApplyWork, BeforeCommit } from "./apply-work.js";
import { commitVersions } from "./commit-versions.js";
import { countLive } from "./count-live.js";
import { sameKey } from "./event-order.js";
import { EVENTS } from "./events-text.js";
import { HIDDEN } from "./history-versions.js";
import { sideRows, versionRows } from "./known-history.js";
import { knownRows } from "./known-rows.js";
import { maintainState } from "./maintain-state.js";
import { mergeTable } from "./merge-table.js";
import { historyCounts, PLACED, type PlannedHistory, withHistory } from "./planned-history.js";
import { replaceTable } from "./replace-table.js";
import { brought } from "./state-rows.js";

/**
 * Applies events to a table of SCD type 2: a row for each version of a key. The versions are the events, where they tell
 * them; the state table holds those that they do not: of versions that are more than one event, deletes that end nothing,
 * events whose NULLs were filled. It commits first, then the target; both with the batch.
 *
 * @throws IngotError as `applyChanges`
 */
export async function applyHistory(work: ApplyWork, beforeCommit: BeforeCommit): Promise<Applied> {
  const { step, state, events } = work;
  const { rules } = step;
  const target = step.mode === "reset" ? undefined : work.target;
  if (target !== undefined) checkState(step, state, target);
  else if (step.mode !== "reset") checkPending(step, state, target);
  const shape = historyShape(rules, step.target.schema);
  const isOfBatch = `LEFT SEMI JOIN ${EVENTS} AS w ON ${sameKey(rules, "t", "w")}`;
  // Where no event is late, a version that has ended stays as it is, and nothing else need be known.
  const isRising = rules.rises === true;
  const known = knownRows(work);
  const relations = {
    versions: versionRows(shape, target, known, `${isOfBatch}${isRising ? ` WHERE ${END_AT} IS NULL` : ""}`),
    side: sideRows(shape, isRising || target === undefined ? undefined : state, known, isOfBatch),
  };
  return withHistory(work, shape, relations, { text: events.text, names: known.names }, async (planned) => {
    const parts = historyCounts(planned);
    requireBalance(step, parts);
    if (target !== undefined)
      await limitDeletes(step, async () => ({ deletes: planned.closed, live: await countLive(work, target) }));
    await beforeCommit(parts.map(({ read }) => read));
    await commitHidden(work, planned, target === undefined);
    const version = await commitVersions(work, shape, planned, target);
    await maintainState(work);
    return { version, parts };
  });
}

/** Brings the events that no version tells into the state table. */
async function commitHidden(
  work: ApplyWork,
  { names, hidden, known, range }: PlannedHistory,
  isNew: boolean,
): Promise<void> {
  const { step, state } = work;
  const table = stateTable(step);
  const events = `SELECT *, ${brought(step)} FROM ${PLACED} WHERE ${step.rules.rises === true ? "false" : HIDDEN}`;
  const source = { text: `SELECT ${projection(table.schema, table.schema).join(", ")} FROM (${events})`, names };
  if (isNew || state === undefined) {
    await replaceTable(work, state, table, source);
    return;
  }
  if (hidden === 0 || step.rules.rises === true) return;
  if (known === 0) {
    await addRows(work, state, table, source);
    return;
  }
  await mergeTable(work, state, table, {
    source,
    on: `${sameKey(step.rules, "t", "s")} AND t.${SEQUENCE} = s.${SEQUENCE}`,
    range,
    clauses: ["WHEN MATCHED THEN UPDATE SET *", "WHEN NOT MATCHED THEN INSERT *"],
  });
}
