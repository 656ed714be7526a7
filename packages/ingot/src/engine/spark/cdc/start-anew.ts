import { requireBalance } from "../../cdc/require-balance.js";
import { stateTable } from "../../cdc/state-table.js";
import { projection } from "../spark-sql.js";
import type { Applied, ApplyWork, BeforeCommit } from "./apply-work.js";
import { FATE } from "./count-fates.js";
import { DECIDED } from "./decide-events.js";
import { type DecidedEvents, eventCounts } from "./decided-events.js";
import { replaceTable } from "./replace-table.js";
import { stateRows } from "./state-rows.js";

/** Makes a table that comes of decided events alone. */
export async function startAnew(work: ApplyWork, decided: DecidedEvents, beforeCommit: BeforeCommit): Promise<Applied> {
  const { step, target, state } = work;
  const { names, floor, counts } = decided;
  const parts = eventCounts(decided).map((part, i) => {
    const inserted = counts[i]?.of("upsert") ?? 0;
    return { ...part, inserted, unchanged: counts[i]?.of("delete") ?? 0 };
  });
  requireBalance(step, parts);
  await beforeCommit(counts.map(({ read }) => read));
  await replaceTable(work, state, stateTable(step), { text: stateRows(step, floor), names });
  const columns = projection(step.target.schema, step.rules.columns).join(", ");
  const text = `SELECT ${columns} FROM ${DECIDED} WHERE ${FATE} = 'upsert'`;
  return { version: await replaceTable(work, target, step.target, { text, names }), parts };
}
