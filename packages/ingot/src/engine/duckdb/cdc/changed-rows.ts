import type { DuckDBConnection } from "@duckdb/node-api";
import { type ChangeRules, DELETED, keptColumns } from "../../../model/changes.js";
import { DECIDED } from "./decide-events.js";
import { keyList, sameKey } from "./event-order.js";
import { FOLDED } from "./fold-columns.js";
import { EVENT, EVENTS } from "./stage-events.js";

/**
 * Temporary table of what changes in the target, one row a key: the keys, EVENT, DELETED and VALUES_AT. `__ingot_is_live`: the key
 * has a row; `__ingot_is_truncated`: a truncate takes it away, which has no EVENT.
 */
export const ROWS = "ingot_rows";
/** The `rowid` of the row with the columns of the rules; NULL where a truncate takes it away. */
const VALUES_AT = "__ingot_values_at";

/** @param truncated SQL of the keys of rows that a truncate takes away; undefined: there is none */
export async function collectRows(
  connection: DuckDBConnection,
  rules: ChangeRules,
  truncated: string | undefined,
): Promise<void> {
  const [place, join] = isFolded(rules)
    ? ["r.rowid", ` JOIN ${FOLDED} r ON ${sameKey(rules, "d", "r")}`]
    : [`d.${EVENT}`, ""];
  const applied = `SELECT d.${EVENT}, ${keyList(rules, "d")}, d.${DELETED}, ${place} AS ${VALUES_AT}, false AS __ingot_is_truncated, d.__ingot_is_live
    FROM ${DECIDED} d${join} WHERE d.__ingot_fate IN ('upsert', 'delete')`;
  const keys = keyList(rules);
  const gone =
    truncated === undefined
      ? ""
      : ` UNION ALL BY NAME SELECT ${keys}, true AS ${DELETED}, true AS __ingot_is_truncated, true AS __ingot_is_live FROM (${truncated})
          WHERE (${keys}) NOT IN (SELECT (${keys}) FROM ${DECIDED} WHERE __ingot_fate IN ('upsert', 'delete'))`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${ROWS} AS ${applied}${gone}`);
}

/** ROWS as a merge reads them: the values, which are wide, stay where they are until they are written. */
export function changedRows(rules: ChangeRules) {
  return { table: ROWS, rest: { table: isFolded(rules) ? FOLDED : EVENTS, rowid: VALUES_AT } };
}

function isFolded(rules: ChangeRules): boolean {
  return keptColumns(rules).length > 0;
}
