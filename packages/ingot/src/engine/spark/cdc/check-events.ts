import { type InvalidFate, invalidEvents, invalidFates } from "../../cdc/invalid-events.js";
import { sqlRelation } from "../connect/relations.js";
import { columnList } from "../spark-sql.js";
import type { ApplyWork } from "./apply-work.js";
import { FATE, type FateCounts } from "./count-fates.js";
import type { StagedRows } from "./staged-rows.js";

/**
 * Refuses a batch with an event that has no place: without a sequence, or without a key; or whose list of columns to
 * update is none.
 *
 * @param relation name of the staged events, which have their fates
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.NULL_SEQUENCE, ….NULL_KEY, ….NULL_COLUMNS_TO_UPDATE, ….UNKNOWN_COLUMN_TO_UPDATE
 */
export async function checkEvents(
  { session, step: { rules, target }, signal }: ApplyWork,
  relation: string,
  names: StagedRows["names"],
  counts: readonly FateCounts<InvalidFate>[],
): Promise<void> {
  for (const fate of invalidFates(rules)) {
    const count = counts.reduce((sum, part) => sum + part.of(fate), 0);
    if (count === 0) continue;
    const query = `SELECT ${columnList(rules.columns)} FROM ${relation} WHERE ${FATE} = '${fate}' LIMIT 1`;
    const { columns, rows } = await session.collect(sqlRelation(query, names), signal);
    const example = Object.fromEntries(columns.map(({ name }, i) => [name, rows[0]?.[i] ?? null]));
    throw invalidEvents(rules, target.name, fate, { count, example: JSON.stringify(example) });
  }
}
