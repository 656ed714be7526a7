import type { Snapshot } from "@ingot/delta";
import { isDone, snapshotOf } from "../../tables/table-state.js";
import { commitFigures } from "../commit-figures.js";
import { sqlRelation } from "../connect/relations.js";
import { defineTable } from "../define-table.js";
import type { SparkText } from "../text-context.js";
import type { ApplyWork } from "./apply-work.js";

/**
 * Puts rows in the place of those for which a condition is true, in one commit with the batch of a step of one part, behind
 * one that makes the table what it is declared to be.
 *
 * @throws IngotError DELTA_REPLACE_WHERE_MISMATCH where the condition is not true for a row that comes
 */
export async function replaceWhere(
  { session, store, step, signal }: ApplyWork,
  snapshot: Snapshot,
  condition: string,
  { text, names }: SparkText,
): Promise<{ readonly version: bigint; readonly deleted: number }> {
  const { target, note } = step;
  const [part] = step.parts;
  if (part === undefined) throw new Error("unreachable: a step has a part");
  await defineTable(store, target, snapshot, note);
  await session.write(
    {
      input: sqlRelation(text, names),
      format: "delta",
      into: { path: target.location },
      mode: "overwrite",
      options: {
        replaceWhere: condition,
        txnAppId: part.transaction.appId,
        txnVersion: String(part.transaction.version),
        userMetadata: note,
      },
    },
    signal,
  );
  const after = await snapshotOf(store, target.location);
  if (after === undefined || !isDone(part, after))
    throw new Error(`${target.location}: Spark's commit is not in the log`);
  return { version: after.version, deleted: commitFigures(after)("numDeletedRows") };
}
