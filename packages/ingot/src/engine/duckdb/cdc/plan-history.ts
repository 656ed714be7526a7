import type { DuckDBConnection } from "@duckdb/node-api";
import { DELETED, END_AT } from "../../../model/changes.js";
import type { HistoryShape } from "../../cdc/history-shape.js";
import type { EventCounts } from "../../engine.js";
import { keyList } from "./event-order.js";
import { type HistoryRelations, historyEvents } from "./history-events.js";
import { placedEvents, sideRows, versionDifference, versionRows } from "./history-versions.js";
import { PART } from "./stage-events.js";

/** Temporary table of the rows that the state table gets or that change there: see `sideRows`. */
export const HIDDEN_EVENTS = "ingot_hidden_events";
/** Temporary table of the rows of the target that come, change or go: see `versionDifference`. */
export const DIFFERENCE = "ingot_difference";

export interface HistoryPlan {
  /** By part. */
  readonly counts: ReadonlyMap<number, HistoryCounts>;
  /** Keys that have an open version now, and none after the batch. */
  readonly closed: number;
}

/**
 * What became of the events of a part. Of type 2 `inserted` says that a version began, `updated` that an event took the
 * place of another or changed what a version shows, `deleted` that a version ended, `unchanged` that no row tells the
 * event, `superseded` and `late` that another event has its key and sequence.
 */
export type HistoryCounts = Pick<EventCounts, (typeof OUTCOMES)[number] | "ties">;

const OUTCOMES = ["inserted", "updated", "deleted", "unchanged", "superseded", "duplicate", "late"] as const;

/**
 * Works out what becomes of the versions of some keys when a batch of events comes, as tables HIDDEN_EVENTS and
 * DIFFERENCE. The result depends on the set of all events alone (law 5).
 */
export async function planHistory(
  connection: DuckDBConnection,
  shape: HistoryShape,
  relations: HistoryRelations,
): Promise<HistoryPlan> {
  const make = (name: string, query: string) => connection.run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${query}`);
  await make("ingot_all_events", historyEvents(shape, relations));
  await make("ingot_placed", placedEvents(shape, "ingot_all_events"));
  const after = versionRows(shape, "ingot_placed");
  await make(HIDDEN_EVENTS, sideRows(shape, "ingot_placed", relations.side));
  await make(DIFFERENCE, versionDifference(shape, relations.versions, after));
  const counts = await countOutcomes(connection);
  const closed = await connection.runAndReadAll(closedKeys(shape, relations.versions, `(${after})`));
  await connection.run("DROP TABLE ingot_all_events; DROP TABLE ingot_placed");
  return { counts, closed: Number(closed.getRows()[0]?.[0]) };
}

async function countOutcomes(connection: DuckDBConnection): Promise<ReadonlyMap<number, HistoryCounts>> {
  const isUpdate = "__ingot_known OR (NOT __ingot_opens AND __ingot_alters AND __ingot_last)";
  const applied = `CASE WHEN ${DELETED} THEN CASE WHEN __ingot_hidden THEN 'unchanged' ELSE 'deleted' END
    WHEN ${isUpdate} THEN 'updated' WHEN __ingot_opens THEN 'inserted' ELSE 'unchanged' END`;
  const lost = "CASE WHEN __ingot_equal THEN 'duplicate' WHEN __ingot_late THEN 'late' ELSE 'superseded' END";
  const sums = OUTCOMES.map((name) => `count(*) FILTER (outcome = '${name}')`);
  const result = await connection.runAndReadAll(`SELECT ${PART}, count(*) FILTER (tied), ${sums.join(", ")} FROM (
      SELECT ${PART}, ${applied} AS outcome, false AS tied FROM ingot_placed WHERE ${PART} IS NOT NULL
      UNION ALL SELECT ${PART}, ${lost}, NOT __ingot_equal FROM ingot_all_events WHERE ${PART} IS NOT NULL AND __ingot_rank > 1)
    GROUP BY ALL`);
  return new Map(
    result.getRows().map(([part, ties, ...outcomes]) => {
      const counted = OUTCOMES.map((name, i) => [name, Number(outcomes[i])] as const);
      return [Number(part), { ...Object.fromEntries(counted), ties: Number(ties) } as unknown as HistoryCounts];
    }),
  );
}

function closedKeys(shape: HistoryShape, before: string, after: string): string {
  const open = (rows: string) => `SELECT ${keyList(shape)} FROM ${rows} WHERE ${END_AT} IS NULL`;
  return `SELECT count(*) FROM (${open(before)} EXCEPT ${open(after)})`;
}
