import type { DuckDBConnection } from "@duckdb/node-api";
import { type ChangeRules, DELETED, LISTED, SEQUENCE, TRUNCATES } from "../../../model/changes.js";
import { quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { isOfKey } from "../../cdc/event-flags.js";
import { type InvalidFate, invalidEvents, invalidFates } from "../../cdc/invalid-events.js";
import { EVENTS } from "./stage-events.js";

/**
 * Refuses a batch with an event that has no place: without a sequence, or without a key, which only a truncate needs
 * not; or whose list of columns to update is none.
 *
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.NULL_SEQUENCE, ….NULL_KEY, ….NULL_COLUMNS_TO_UPDATE, ….UNKNOWN_COLUMN_TO_UPDATE
 */
export async function checkEvents(connection: DuckDBConnection, rules: ChangeRules, object: string): Promise<void> {
  const conditions = conditionsOf(rules);
  const fates = invalidFates(rules);
  const counts = fates.map((_, i) => `count(*) FILTER (f${i}), any_value(event) FILTER (f${i})`);
  const shown = [...rules.columns.map(({ name }) => quoteName(name)), SEQUENCE].map((name) => `${name} := ${name}`);
  const flags = fates.map((fate, i) => `(${conditions[fate]}) AS f${i}`);
  const isFaulty = fates.map((fate) => `(${conditions[fate]})`).join(" OR ");
  const result = await connection.runAndReadAll(`SELECT ${counts.join(", ")} FROM (
    SELECT struct_pack(${shown.join(", ")})::VARCHAR AS event, ${flags.join(", ")} FROM ${EVENTS} WHERE ${isFaulty})`);
  const [row = []] = result.getRows();
  for (const [i, fate] of fates.entries()) {
    const count = Number(row[2 * i]);
    if (count > 0) throw invalidEvents(rules, object, fate, { count, example: String(row[2 * i + 1]) });
  }
}

/** SQL over EVENTS. */
function conditionsOf(rules: ChangeRules): Readonly<Record<InvalidFate, string>> {
  const keyless = `(${rules.keys.map((key) => `${quoteName(key)} IS NULL`).join(" OR ")})`;
  const names = (rules.listable ?? []).map((name) => quoteText(name.toLowerCase())).join(", ");
  const upsert = `NOT ${DELETED} AND ${isOfKey(rules)}`;
  return {
    "no sequence": `${SEQUENCE} IS NULL`,
    "no key": rules.truncates ? `${keyless} AND NOT ${TRUNCATES}` : keyless,
    "no list of columns to update": `${upsert} AND ${LISTED} IS NULL`,
    "a column to update that the source lacks": `${upsert} AND list_bool_or(list_transform(${LISTED}, lambda name: coalesce(name NOT IN (${names}), true)))`,
  };
}
