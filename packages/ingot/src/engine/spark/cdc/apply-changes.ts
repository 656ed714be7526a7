import { countRows, type Snapshot, type Store } from "@ingot/delta";
import { DELETED } from "../../../model/changes.js";
import { quoteIdentifier } from "../../../model/name.js";
import { limitDeletes } from "../../cdc/limit-deletes.js";
import { requireBalance } from "../../cdc/require-balance.js";
import { batchTag, checkPending, checkState, PLANNED, stateTable } from "../../cdc/state-table.js";
import { type ApplyStep, type EventCounts, NO_EVENTS, type WritePart } from "../../engine.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";
import { isDone, snapshotOf } from "../../tables/table-state.js";
import { sqlRelation } from "../connect/relations.js";
import type { SparkSession } from "../connect/session.js";
import { defineTable } from "../define-table.js";
import { columnList, projection, tableText, timestampText, versionOf } from "../spark-sql.js";
import type { SparkText } from "../text-context.js";
import { writeRows } from "../write-rows.js";
import { decidedText, FATE, type KnownTables, keyList, sameKey, tiesText } from "./decide-events.js";
import { type MergedRows, mergeRows } from "./merge.js";
import { DECIDED, refuseInvalid, type StagedEvents, stageEvents } from "./stage-events.js";
import { mattersToState, stateRows } from "./state-rows.js";

/** A step that applies events of one flow, with the tables as they are. */
export interface ApplyWork {
  readonly session: SparkSession;
  readonly store: Store;
  readonly step: ApplyStep;
  readonly part: WritePart;
  readonly target: Snapshot | undefined;
  readonly state: Snapshot | undefined;
  /** The events as the flow's query gives them. */
  readonly events: SparkText;
  readonly scratch: string;
  readonly signal: AbortSignal;
}

export interface Applied {
  readonly version: bigint;
  readonly counts: EventCounts;
}

/**
 * Applies events to a table of SCD type 1: a row a key, as its last event says. The state commits first, then the target;
 * both with the batch. See `duckdb/cdc`, which does the same by other means: tables that one engine wrote the other goes on with.
 *
 * @param beforeCommit is told how many events there are, when nothing else can be refused
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.…, AUTOCDC_INVALID_STATE.…, AUTOCDC_BATCH_PENDING, MASS_DELETE, BALANCE
 */
export async function applyChanges(work: ApplyWork, beforeCommit: (events: number) => Promise<void>): Promise<Applied> {
  const { session, step, target, state, signal } = work;
  const { rules } = step;
  const isAnew = step.mode === "reset" || target === undefined;
  if (isAnew && step.mode !== "reset") checkPending(step, state, target);
  if (!isAnew) checkState(step, state, target);
  const known =
    isAnew || rules.rises === true || state === undefined ? undefined : { target, state, tag: batchTag(step) };
  const staged = await decide(work, known);
  try {
    await refuseInvalid(session, rules, staged, step.target.name, signal);
    const read = [...staged.counts.values()].reduce((sum, { events }) => sum + events, 0);
    if (!isAnew) await refuseMassDelete(work, staged, target);
    await beforeCommit(read);
    const { version, rows } = isAnew ? await startAnew(work, staged) : await merge(work, staged, target);
    const counts = eventCounts(staged, read, rows);
    requireBalance(step, [counts]);
    if (!isAnew) await forgetTombstones(work);
    return { version, counts };
  } finally {
    await staged.remove();
  }
}

async function decide(
  { session, step: { rules }, events, scratch, signal }: ApplyWork,
  known: KnownTables | undefined,
): Promise<StagedEvents> {
  const text = decidedText(rules, events.text, known);
  const staged = await stageEvents(session, rules, { text, names: events.names }, scratch, signal);
  if (known === undefined || (staged.counts.get("tie")?.events ?? 0) === 0) return staged;
  try {
    // A column that the table has not had yet is NULL in its rows.
    const columns = projection(rules.columns, fromDeltaSchema(known.target.schema));
    const settled = tiesText(rules, `SELECT * FROM ${DECIDED}`, known.target, columns);
    return await stageEvents(session, rules, { text: settled, names: staged.names }, scratch, signal);
  } finally {
    await staged.remove();
  }
}

async function refuseMassDelete(
  { session, step, signal }: ApplyWork,
  { names }: StagedEvents,
  target: Snapshot,
): Promise<void> {
  await limitDeletes(step, async () => {
    const gone = `SELECT ${keyList(step.rules)} FROM ${DECIDED} WHERE ${FATE} = 'delete'`;
    const query = `SELECT count(*) FROM ${versionOf(target)} AS t LEFT SEMI JOIN (${gone}) AS s ON ${sameKey(step.rules, "t", "s")}`;
    const { rows } = await session.collect(sqlRelation(query, names), signal);
    return { deletes: Number(rows[0]?.[0]), live: Number(countRows(target) ?? 0n) };
  });
}

async function startAnew(
  { session, store, step, part, target, state, signal }: ApplyWork,
  { names, counts }: StagedEvents,
): Promise<{ version: bigint; rows: MergedRows }> {
  const { note } = step;
  const { transaction } = part;
  const rewrite = { names, mode: "overwrite", note, transaction } as const;
  if (!isDone(part, state)) {
    const text = stateRows(step, mattersToState(step.rules));
    await writeRows(session, store, state, { ...rewrite, text, target: stateTable(step) }, signal);
  }
  const text = `SELECT ${projection(step.target.schema, step.rules.columns).join(", ")} FROM ${DECIDED} WHERE ${FATE} = 'upsert'`;
  const { version } = await writeRows(session, store, target, { ...rewrite, text, target: step.target }, signal);
  return { version, rows: { inserted: counts.get("upsert")?.events ?? 0, updated: 0, deleted: 0 } };
}

async function merge(
  { session, store, step, part, target: known, state, signal }: ApplyWork,
  { names }: StagedEvents,
  snapshot: Snapshot,
): Promise<{ version: bigint; rows: MergedRows }> {
  const { rules, target, note } = step;
  const { transaction } = part;
  await defineTable(store, target, known, note);
  const on = sameKey(rules, "t", "s");
  const matters = stateRows(step, mattersToState(rules));
  if (rules.rises !== true && (await hasRows(session, { text: matters, names }, signal))) {
    await defineTable(store, stateTable(step), state, note);
    const isAside = rules.sequenceColumn !== undefined;
    await mergeRows(
      session,
      {
        target: { location: step.state },
        source: { text: matters, names },
        on,
        clauses: [
          ...(isAside ? [`WHEN MATCHED AND NOT s.${DELETED} THEN DELETE`] : []),
          "WHEN MATCHED THEN UPDATE SET *",
          `WHEN NOT MATCHED${isAside ? ` AND s.${DELETED}` : ""} THEN INSERT *`,
        ],
        note,
        transaction,
      },
      signal,
    );
  }
  const values = rules.columns.map(({ name }) => quoteIdentifier(name));
  const rows = await mergeRows(
    session,
    {
      target,
      source: {
        text: `SELECT ${columnList(rules.columns)}, ${DELETED} FROM ${DECIDED} WHERE ${FATE} IN ('upsert', 'delete')`,
        names,
      },
      on,
      clauses: [
        `WHEN MATCHED AND s.${DELETED} THEN DELETE`,
        `WHEN MATCHED THEN UPDATE SET ${values.map((name) => `t.${name} = s.${name}`).join(", ")}`,
        `WHEN NOT MATCHED AND NOT s.${DELETED} THEN INSERT (${values.join(", ")}) VALUES (${values.map((name) => `s.${name}`).join(", ")})`,
      ],
      note,
      transaction,
    },
    signal,
  );
  const after = await snapshotOf(store, target.location);
  if (!isDone(part, after)) throw new Error(`${target.location}: Spark's commit is not in the log`);
  return { version: after?.version ?? snapshot.version, rows };
}

async function hasRows(session: SparkSession, { text, names }: SparkText, signal: AbortSignal): Promise<boolean> {
  const { rows } = await session.collect(sqlRelation(`SELECT 1 FROM (${text}) LIMIT 1`, names), signal);
  return rows.length > 0;
}

function eventCounts({ counts }: StagedEvents, read: number, rows: MergedRows): EventCounts {
  const of = (fate: Parameters<typeof counts.get>[0]) => counts.get(fate)?.events ?? 0;
  return {
    ...NO_EVENTS,
    read,
    ...rows,
    unchanged: of("delete") - rows.deleted,
    superseded: of("superseded"),
    duplicate: of("duplicate"),
    late: of("late"),
    beforeImages: of("before image"),
    archived: of("archived"),
    ties: [...counts.values()].reduce((sum, { tied }) => sum + tied, 0),
  };
}

/** Tombstones that are older than the table keeps them. The batch is committed: what fails here is left to the next one. */
async function forgetTombstones({ session, step, signal }: ApplyWork): Promise<void> {
  if (step.tombstoneSeconds === undefined) return;
  const oldest = new Date(Date.parse(step.planned) - step.tombstoneSeconds * 1000).toISOString();
  const [key = ""] = step.rules.keys;
  const where = `${DELETED} AND ${quoteIdentifier(key)} IS NOT NULL AND ${PLANNED} < ${timestampText(oldest)}`;
  await session.sql(`DELETE FROM ${tableText(step.state)} WHERE ${where}`, signal).catch(() => undefined);
}
