import { type ChangeRules, DELETED, keptColumns } from "../../../model/changes.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { requireBalance } from "../../cdc/require-balance.js";
import { batchTag, stateTable } from "../../cdc/state-table.js";
import type { EventCounts } from "../../engine.js";
import type { Applied, ApplyWork, BeforeCommit } from "./apply-work.js";
import { countWithinBatch, noEvents } from "./count-events.js";
import { DECIDED, decideNewest } from "./decide-events.js";
import { decideFolded, FOLDED, foldColumns } from "./fold-columns.js";
import { findNewest } from "./newest-events.js";
import { replaceTable } from "./replace-table.js";
import { EVENT, EVENTS, PART } from "./stage-events.js";
import { stateRows } from "./state-rows.js";
import { findFloor } from "./truncates.js";

/** Condition on an event that the target does not tell, so that the state has to. */
function toldApart({ rises, sequenceColumn }: ChangeRules): string {
  if (rises === true) return "false";
  return sequenceColumn === undefined ? "true" : DELETED;
}

/** Makes a table that comes of the staged events alone. */
export async function startAnew(
  { connection, store, step, target, state }: ApplyWork,
  beforeCommit: BeforeCommit,
): Promise<Applied> {
  const { rules } = step;
  const isFolded = keptColumns(rules).length > 0;
  const floor = await findFloor(connection, store, rules, undefined, batchTag(step));
  const ties = await findNewest(connection, rules, floor?.place);
  if (isFolded) {
    await foldColumns(connection, rules, undefined);
    await decideFolded(connection, rules, false);
  } else await decideNewest(connection, rules);
  const found = await connection.runAndReadAll(
    `SELECT ${PART}, count(*), count(*) FILTER (__ingot_fate = 'upsert') FROM ${DECIDED} GROUP BY ALL`,
  );
  const newest = new Map(found.getRows().map(([part, count]) => [Number(part), Number(count)]));
  const upserts = new Map(found.getRows().map(([part, , count]) => [Number(part), Number(count)]));
  const within = await countWithinBatch(connection, rules, floor, ties, newest);
  const counts = step.parts.map((_, part): EventCounts => {
    const inserted = upserts.get(part) ?? 0;
    return { ...noEvents(within.get(part)), inserted, unchanged: (newest.get(part) ?? 0) - inserted };
  });
  requireBalance(step, counts);
  await beforeCommit();
  const beside = stateTable(step);
  await replaceTable(connection, store, state, beside, step, {
    query: stateRows(step, toldApart(rules), floor),
    columns: beside.schema,
  });
  const columns = rules.columns.map(({ name }) => quoteName(name)).join(", ");
  const { version } = await replaceTable(connection, store, target, step.target, step, {
    query: isFolded
      ? `SELECT ${columns} FROM ${FOLDED} WHERE NOT ${DELETED}`
      : `SELECT ${columns} FROM ${EVENTS} WHERE rowid IN (SELECT ${EVENT} FROM ${DECIDED} WHERE NOT ${DELETED})`,
    columns: rules.columns,
  });
  return { version, parts: counts };
}
