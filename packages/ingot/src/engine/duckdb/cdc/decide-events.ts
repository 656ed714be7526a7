import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot, Store } from "@ingot/delta";
import { type ChangeRules, DELETED, SEQUENCE } from "../../../model/changes.js";
import { fieldNamed } from "../../../model/data-type.js";
import { duckdbType, quoteName } from "../../../sql/lower/lower-text.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";
import { eventDigest, keyList, sameKey } from "./event-order.js";
import { KNOWN } from "./known-keys.js";
import { NEWEST } from "./newest-events.js";
import { rowsByKey } from "./read-by-key.js";
import { EVENT, EVENTS, PART } from "./stage-events.js";

/**
 * Temporary table of NEWEST with the fate of each event: `upsert` and `delete` are applied; `late` lost against what is
 * known, `duplicate` is the same. `__ingot_is_live`: the key has a row; `__ingot_was_deleted`: it has a tombstone.
 */
export const DECIDED = "ingot_decided";

/** Where nothing is known of the keys, or need be: all events are applied. */
export async function decideNewest(connection: DuckDBConnection, rules: ChangeRules): Promise<void> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${DECIDED} AS
    SELECT ${EVENT}, ${keyList(rules)}, ${SEQUENCE}, ${DELETED}, ${PART}, CASE WHEN ${DELETED} THEN 'delete' ELSE 'upsert' END AS __ingot_fate,
      false AS __ingot_is_live, false AS __ingot_was_deleted FROM ${NEWEST}`);
}

/** Compares the events with what is known of their keys. */
export async function decideEvents(
  connection: DuckDBConnection,
  store: Store,
  rules: ChangeRules,
  target: Snapshot,
): Promise<void> {
  const apply = `CASE WHEN n.${DELETED} THEN 'delete' ELSE 'upsert' END`;
  const [deleteWins, upsertWins] = rules.ties === "delete" ? ["delete", "late"] : ["late", "upsert"];
  const fate = `CASE
      WHEN k.__ingot_place IS NULL OR n.__ingot_place > k.__ingot_place THEN ${apply}
      WHEN n.__ingot_place < k.__ingot_place THEN 'late'
      WHEN k.__ingot_mine THEN ${apply}
      WHEN n.${DELETED} AND k.${DELETED} THEN 'duplicate'
      WHEN n.${DELETED} THEN '${deleteWins}'
      WHEN k.${DELETED} THEN '${upsertWins}'
      ELSE 'tie' END`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${DECIDED} AS
    SELECT n.${EVENT}, ${keyList(rules, "n")}, n.${SEQUENCE}, n.${DELETED}, n.${PART}, ${fate} AS __ingot_fate,
      coalesce(NOT k.${DELETED}, false) AS __ingot_is_live, coalesce(k.${DELETED}, false) AS __ingot_was_deleted
    FROM ${NEWEST} n LEFT JOIN ${KNOWN} k USING (${EVENT})`);
  await decideTies(connection, store, rules, target);
}

/** An upsert with the sequence of the row that is there: the greater digest counts. */
async function decideTies(
  connection: DuckDBConnection,
  store: Store,
  rules: ChangeRules,
  target: Snapshot,
): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ingot_ties AS SELECT * FROM ${DECIDED} WHERE __ingot_fate = 'tie'`,
  );
  const counted = await connection.runAndReadAll("SELECT count(*) FROM ingot_ties");
  if (Number(counted.getRows()[0]?.[0]) > 0) {
    const digest = eventDigest(rules);
    const present = fromDeltaSchema(target.schema);
    // A column that the table has not had yet is NULL in its rows.
    const columns = rules.columns.map(({ name, type }) =>
      fieldNamed(present, name) === undefined ? `NULL::${duckdbType(type)} AS ${quoteName(name)}` : quoteName(name),
    );
    const rows = await rowsByKey(connection, store, target, rules.keys, "ingot_ties");
    const ours = `SELECT rowid AS ${EVENT}, ${digest} AS __ingot_digest FROM ${EVENTS} WHERE rowid IN (SELECT ${EVENT} FROM ingot_ties)`;
    const theirs = `SELECT ${keyList(rules)}, ${digest} AS __ingot_digest FROM (SELECT ${columns.join(", ")} FROM (${rows}))`;
    await connection.run(`UPDATE ${DECIDED} d SET __ingot_fate = r.__ingot_fate FROM (
      SELECT t.${EVENT}, CASE WHEN b.__ingot_digest IS NULL OR a.__ingot_digest > b.__ingot_digest THEN 'upsert' WHEN a.__ingot_digest = b.__ingot_digest THEN 'duplicate' ELSE 'late' END AS __ingot_fate
      FROM ingot_ties t JOIN (${ours}) a USING (${EVENT}) LEFT JOIN (${theirs}) b ON ${sameKey(rules, "t", "b")}) r
      WHERE d.${EVENT} = r.${EVENT}`);
  }
  await connection.run("DROP TABLE ingot_ties");
}
