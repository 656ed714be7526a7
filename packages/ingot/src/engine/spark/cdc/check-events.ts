import { IngotError } from "../../../model/error.js";
import { sqlRelation } from "../connect/relations.js";
import { columnList } from "../spark-sql.js";
import type { ApplyWork } from "./apply-work.js";
import { FATE, type FateCounts } from "./count-fates.js";
import type { InvalidFate } from "./decide-events.js";
import type { StagedRows } from "./staged-rows.js";

/**
 * Refuses a batch with an event that has no place: without a sequence, or without a key.
 *
 * @param relation name of the staged events, which have their fates
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.NULL_SEQUENCE, AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY
 */
export async function checkEvents(
  { session, step, signal }: ApplyWork,
  relation: string,
  names: StagedRows["names"],
  counts: readonly FateCounts<InvalidFate>[],
): Promise<void> {
  const object = step.target.name;
  for (const [fate, code] of [
    ["no sequence", "NULL_SEQUENCE"],
    ["no key", "NULL_KEY"],
  ] as const) {
    const count = counts.reduce((sum, part) => sum + part.of(fate), 0);
    if (count === 0) continue;
    const query = `SELECT ${columnList(step.rules.columns)} FROM ${relation} WHERE ${FATE} = '${fate}' LIMIT 1`;
    const { columns, rows } = await session.collect(sqlRelation(query, names), signal);
    const example = Object.fromEntries(columns.map(({ name }, i) => [name, rows[0]?.[i] ?? null]));
    throw new IngotError(
      `AUTOCDC_MICROBATCH_VALIDATION.${code}`,
      `${object}: ${count} ${count === 1 ? "change has" : "changes have"} ${fate}, such as ${JSON.stringify(example)}`,
      {
        object,
        hint: "Nothing was written. Give the column a value in the source's query, or leave such rows out with WHERE.",
      },
    );
  }
}
