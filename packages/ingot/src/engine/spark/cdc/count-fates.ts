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
 * Counts decided events, by part.
 *
 * @param relation name of the staged events
 */
export async function countFates<Fate extends string>(
  { session, step, signal }: ApplyWork,
  relation: string,
  { names }: Pick<StagedRows, "names">,
): Promise<readonly FateCounts<Fate>[]> {
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
