import { quoteString } from "../../../sql/quote.js";
import { sqlRelation } from "../connect/relations.js";
import type { ApplyWork } from "./apply-work.js";
import { PART } from "./events-text.js";
import type { StagedRows } from "./staged-rows.js";

/** STRING column of decided events: what becomes of an event; NULL where it is none of the batch. */
export const FATE = "__ingot_fate";
/** BOOLEAN column of decided events: it has the key and the sequence of the event that counts, and is another. */
export const TIED = "__ingot_tied";

/** What became of the events of a part: how many have each fate, and how many lost by the tie rule alone. */
export interface FateCounts<Fate extends string> {
  readonly read: number;
  readonly ties: number;
  of(fate: Fate): number;
}

/**
 * Aggregates by which the events of a step of one part are counted while they are staged; none of a step of several, which
 * starts a table anew: so many would cost each event more than a job costs.
 */
export function fateMetrics({ parts }: ApplyWork["step"], fates: readonly string[]): readonly string[] {
  if (parts.length > 1) return [];
  const each = fates.map((fate, i) => `count(CASE WHEN ${FATE} = ${quoteString(fate)} THEN 1 END) AS fate${i}`);
  return [`count(${FATE}) AS fates`, `count(CASE WHEN ${FATE} IS NOT NULL AND ${TIED} THEN 1 END) AS ties`, ...each];
}

/**
 * Counts decided events, by part.
 *
 * @param relation name of the staged events
 * @param fates that there are, as of `fateMetrics`
 */
export async function countFates<Fate extends string>(
  { session, step, signal }: ApplyWork,
  relation: string,
  { names, told }: Pick<StagedRows, "names" | "told">,
  fates: readonly Fate[],
): Promise<readonly FateCounts<Fate>[]> {
  const { fates: read, ties } = told;
  if (read !== undefined)
    return [{ read: Number(read), ties: Number(ties), of: (fate) => Number(told[`fate${fates.indexOf(fate)}`] ?? 0) }];
  const query = `SELECT ${PART}, ${FATE}, count(*), count_if(${TIED}) FROM ${relation} WHERE ${FATE} IS NOT NULL GROUP BY ${PART}, ${FATE}`;
  const { rows } = await session.collect(sqlRelation(query, names), signal);
  return step.parts.map((_, part) => {
    const own = rows.filter(([of]) => Number(of) === part);
    return {
      read: own.reduce((sum, [, , events]) => sum + Number(events), 0),
      ties: own.reduce((sum, [, , , tied]) => sum + Number(tied), 0),
      of: (fate) => Number(own.find(([, is]) => is === fate)?.[2] ?? 0),
    };
  });
}
