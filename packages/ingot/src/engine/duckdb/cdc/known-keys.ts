import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot, Store } from "@ingot/delta";
import { type ChangeRules, DELETED, SEQUENCE } from "../../../model/changes.js";
import { quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { BATCH } from "../../cdc/state-table.js";
import { findPlaces, type RowPlaces } from "../delta/find-places.js";
import { kindFirst, placeOf } from "./event-order.js";
import { NEWEST } from "./newest-events.js";
import { rowsByKey } from "./read-by-key.js";
import { EVENT } from "./stage-events.js";

/**
 * Temporary table of what is known of the keys of NEWEST: EVENT, `__ingot_place` of the last event before, DELETED (it was
 * a delete), `__ingot_mine` (this batch brought it, in a run that died before the target was committed).
 */
export const KNOWN = "ingot_known";

/** Temporary table of where the target's rows of these keys lie. */
const PLACES = "ingot_places";

export interface Tables {
  readonly target: Snapshot;
  readonly state: Snapshot;
}

/**
 * @param floor SQL of a place: what is below it is gone; undefined: none
 * @returns the target's rows of these keys, where they had to be looked at
 */
export async function readKnown(
  connection: DuckDBConnection,
  store: Store,
  rules: ChangeRules,
  { target, state }: Tables,
  tag: string,
  floor: string | undefined,
): Promise<RowPlaces | undefined> {
  const rows = await rowsByKey(connection, store, state, rules.keys, NEWEST, EVENT);
  const parts = [
    `SELECT ${EVENT}, ${placeOf(SEQUENCE, rules)} AS __ingot_place, ${DELETED}, ${BATCH} = ${quoteText(tag)} AS __ingot_mine FROM (${rows})`,
  ];
  let places: RowPlaces | undefined;
  if (rules.sequenceColumn !== undefined) {
    const asked = { keys: rules.keys, mark: EVENT, columns: [rules.sequenceColumn], wanted: NEWEST, table: PLACES };
    places = await findPlaces(connection, store, target, asked);
    const sequence = quoteName(rules.sequenceColumn);
    parts.push(
      `SELECT ${EVENT}, ${placeOf(sequence, rules)} AS __ingot_place, false AS ${DELETED}, false AS __ingot_mine FROM ${PLACES} WHERE ${sequence} IS NOT NULL`,
    );
  }
  const above = floor === undefined ? "" : ` WHERE __ingot_place >= (${floor})`;
  const last =
    parts.length === 1
      ? ""
      : ` QUALIFY row_number() OVER (PARTITION BY ${EVENT} ORDER BY __ingot_place DESC, ${kindFirst(rules)}) = 1`;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${KNOWN} AS SELECT * FROM (${parts.join(" UNION ALL ")})${above}${last}`,
  );
  return places;
}
