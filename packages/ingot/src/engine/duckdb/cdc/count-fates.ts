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
 */
export async function countFates(
  connection: DuckDBConnection,
  rules: ChangeRules,
  floor: Floor | undefined,
  ties: readonly Ties[],
  rows: { readonly inserted: number; readonly updated: number; readonly deleted: number },
): Promise<EventCounts> {
  const found = await connection.runAndReadAll(`SELECT count(*), count(*) FILTER (__ingot_fate = 'late'),
      count(*) FILTER (__ingot_fate = 'duplicate'), count(*) FILTER (__ingot_fate = 'delete'), (SELECT count(*) FROM ${ROWS} WHERE __ingot_is_truncated)
    FROM ${DECIDED}`);
  const [newest = 0, late = 0, duplicate = 0, deletes = 0, truncatable = 0] = (found.getRows()[0] ?? []).map(Number);
  const within = noEvents((await countWithinBatch(connection, rules, floor, ties, new Map([[0, newest]]))).get(0));
  // Rows that a truncate takes away are known to be there; what else the merge deleted, events did.
  const truncatedRows = Math.min(truncatable, rows.deleted);
  const deleted = rows.deleted - truncatedRows;
  return {
    ...within,
    inserted: rows.inserted,
    updated: rows.updated,
    deleted,
    truncatedRows,
    unchanged: deletes - deleted,
    late: within.late + late,
    duplicate: within.duplicate + duplicate,
  };
}
