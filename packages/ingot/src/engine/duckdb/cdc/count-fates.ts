import type { DuckDBConnection } from "@duckdb/node-api";
import type { ChangeRules } from "../../../model/changes.js";
import type { EventCounts } from "../../engine.js";
import { ROWS } from "./changed-rows.js";
import { countWithinBatch, noEvents } from "./count-events.js";
import { DECIDED } from "./decide-events.js";
import type { Ties } from "./newest-events.js";
import type { Floor } from "./truncates.js";

/**
 * What became of the events of a batch of one flow.
 *
 * @param rows as the merge wrote them
 * @returns `surplus`: rows that share their key with another, which no batch has put there; events are counted once
 */
export async function countFates(
  connection: DuckDBConnection,
  rules: ChangeRules,
  floor: Floor | undefined,
  ties: readonly Ties[],
  rows: { readonly inserted: number; readonly updated: number; readonly deleted: number },
): Promise<{ readonly counts: EventCounts; readonly surplus: number }> {
  const found = await connection.runAndReadAll(`SELECT count(*), count(*) FILTER (__ingot_fate = 'late'),
      count(*) FILTER (__ingot_fate = 'duplicate'), count(*) FILTER (__ingot_fate = 'delete'), count(*) FILTER (__ingot_fate = 'upsert'), (SELECT count(*) FROM ${ROWS} WHERE __ingot_is_truncated)
    FROM ${DECIDED}`);
  const [newest = 0, late = 0, duplicate = 0, deletes = 0, upserts = 0, truncatable = 0] = (
    found.getRows()[0] ?? []
  ).map(Number);
  const within = noEvents((await countWithinBatch(connection, rules, floor, ties, new Map([[0, newest]]))).get(0));
  // Rows that a truncate takes away are known to be there; what else the merge deleted, events did.
  const truncatedRows = Math.min(truncatable, rows.deleted);
  const updated = Math.min(rows.updated, upserts - rows.inserted);
  const deleted = Math.min(rows.deleted - truncatedRows, deletes);
  const counts = {
    ...within,
    inserted: rows.inserted,
    updated,
    deleted,
    truncatedRows,
    unchanged: deletes - deleted,
    late: within.late + late,
    duplicate: within.duplicate + duplicate,
  };
  return { counts, surplus: rows.updated - updated + rows.deleted - truncatedRows - deleted };
}
