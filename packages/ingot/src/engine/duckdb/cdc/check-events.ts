import type { DuckDBConnection } from "@duckdb/node-api";
import { type ChangeRules, SEQUENCE, TRUNCATES } from "../../../model/changes.js";
import { IngotError } from "../../../model/error.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { EVENTS } from "./stage-events.js";

/**
 * Refuses a batch with an event that has no place: without a sequence, or without a key, which only a truncate needs
 * not. Sequences first, as Spark.
 *
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.NULL_SEQUENCE, AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY
 */
export async function checkEvents(connection: DuckDBConnection, rules: ChangeRules, object: string): Promise<void> {
  const keys = rules.keys.map(quoteName);
  const keyless = `(${keys.map((key) => `${key} IS NULL`).join(" OR ")})`;
  const faults = [
    { code: "NULL_SEQUENCE", what: "no sequence", where: `${SEQUENCE} IS NULL` },
    { code: "NULL_KEY", what: "no key", where: rules.truncates ? `${keyless} AND NOT ${TRUNCATES}` : keyless },
  ] as const;
  const counts = faults.flatMap(({ where }) => [
    `count(*) FILTER (${where})`,
    `any_value(e::VARCHAR) FILTER (${where})`,
  ]);
  const shown = rules.columns.map(({ name }) => quoteName(name)).join(", ");
  const result = await connection.runAndReadAll(
    `SELECT ${counts.join(", ")} FROM (SELECT ${shown}, ${SEQUENCE}${rules.truncates ? `, ${TRUNCATES}` : ""} FROM ${EVENTS}
      WHERE ${faults.map(({ where }) => where).join(" OR ")}) e`,
  );
  const [row = []] = result.getRows();
  for (const [i, { code, what }] of faults.entries()) {
    const count = Number(row[2 * i]);
    if (count === 0) continue;
    throw new IngotError(
      `AUTOCDC_MICROBATCH_VALIDATION.${code}`,
      `${object}: ${count} ${count === 1 ? "change has" : "changes have"} ${what}, such as ${row[2 * i + 1]}`,
      {
        object,
        hint: "Nothing was written. Give the column a value in the source's query, or leave such rows out with WHERE.",
      },
    );
  }
}
