import { DELETED } from "../../../model/changes.js";
import { quoteIdentifier } from "../../../model/name.js";
import { limitDeletes } from "../../cdc/limit-deletes.js";
import { requireBalance } from "../../cdc/require-balance.js";
import { stateTable } from "../../cdc/state-table.js";
import type { EventCounts } from "../../engine.js";
import { sqlRelation } from "../connect/relations.js";
import { columnList, tableText, typeText } from "../spark-sql.js";
import { addRows } from "./add-rows.js";
import type { Applied, ApplyWork, BeforeCommit, Tables } from "./apply-work.js";
import { commitBatch } from "./commit-batch.js";
import { FATE } from "./count-fates.js";
import { countLive } from "./count-live.js";
import { DECIDED } from "./decide-events.js";
import { type DecidedEvents, eventCounts } from "./decided-events.js";
import { keyList, sameKey } from "./event-order.js";
import { maintainState } from "./maintain-state.js";
import { mergeTable } from "./merge-table.js";
import { stateRows } from "./state-rows.js";
import { truncatedKeys } from "./truncates.js";

/** Applies a batch of one flow to what is there. */
export async function mergeChanges(
  work: ApplyWork,
  tables: Tables,
  decided: DecidedEvents,
  beforeCommit: BeforeCommit,
): Promise<Applied> {
  const { step } = work;
  const truncated = truncatedText(work, tables, decided);
  await refuseMassDelete(work, tables, decided, truncated);
  const truncatable = truncated === undefined ? 0 : await countRows(work, decided, truncated);
  await beforeCommit(decided.counts.map(({ read }) => read));
  await mergeState(work, tables, decided);
  const { version, rows } = await mergeTarget(work, tables, decided, truncated);
  const [counts] = eventCounts(decided);
  if (counts === undefined) throw new Error("unreachable: a step has a part");
  // Rows that a truncate takes away are known to be there; what else the merge deleted, events did.
  const truncatedRows = Math.min(truncatable, rows.deleted);
  const deleted = rows.deleted - truncatedRows;
  const deletes = decided.counts[0]?.of("delete") ?? 0;
  const all: EventCounts = { ...counts, ...rows, deleted, truncatedRows, unchanged: deletes - deleted };
  requireBalance(step, [all]);
  await maintainState(work);
  return { version, parts: [all] };
}

/** SQL of the keys that a truncate of the batch takes away, and no event of it brings back. */
function truncatedText(work: ApplyWork, tables: Tables, { floor }: DecidedEvents): string | undefined {
  if (floor?.isNew !== true) return undefined;
  const applied = `SELECT ${keyList(work.step.rules)} FROM ${DECIDED} WHERE ${FATE} IN ('upsert', 'delete')`;
  return `SELECT t.* FROM (${truncatedKeys(work, tables, floor)}) AS t LEFT ANTI JOIN (${applied}) AS s ON ${sameKey(work.step.rules, "t", "s")}`;
}

async function refuseMassDelete(
  work: ApplyWork,
  { target }: Tables,
  decided: DecidedEvents,
  truncated: string | undefined,
): Promise<void> {
  const { step } = work;
  await limitDeletes(step, async () => {
    const deletes = `SELECT ${keyList(step.rules)} FROM ${DECIDED} WHERE ${FATE} = 'delete'`;
    const gone = truncated === undefined ? deletes : `${deletes} UNION ALL ${truncated}`;
    const there = `SELECT 1 FROM ${tableText(target.table)} AS t LEFT SEMI JOIN (${gone}) AS s ON ${sameKey(step.rules, "t", "s")}`;
    return { deletes: await countRows(work, decided, there), live: await countLive(work, target) };
  });
}

async function countRows({ session, signal }: ApplyWork, { names }: DecidedEvents, text: string): Promise<number> {
  const { rows } = await session.collect(sqlRelation(`SELECT count(*) FROM (${text})`, names), signal);
  return Number(rows[0]?.[0]);
}

/** What the batch changes in the state: nothing where the target tells all of it. */
async function mergeState(work: ApplyWork, { state }: Tables, decided: DecidedEvents): Promise<void> {
  const { step } = work;
  const { rules } = step;
  const { names, floor, buried, range } = decided;
  if (rules.rises === true || !mattersToState(work, decided)) return;
  const source = { text: stateRows(step, floor), names };
  const table = stateTable(step);
  // Where the target holds the sequences, the state has tombstones alone.
  const isAside = rules.sequenceColumn !== undefined;
  if (isAside && buried?.all === 0 && floor === undefined) {
    await addRows(work, state, table, source);
    return;
  }
  const clauses = [
    ...(isAside ? [`WHEN MATCHED AND NOT s.${DELETED} THEN DELETE`] : []),
    "WHEN MATCHED THEN UPDATE SET *",
    `WHEN NOT MATCHED${isAside ? ` AND s.${DELETED}` : ""} THEN INSERT *`,
  ];
  await mergeTable(work, state, table, { source, on: sameKey(rules, "t", "s"), range, clauses });
}

/** Whether the batch changes the state: an upsert may, where the target holds the sequences and the key has a tombstone. */
function mattersToState({ step: { rules } }: ApplyWork, { floor, buried, counts }: DecidedEvents): boolean {
  if (floor?.isNew === true || applies({ counts }, "delete")) return true;
  return applies({ counts }, "upsert") && (rules.sequenceColumn === undefined || buried?.upserts !== 0);
}

function applies({ counts }: Pick<DecidedEvents, "counts">, fate: "upsert" | "delete"): boolean {
  return counts.some((part) => part.of(fate) > 0);
}

async function mergeTarget(
  work: ApplyWork,
  { target }: Tables,
  decided: DecidedEvents,
  truncated: string | undefined,
): ReturnType<typeof mergeTable> {
  const { rules, target: table } = work.step;
  const { names, range } = decided;
  if (!applies(decided, "upsert") && !applies(decided, "delete") && truncated === undefined)
    return { version: await commitBatch(work, target), rows: { inserted: 0, updated: 0, deleted: 0 } };
  const values = rules.columns.map(({ name }) => quoteIdentifier(name));
  const applied = `SELECT ${columnList(rules.columns)}, ${DELETED} FROM ${DECIDED} WHERE ${FATE} IN ('upsert', 'delete')`;
  const keysAlone = rules.columns.map(({ name, type }) =>
    rules.keys.includes(name) ? quoteIdentifier(name) : `CAST(NULL AS ${typeText(type)})`,
  );
  const gone = truncated === undefined ? "" : ` UNION ALL SELECT ${keysAlone.join(", ")}, true FROM (${truncated})`;
  return mergeTable(work, target, table, {
    source: { text: `${applied}${gone}`, names },
    on: sameKey(rules, "t", "s"),
    range,
    clauses: [
      `WHEN MATCHED AND s.${DELETED} THEN DELETE`,
      `WHEN MATCHED THEN UPDATE SET ${values.map((name) => `t.${name} = s.${name}`).join(", ")}`,
      `WHEN NOT MATCHED AND NOT s.${DELETED} THEN INSERT (${values.join(", ")}) VALUES (${values.map((name) => `s.${name}`).join(", ")})`,
    ],
  });
}
