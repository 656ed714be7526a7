import type { DuckDBConnection } from "@duckdb/node-api";
import { SEQUENCE } from "../../../model/changes.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { refuseSnapshot } from "../../cdc/refuse-snapshot.js";
import type { ApplyStep } from "../../engine.js";
import { keyList } from "./event-order.js";
import { EVENTS } from "./stage-events.js";

/**
 * Looks whether the staged events can be a snapshot.
 *
 * @returns its rows
 * @throws IngotError as `refuseSnapshot`
 */
export async function checkSnapshot(connection: DuckDBConnection, step: ApplyStep): Promise<number> {
  const { rules } = step;
  const keys = keyList(rules);
  const keyless = rules.keys.map((key) => `${quoteName(key)} IS NULL`).join(" OR ");
  const counted = await connection.runAndReadAll(`SELECT count(*), count(*) FILTER (${keyless}),
      count(${SEQUENCE}), count(DISTINCT ${SEQUENCE}), any_value(CASE WHEN ${keyless} THEN e::VARCHAR END) FROM ${EVENTS} e`);
  const [row = []] = counted.getRows();
  const [rows = 0, withoutKey = 0, withVersion = 0, versions = 0] = row.slice(0, 4).map(Number);
  const shared = await connection.runAndReadAll(`SELECT count(*), first((${keys})::VARCHAR), first(times)
      FROM (SELECT ${keys}, count(*) AS times FROM ${EVENTS} GROUP BY ${keys} HAVING count(*) > 1)`);
  const [twice, key, times] = shared.getRows()[0] ?? [];
  refuseSnapshot(step, {
    rows,
    withoutKey,
    keyless: String(row[4]),
    withVersion,
    versions,
    shared: { keys: Number(twice), key: String(key), rows: Number(times) },
  });
  return rows;
}
