import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot } from "@ingot/delta";
import { ARCHIVED, BEFORE_IMAGE, END_AT, SEQUENCE } from "../../../model/changes.js";
import { quoteText } from "../../../sql/lower/lower-text.js";
import { isOfKey } from "../../cdc/event-flags.js";
import { historyShape } from "../../cdc/history-shape.js";
import { limitDeletes } from "../../cdc/limit-deletes.js";
import { requireBalance } from "../../cdc/require-balance.js";
import { BATCH, batchTag, checkPending, checkState, PLANNED, stateTable } from "../../cdc/state-table.js";
import { type ApplyStep, type EventCounts, NO_EVENTS } from "../../engine.js";
import { planTarget } from "../../tables/plan-target.js";
import { changeStep } from "../commit-step.js";
import { mergeRows } from "../delta/merge-rows.js";
import type { Applied, ApplyWork, BeforeCommit } from "./apply-work.js";
import { checkEvents } from "./check-events.js";
import { commitVersions } from "./commit-versions.js";
import { placeOf } from "./event-order.js";
import { copySide, copyVersions, SIDE, VERSIONS } from "./known-history.js";
import { maintainState } from "./maintain-state.js";
import { countLive } from "./mass-delete.js";
import { HIDDEN_EVENTS, type HistoryPlan, planHistory } from "./plan-history.js";
import { rowsByKey } from "./read-by-key.js";
import { replaceTable } from "./replace-table.js";
import { EVENTS, PART } from "./stage-events.js";

/**
 * Applies the events that were staged to a table of SCD type 2: a row for each version of a key. The versions are the
 * events, where they tell them; the state table holds those that they do not: of versions that are more than one event,
 * deletes that end nothing, events whose NULLs were filled. It commits first, then the target; both with the batch.
 *
 * @throws IngotError as `applyChanges`
 */
export async function applyHistory(work: ApplyWork, beforeCommit: BeforeCommit): Promise<Applied> {
  const { connection, store, step, state } = work;
  const { rules } = step;
  await checkEvents(connection, rules, step.target.name);
  const target = step.mode === "reset" ? undefined : work.target;
  if (target !== undefined) checkState(step, state, target);
  else if (step.mode !== "reset") checkPending(step, state, target);
  const shape = historyShape(rules, step.target.schema);
  const known = async (table: Snapshot | undefined, where: string) => {
    if (table === undefined) return undefined;
    const rows = await rowsByKey(connection, store, table, rules.keys, EVENTS);
    return { table, rows: `SELECT * FROM (${rows}) WHERE ${where}` };
  };
  // Where no event is late, a version that has ended stays as it is, and nothing else need be known.
  const isRising = rules.rises === true;
  await copyVersions(connection, shape, await known(target, isRising ? `${END_AT} IS NULL` : "true"));
  await copySide(connection, shape, isRising || target === undefined ? undefined : await known(state, "true"));
  const batch = `(SELECT * FROM ${EVENTS} WHERE ${isOfKey(rules)})`;
  const plan = await planHistory(connection, shape, { versions: VERSIONS, side: SIDE, batch });
  await connection.run(`DROP TABLE ${VERSIONS}; DROP TABLE ${SIDE}`);
  const counts = await countEvents(connection, step, plan);
  requireBalance(step, counts);
  if (target !== undefined)
    await limitDeletes(step, async () => ({
      deletes: plan.closed,
      live: await countLive(connection, store, rules, target),
    }));
  await beforeCommit();
  await commitHidden(work, target === undefined);
  const version = await commitVersions(work, shape, target);
  await maintainState(work);
  return { version, parts: counts };
}

async function countEvents(
  connection: DuckDBConnection,
  { rules, parts }: ApplyStep,
  { counts }: HistoryPlan,
): Promise<EventCounts[]> {
  const before = rules.beforeImages ? BEFORE_IMAGE : "false";
  const archive = rules.archived ? ARCHIVED : "false";
  const result = await connection.runAndReadAll(
    `SELECT ${PART}, count(*), count(*) FILTER (${before}), count(*) FILTER (${archive}) FROM ${EVENTS} GROUP BY ALL`,
  );
  const read = new Map(result.getRows().map(([part, ...counts]) => [Number(part), counts.map(Number)]));
  return parts.map((_, part): EventCounts => {
    const [all = 0, beforeImages = 0, archived = 0] = read.get(part) ?? [];
    return { ...NO_EVENTS, ...counts.get(part), read: all, beforeImages, archived };
  });
}

/** Brings the events that no version tells into the state table. */
async function commitHidden({ connection, store, step, state }: ApplyWork, isNew: boolean): Promise<void> {
  const { rules, planned, note, parts } = step;
  const table = stateTable(step);
  const rows = `SELECT *, ${quoteText(batchTag(step))} AS ${BATCH}, ${quoteText(planned)}::TIMESTAMPTZ AS ${PLANNED}
    FROM ${HIDDEN_EVENTS} WHERE ${rules.rises !== true}`;
  if (isNew || state === undefined) {
    await replaceTable(connection, store, state, table, step, { query: rows, columns: table.schema });
    return;
  }
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM (${rows})`);
  if (Number(counted.getRows()[0]?.[0]) === 0) return;
  const merge = mergeRows(connection, {
    source: { query: rows },
    keys: rules.keys,
    on: `${placeOf(`t.${SEQUENCE}`, rules)} = ${placeOf(`s.${SEQUENCE}`, rules)}`,
    matched: [{ kind: "update", set: "*" }],
    notMatched: [{ values: "*" }],
  });
  await changeStep(store, state, planTarget(table, "append", state), { target: table, note }, parts, merge);
}
