import type { DuckDBConnection } from "@duckdb/node-api";
import { type ChangeRules, DELETED, LISTED, SEQUENCE, TRUNCATES } from "../../../model/changes.js";
import { IngotError } from "../../../model/error.js";
import { quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { EVENTS, isOfKey } from "./stage-events.js";

const VALUE_HINT = "Give the column a value in the source's query, or leave such rows out with WHERE.";

/**
 * Refuses a batch with an event that has no place: without a sequence, or without a key, which only a truncate needs
 * not; or whose list of columns to update is none. Sequences first, as Spark.
 *
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.NULL_SEQUENCE, ….NULL_KEY, ….NULL_COLUMNS_TO_UPDATE, ….UNKNOWN_COLUMN_TO_UPDATE
 */
export async function checkEvents(connection: DuckDBConnection, rules: ChangeRules, object: string): Promise<void> {
  const keys = rules.keys.map(quoteName);
  const keyless = `(${keys.map((key) => `${key} IS NULL`).join(" OR ")})`;
  const faults = [
    { code: "NULL_SEQUENCE", what: "no sequence", where: `${SEQUENCE} IS NULL`, hint: VALUE_HINT },
    {
      code: "NULL_KEY",
      what: "no key",
      where: rules.truncates ? `${keyless} AND NOT ${TRUNCATES}` : keyless,
      hint: VALUE_HINT,
    },
    ...listFaults(rules),
  ] as const;
  const counts = faults.map((_, i) => `count(*) FILTER (f${i}), any_value(event) FILTER (f${i})`);
  const shown = [...rules.columns.map(({ name }) => quoteName(name)), SEQUENCE].map((name) => `${name} := ${name}`);
  const flags = faults.map(({ where }, i) => `(${where}) AS f${i}`);
  const isFaulty = faults.map(({ where }) => `(${where})`).join(" OR ");
  const result = await connection.runAndReadAll(`SELECT ${counts.join(", ")} FROM (
    SELECT struct_pack(${shown.join(", ")})::VARCHAR AS event, ${flags.join(", ")} FROM ${EVENTS} WHERE ${isFaulty})`);
  const [row = []] = result.getRows();
  for (const [i, { code, what, hint }] of faults.entries()) {
    const count = Number(row[2 * i]);
    if (count === 0) continue;
    throw new IngotError(
      `AUTOCDC_MICROBATCH_VALIDATION.${code}`,
      `${object}: ${count} ${count === 1 ? "change has" : "changes have"} ${what}, such as ${row[2 * i + 1]}`,
      {
        object,
        hint: `Nothing was written. ${hint}`,
      },
    );
  }
}

function listFaults(rules: ChangeRules) {
  if (rules.listable === undefined) return [];
  const names = rules.listable.map((name) => quoteText(name.toLowerCase())).join(", ");
  const upsert = `NOT ${DELETED} AND ${isOfKey(rules)}`;
  return [
    {
      code: "NULL_COLUMNS_TO_UPDATE",
      what: "no list of columns to update",
      where: `${upsert} AND ${LISTED} IS NULL`,
      hint: "Give the list of all columns where a change writes all of them: coalesce(list, array('a', 'b')).",
    },
    {
      code: "UNKNOWN_COLUMN_TO_UPDATE",
      what: "a column to update that the source lacks",
      where: `${upsert} AND list_bool_or(list_transform(${LISTED}, lambda name: coalesce(name NOT IN (${names}), true)))`,
      hint: `The source has ${rules.listable.join(", ")}: name these, or take others out of the list with array_intersect.`,
    },
  ] as const;
}
