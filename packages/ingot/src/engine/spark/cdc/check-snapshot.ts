import { SEQUENCE } from "../../../model/changes.js";
import { quoteIdentifier } from "../../../model/name.js";
import { refuseSnapshot } from "../../cdc/refuse-snapshot.js";
import { sqlRelation } from "../connect/relations.js";
import { columnList } from "../spark-sql.js";
import type { SparkText } from "../text-context.js";
import type { ApplyWork } from "./apply-work.js";
import { keyList } from "./event-order.js";
import { EVENTS } from "./events-text.js";

/**
 * Looks whether staged events can be a snapshot.
 *
 * @returns its rows
 * @throws IngotError as `refuseSnapshot`
 */
export async function checkSnapshot({ session, step, signal }: ApplyWork, { names }: SparkText): Promise<number> {
  const { rules } = step;
  const keys = keyList(rules);
  const keyless = `(${rules.keys.map((key) => `${quoteIdentifier(key)} IS NULL`).join(" OR ")})`;
  const example = `any_value(CAST(struct(${columnList(rules.columns)}) AS STRING)) FILTER (WHERE ${keyless})`;
  const shared = `SELECT count(*) AS keys, any_value(key) AS key, any_value(times) AS times FROM (
      SELECT CAST(struct(${keys}) AS STRING) AS key, count(*) AS times FROM ${EVENTS} GROUP BY ${keys} HAVING count(*) > 1)`;
  const query = `SELECT * FROM (SELECT count(*), count_if(${keyless}), count(${SEQUENCE}), count(DISTINCT ${SEQUENCE}), ${example} FROM ${EVENTS})
    CROSS JOIN (${shared})`;
  const [row = []] = (await session.collect(sqlRelation(query, names), signal)).rows;
  const [rows = 0, withoutKey = 0, withVersion = 0, versions = 0] = row.slice(0, 4).map(Number);
  refuseSnapshot(step, {
    rows,
    withoutKey,
    keyless: String(row[4]),
    withVersion,
    versions,
    shared: { keys: Number(row[5]), key: String(row[6]), rows: Number(row[7]) },
  });
  return rows;
}
