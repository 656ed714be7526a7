import type { DuckDBConnection } from "@duckdb/node-api";
import { type ChangeRules, DELETED, keptColumns, LISTED, SEQUENCE } from "../../../model/changes.js";
import { type Field, fieldNamed } from "../../../model/data-type.js";
import { hasMap } from "../../../sql/bind/type-rules.js";
import { orderKey } from "../../../sql/lower/lower-order.js";
import { duckdbType, quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { isOfKey } from "../../cdc/event-flags.js";
import { DELETED_AT, foldedFields, valueAt } from "../../cdc/folded-fields.js";
import { DECIDED } from "./decide-events.js";
import { eventDigest, keyList, placeOf, sameKey } from "./event-order.js";
import { NEWEST } from "./newest-events.js";
import { EVENT, EVENTS, PART } from "./stage-events.js";

/*
 * Where an event may keep the value of before, a row is made of several events: each such column is of the newest event
 * that writes it (`writes`), the others are of the newest of all, and none is older than the last delete. So the state holds, for each
 * key, its whole row with the sequence of each such column. An event is a state, too, and two states of a key make one by
 * the same rule, in any order and however often: that is all there is to apply a batch.
 */

/**
 * Temporary table of the states of the batch's keys after it: the keys, SEQUENCE, DELETED and `foldedFields`; `__ingot_was_live`
 * (the key had a row) and `__ingot_is_same` (the state is as it was).
 */
export const FOLDED = "ingot_folded";

/** @param stored SQL of the states that are known of the batch's keys; undefined: none */
export async function foldColumns(
  connection: DuckDBConnection,
  rules: ChangeRules,
  stored: string | undefined,
): Promise<void> {
  const keys = keyList(rules);
  const kept = keptColumns(rules);
  const rest = rules.columns.filter(({ name }) => !rules.keys.includes(name) && !kept.includes(name));
  const names = foldedFields(rules).map(({ name }) => quoteName(name));
  const isAlive = (place: string) =>
    `(__ingot_dead IS NULL OR ${place} ${rules.ties === "delete" ? ">" : ">="} __ingot_dead)`;
  const at = (column: string) => placeOf(quoteName(column), rules);
  // A digest is made where only it can tell: of two events with one sequence.
  const tie = `CASE WHEN count(*) OVER (PARTITION BY ${keys}, __ingot_place) > 1 THEN ${eventDigest({ columns: rest })} END`;
  const others = rest.map(({ name }, i) => `, v${i}: ${quoteName(name)}`).join("");
  const row = `arg_max({seq: ${SEQUENCE}${others}}, {__ingot_place: __ingot_place, __ingot_tie: __ingot_tie}) FILTER (__ingot_place IS NOT NULL AND ${isAlive("__ingot_place")})`;
  const cells = kept.map((name, i) => {
    const field = fieldNamed(rules.columns, name) ?? { name, type: { kind: "void" }, nullable: true };
    const place = at(valueAt(name));
    return `arg_max({value: ${quoteName(name)}, seq: ${quoteName(valueAt(name))}}, {__ingot_place: ${place}, __ingot_tie: ${valueOrder(field)}})
      FILTER (${quoteName(valueAt(name))} IS NOT NULL AND ${isAlive(place)}) AS __ingot_cell${i}`;
  });
  const was = `first({seq: ${SEQUENCE}, ${[DELETED, ...names].map((name) => `${name}: ${name}`).join(", ")}}) FILTER (__ingot_is_stored)`;
  const known = stored === undefined ? "" : ` UNION ALL BY NAME SELECT *, true AS __ingot_is_stored FROM (${stored})`;
  const folded = `SELECT ${keys}, ${row} AS __ingot_whole, ${cells.join(", ")},
      arg_max(${DELETED_AT}, ${at(DELETED_AT)}) AS ${DELETED_AT}, ${was} AS __ingot_was
    FROM (SELECT *, max(${at(DELETED_AT)}) OVER (PARTITION BY ${keys}) AS __ingot_dead, ${tie} AS __ingot_tie
      FROM (SELECT *, CASE WHEN ${SEQUENCE} IS NOT NULL THEN ${placeOf(SEQUENCE, rules)} END AS __ingot_place
        FROM (${eventStates(rules)}${known})))
    GROUP BY ${keys}`;
  const values = [
    ...rest.map(({ name }, i) => `__ingot_whole.v${i} AS ${quoteName(name)}`),
    ...kept.flatMap((name, i) => [
      `__ingot_cell${i}.value AS ${quoteName(name)}`,
      `__ingot_cell${i}.seq AS ${quoteName(valueAt(name))}`,
    ]),
  ];
  const same = names.map((name) => `${name} IS NOT DISTINCT FROM __ingot_was.${name}`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${FOLDED} AS
    SELECT * EXCLUDE (__ingot_was), coalesce(NOT __ingot_was.${DELETED}, false) AS __ingot_was_live, __ingot_was IS NOT NULL
      AND ${[`${SEQUENCE} IS NOT DISTINCT FROM __ingot_was.seq`, ...same].join(" AND ")} AS __ingot_is_same
    FROM (SELECT ${keys}, __ingot_whole.seq AS ${SEQUENCE}, __ingot_whole IS NULL AS ${DELETED}, ${DELETED_AT}, ${values.join(", ")}, __ingot_was
      FROM (${folded}))`);
}

/** SQL: an upsert writes a column that not every event writes. An event of before there were lists has none. */
export function writes({ listable }: Pick<ChangeRules, "listable">, name: string): string {
  if (listable === undefined) return `${quoteName(name)} IS NOT NULL`;
  return `(${LISTED} IS NULL OR list_contains(${LISTED}, ${quoteText(name.toLowerCase())}))`;
}

/** SQL of what orders the values that events of one sequence write: the greater counts, NULL is the least. */
export function valueOrder(field: Field): string {
  const value = quoteName(field.name);
  const key = hasMap(field.type) ? eventDigest({ columns: [field] }) : orderKey(value, field.type);
  return `{n: ${value} IS NOT NULL, v: ${key}}`;
}

/** SQL of the events as states. */
function eventStates(rules: ChangeRules): string {
  const none = `NULL::${duckdbType(rules.sequenceType)}`;
  const values = rules.columns.map(({ name }) => quoteName(name));
  const sequences = keptColumns(rules).map(
    (name) => `CASE WHEN NOT ${DELETED} AND ${writes(rules, name)} THEN ${SEQUENCE} END AS ${quoteName(valueAt(name))}`,
  );
  return `SELECT ${[...values, ...sequences].join(", ")}, CASE WHEN ${DELETED} THEN ${none} ELSE ${SEQUENCE} END AS ${SEQUENCE},
      CASE WHEN ${DELETED} THEN ${SEQUENCE} END AS ${DELETED_AT}, ${DELETED}, false AS __ingot_is_stored
    FROM ${EVENTS} WHERE ${isOfKey(rules)}`;
}

/**
 * Fills DECIDED from the folded states: an event of each key, the newest, stands for all that the batch does to it.
 *
 * @param isReplay the state has the batch already, so that nothing tells which rows it changes
 */
export async function decideFolded(connection: DuckDBConnection, rules: ChangeRules, isReplay: boolean): Promise<void> {
  const older = [SEQUENCE, DELETED_AT].map(
    (name) => `coalesce(n.__ingot_place < ${placeOf(`f.${name}`, rules)}, false)`,
  );
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${DECIDED} AS
    SELECT n.${EVENT}, ${keyList(rules, "n")}, f.${SEQUENCE}, f.${DELETED}, n.${PART},
      CASE WHEN ${isReplay ? "" : "NOT f.__ingot_is_same AND "}f.${DELETED} THEN 'delete' WHEN ${isReplay ? "true" : "NOT f.__ingot_is_same"} THEN 'upsert'
        WHEN ${older.join(" OR ")} THEN 'late' ELSE 'duplicate' END AS __ingot_fate,
      f.__ingot_was_live AS __ingot_is_live, false AS __ingot_was_deleted
    FROM ${NEWEST} n JOIN ${FOLDED} f ON ${sameKey(rules, "n", "f")}`);
}
