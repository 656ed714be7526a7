import type { DuckDBConnection } from "@duckdb/node-api";
import { type ChangeRules, DELETED, SEQUENCE } from "../../../model/changes.js";
import { isOfKey } from "../../cdc/event-flags.js";
import { eventDigest, keyList, kindFirst, placeOf, sameKey } from "./event-order.js";
import { EVENT, EVENTS, PART } from "./stage-events.js";

/**
 * Temporary table of one event a key: the one that counts within the batch. EVENT, the keys, SEQUENCE, `__ingot_place` (see
 * `placeOf`), DELETED, PART.
 */
export const NEWEST = "ingot_newest";

/** Events that lost by the tie rule alone, as queries give them: by part. */
export interface Ties {
  readonly part: number;
  /** The same as the event that counts. */
  readonly equal: number;
  readonly other: number;
}

/**
 * Finds the event of each key that counts. Digests are only made where several events have the greatest sequence: they
 * cost more than all else here.
 *
 * @param floor SQL of a place: events below it are gone; undefined: none
 */
export async function findNewest(
  connection: DuckDBConnection,
  rules: ChangeRules,
  floor: string | undefined,
): Promise<readonly Ties[]> {
  const keys = keyList(rules);
  const above = floor === undefined ? "" : ` WHERE __ingot_place ${rules.ties === "delete" ? ">" : ">="} (${floor})`;
  const isOne = await isOneEach(connection, rules);
  // Ranking costs four times what knowing costs that there is nothing to rank.
  const first = isOne
    ? ""
    : ` QUALIFY rank() OVER (PARTITION BY ${keys} ORDER BY __ingot_place DESC, ${kindFirst(rules)}) = 1`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${NEWEST} AS
    SELECT * FROM (
      SELECT rowid AS ${EVENT}, ${keys}, ${SEQUENCE}, ${placeOf(SEQUENCE, rules)} AS __ingot_place, ${DELETED}, ${PART}
      FROM ${EVENTS} WHERE ${isOfKey(rules)})${above}${first}`);
  if (isOne) return [];
  const lost = await dropTied(connection, rules);
  return addOtherKinds(lost, await countOtherKinds(connection, rules));
}

/** Whether each event is alone with its key, as in most batches. Keys that share a hash count as one: then there is a ranking too many. */
async function isOneEach(connection: DuckDBConnection, rules: ChangeRules): Promise<boolean> {
  const result = await connection.runAndReadAll(
    `SELECT count(DISTINCT hash(${keyList(rules)})) = count(*) FROM ${EVENTS} WHERE ${isOfKey(rules)}`,
  );
  return result.getRows()[0]?.[0] === true;
}

/** Leaves the event with the greatest digest of those that are alike in all else. */
async function dropTied(connection: DuckDBConnection, rules: ChangeRules): Promise<readonly Ties[]> {
  const keys = keyList(rules);
  const shared = await connection.runAndReadAll(`SELECT 1 FROM ${NEWEST} GROUP BY ${keys} HAVING count(*) > 1 LIMIT 1`);
  if (shared.getRows().length === 0) return [];
  const tied = `SELECT * FROM ${NEWEST} QUALIFY count(*) OVER (PARTITION BY ${keys}) > 1`;
  const digests = `SELECT rowid AS ${EVENT}, CASE WHEN ${DELETED} THEN '' ELSE ${eventDigest(rules)} END AS digest
    FROM ${EVENTS} WHERE rowid IN (SELECT ${EVENT} FROM tied)`;
  const order = `PARTITION BY ${keyList(rules, "t")} ORDER BY d.digest DESC, t.${EVENT}`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE ingot_tied AS
    WITH tied AS MATERIALIZED (${tied}), digests AS (${digests})
    SELECT t.${EVENT}, t.${PART}, row_number() OVER (${order}) AS number, d.digest = first_value(d.digest) OVER (${order}) AS equal
    FROM tied t JOIN digests d USING (${EVENT})`);
  await connection.run(`DELETE FROM ${NEWEST} WHERE ${EVENT} IN (SELECT ${EVENT} FROM ingot_tied WHERE number > 1)`);
  const lost = await connection.runAndReadAll(
    `SELECT ${PART}, count(*) FILTER (equal), count(*) FILTER (NOT equal) FROM ingot_tied WHERE number > 1 GROUP BY ALL`,
  );
  await connection.run("DROP TABLE ingot_tied");
  return lost
    .getRows()
    .map(([part, equal, other]) => ({ part: Number(part), equal: Number(equal), other: Number(other) }));
}

/** Deletes that have the sequence of the upsert that counts, or the other way round, by part. */
async function countOtherKinds(connection: DuckDBConnection, rules: ChangeRules): Promise<ReadonlyMap<number, number>> {
  const result = await connection.runAndReadAll(
    `SELECT e.${PART}, count(*) FROM ${EVENTS} e JOIN ${NEWEST} n ON ${sameKey(rules, "e", "n")}
     WHERE e.${DELETED} <> n.${DELETED} AND ${isOfKey(rules)} AND ${placeOf(`e.${SEQUENCE}`, rules)} = n.__ingot_place GROUP BY ALL`,
  );
  return new Map(result.getRows().map(([part, count]) => [Number(part), Number(count)]));
}

function addOtherKinds(lost: readonly Ties[], others: ReadonlyMap<number, number>): readonly Ties[] {
  const parts = new Set([...lost.map(({ part }) => part), ...others.keys()]);
  return [...parts].map((part) => {
    const { equal = 0, other = 0 } = lost.find((ties) => ties.part === part) ?? {};
    return { part, equal, other: other + (others.get(part) ?? 0) };
  });
}
