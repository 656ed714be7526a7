import type { Snapshot } from "@ingot/delta";
import { DELETED, SEQUENCE, TRUNCATES } from "../../../model/changes.js";
import { quoteIdentifier } from "../../../model/name.js";
import { quoteString } from "../../../sql/quote.js";
import { BATCH, batchTag } from "../../cdc/state-table.js";
import { sqlRelation } from "../connect/relations.js";
import { tableText } from "../spark-sql.js";
import type { ApplyWork, Tables } from "./apply-work.js";
import { keyList } from "./event-order.js";
import { EVENTS } from "./events-text.js";

/** The greatest truncate, of the batch or of one before: what is below it is gone. */
export interface Floor {
  /** SQL of its sequence, over EVENTS. */
  readonly sequence: string;
  /** The batch brings it. */
  readonly isNew: boolean;
}

/**
 * @param state undefined where the table starts again
 * @returns undefined where there was no truncate
 */
export async function findFloor(
  { session, step, signal, events: { names } }: ApplyWork,
  state: Snapshot | undefined,
): Promise<Floor | undefined> {
  const { rules } = step;
  // A truncate of this very batch, from a run that died, is new still.
  const known =
    state === undefined
      ? ""
      : ` UNION ALL SELECT ${SEQUENCE}, ${BATCH} = ${quoteString(batchTag(step))} FROM ${tableText(state.table)} WHERE ${firstKey(rules)} IS NULL`;
  const truncates = `SELECT ${SEQUENCE}, true AS is_new FROM ${EVENTS} WHERE ${TRUNCATES}${known}`;
  const greatest = (where: string) => `max(CASE WHEN ${where} THEN ${SEQUENCE} END)`;
  const [mine, before] = [greatest("is_new"), greatest("NOT is_new")];
  const query = `SELECT ${mine} IS NOT NULL AND (${before} IS NULL OR ${mine} > ${before}), count(*) FROM (${truncates})`;
  const { rows } = await session.collect(sqlRelation(query, names), signal);
  if (Number(rows[0]?.[1]) === 0) return undefined;
  return { sequence: `(SELECT max(${SEQUENCE}) FROM (${truncates}))`, isNew: rows[0]?.[0] === true };
}

/** SQL of the keys of the target's rows that a new truncate takes away. */
export function truncatedKeys({ step: { rules } }: ApplyWork, { target, state }: Tables, { sequence }: Floor): string {
  const below = rules.ties === "delete" ? "<=" : "<";
  if (rules.sequenceColumn !== undefined)
    return `SELECT ${keyList(rules)} FROM ${tableText(target.table)} WHERE ${quoteIdentifier(rules.sequenceColumn)} ${below} ${sequence}`;
  return `SELECT ${keyList(rules)} FROM ${tableText(state.table)}
    WHERE ${firstKey(rules)} IS NOT NULL AND NOT ${DELETED} AND ${SEQUENCE} ${below} ${sequence}`;
}

function firstKey({ keys: [key = ""] }: ApplyWork["step"]["rules"]): string {
  return quoteIdentifier(key);
}
