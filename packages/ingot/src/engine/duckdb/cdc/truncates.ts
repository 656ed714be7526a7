import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot, Store } from "@ingot/delta";
import { type ChangeRules, DELETED, SEQUENCE, TRUNCATES } from "../../../model/changes.js";
import { quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { BATCH } from "../../cdc/state-table.js";
import { scan } from "../relations.js";
import { keyList, placeOf } from "./event-order.js";
import type { Tables } from "./known-keys.js";
import { EVENT, EVENTS, PART } from "./stage-events.js";

/**
 * Temporary table of the greatest truncate, of this batch or of one before: SEQUENCE, `__ingot_place`, EVENT (NULL: it is known
 * already), PART. Empty where there was none.
 */
const FLOOR = "ingot_floor";

export interface Floor {
  /** SQL of the place below which all is gone: NULL where no truncate was. */
  readonly place: string;
  /** The batch brings it. */
  readonly isNew: boolean;
}

/** @param state undefined where the table starts again */
export async function findFloor(
  connection: DuckDBConnection,
  store: Store,
  rules: ChangeRules,
  state: Snapshot | undefined,
  tag: string,
): Promise<Floor | undefined> {
  if (!rules.truncates) return undefined;
  const place = placeOf(SEQUENCE, rules);
  const known = state === undefined ? "" : await knownTruncates(store, rules, state);
  // A truncate of this very batch, from a run that died, is new still.
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${FLOOR} AS SELECT * FROM (
      SELECT ${SEQUENCE}, ${place} AS __ingot_place, rowid AS ${EVENT}, ${PART}, ${quoteText(tag)} AS ${BATCH} FROM ${EVENTS} WHERE ${TRUNCATES}
      ${known})
    QUALIFY row_number() OVER (ORDER BY __ingot_place DESC, ${BATCH} = ${quoteText(tag)}, ${EVENT} NULLS FIRST) = 1`);
  const found = await connection.runAndReadAll(`SELECT ${BATCH} = ${quoteText(tag)} FROM ${FLOOR}`);
  const [row] = found.getRows();
  return row === undefined ? undefined : { place: `SELECT __ingot_place FROM ${FLOOR}`, isNew: row[0] === true };
}

async function knownTruncates(store: Store, rules: ChangeRules, state: Snapshot): Promise<string> {
  const [key = ""] = rules.keys;
  return `UNION ALL SELECT ${SEQUENCE}, ${placeOf(SEQUENCE, rules)}, NULL, NULL, ${BATCH}
    FROM (${await scan(store, state)}) WHERE ${quoteName(key)} IS NULL`;
}

/** SQL of the truncate as the state table keeps it: SEQUENCE. */
export function newTruncate(): string {
  return `SELECT ${SEQUENCE} FROM ${FLOOR}`;
}

/** SQL of the keys of the target's rows that a new truncate takes away. */
export async function truncatedKeys(store: Store, rules: ChangeRules, { target, state }: Tables): Promise<string> {
  const below = rules.ties === "delete" ? "<=" : "<";
  const gone = (sequence: string) => `${placeOf(sequence, rules)} ${below} (SELECT __ingot_place FROM ${FLOOR})`;
  const keys = keyList(rules);
  if (rules.sequenceColumn !== undefined)
    return `SELECT ${keys} FROM (${await scan(store, target)}) WHERE ${gone(quoteName(rules.sequenceColumn))}`;
  const [key = ""] = rules.keys;
  return `SELECT ${keys} FROM (${await scan(store, state)})
    WHERE ${quoteName(key)} IS NOT NULL AND NOT ${DELETED} AND ${gone(SEQUENCE)}`;
}
