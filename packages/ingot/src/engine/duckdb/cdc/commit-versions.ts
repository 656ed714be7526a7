import type { Snapshot } from "@ingot/delta";
import { END_AT, START_AT } from "../../../model/changes.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import type { HistoryShape } from "../../cdc/history-shape.js";
import { planTarget } from "../../tables/plan-target.js";
import { changeStep } from "../commit-step.js";
import { mergeRows } from "../delta/merge-rows.js";
import type { ApplyWork } from "./apply-work.js";
import { placeOf } from "./event-order.js";
import { ACTION } from "./history-versions.js";
import { DIFFERENCE } from "./plan-history.js";
import { replaceTable } from "./replace-table.js";

/**
 * Brings the rows of DIFFERENCE into the target, with the batch, in one commit.
 *
 * @param target undefined: they are all that it holds
 * @returns the version of the target
 */
export async function commitVersions(
  { connection, store, step, target: existing }: ApplyWork,
  { keys, values, sequenceType }: HistoryShape,
  target: Snapshot | undefined,
): Promise<bigint> {
  if (target === undefined) {
    const rows = { query: `FROM ${DIFFERENCE}`, columns: step.target.schema };
    return (await replaceTable(connection, store, existing, step.target, step, rows)).version;
  }
  const names = [...keys, ...values.map(({ name }) => name), START_AT, END_AT];
  const set = Object.fromEntries(names.map((name) => [name, `s.${quoteName(name)}`]));
  const merge = mergeRows(connection, {
    source: { table: DIFFERENCE },
    keys,
    on: `${placeOf(`t.${START_AT}`, { sequenceType })} = ${placeOf(`s.${START_AT}`, { sequenceType })}`,
    matched: [
      { kind: "delete", condition: `s.${ACTION} = 'delete'` },
      { kind: "update", set },
    ],
    notMatched: [{ values: set }],
  });
  const plan = planTarget(step.target, "append", target);
  return (await changeStep(store, target, plan, step, step.parts, merge)).version;
}
