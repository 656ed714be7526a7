import type { DuckDBConnection } from "@duckdb/node-api";
import { type ChangeRules, DELETED } from "../../../model/changes.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { DECIDED } from "./decide-events.js";
import { keyList, sameKey } from "./event-order.js";
import { FOLDED } from "./fold-columns.js";
import { EVENTS } from "./stage-events.js";

/**
 * Temporary table of what changes in the target, one row a key: the columns of the rules and DELETED. `__ingot_is_live`: the key
 * has a row; `__ingot_is_truncated`: a truncate takes it away.
 */
export const ROWS = "ingot_rows";

/** @param truncated SQL of the keys of rows that a truncate takes away; undefined: there is none */
export async function collectRows(
  connection: DuckDBConnection,
  rules: ChangeRules,
  truncated: string | undefined,
): Promise<void> {
  const columns = rules.columns.map(({ name }) => `r.${quoteName(name)}`).join(", ");
  const from =
    rules.ignoreNulls.length === 0
      ? `${EVENTS} r ON r.rowid = d.__ingot_event`
      : `${FOLDED} r ON ${sameKey(rules, "d", "r")}`;
  const applied = `SELECT ${columns}, d.${DELETED}, false AS __ingot_is_truncated, d.__ingot_is_live
    FROM ${DECIDED} d JOIN ${from} WHERE d.__ingot_fate IN ('upsert', 'delete')`;
  const keys = keyList(rules);
  const gone =
    truncated === undefined
      ? ""
      : ` UNION ALL BY NAME SELECT ${keys}, true AS ${DELETED}, true AS __ingot_is_truncated, true AS __ingot_is_live FROM (${truncated})
          WHERE (${keys}) NOT IN (SELECT (${keys}) FROM ${DECIDED} WHERE __ingot_fate IN ('upsert', 'delete'))`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${ROWS} AS ${applied}${gone}`);
}
