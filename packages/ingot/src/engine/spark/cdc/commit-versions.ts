import type { Snapshot } from "@ingot/delta";
import { DELETED, END_AT, SEQUENCE, START_AT } from "../../../model/changes.js";
import { quoteIdentifier } from "../../../model/name.js";
import type { HistoryShape } from "../../cdc/history-shape.js";
import { projection } from "../spark-sql.js";
import type { ApplyWork } from "./apply-work.js";
import { commitBatch } from "./commit-batch.js";
import { keyList, sameKey } from "./event-order.js";
import { GOES, NEXT, SHOWN, START, shownName } from "./history-versions.js";
import { mergeTable } from "./merge-table.js";
import { PLACED, type PlannedHistory } from "./planned-history.js";
import { replaceTable } from "./replace-table.js";

/**
 * Brings the versions that change into the target, with the batch, in one commit.
 *
 * @param target undefined: they are all that it holds
 * @returns the version of the target
 */
export async function commitVersions(
  work: ApplyWork,
  shape: HistoryShape,
  { names, range, changes }: Pick<PlannedHistory, "names" | "range" | "changes">,
  target: Snapshot | undefined,
): Promise<bigint> {
  const { schema } = work.step.target;
  const values = shape.values.map(
    (field) => `${quoteIdentifier(shownName(shape, field))} AS ${quoteIdentifier(field.name)}`,
  );
  const shown = `SELECT ${[keyList(shape), ...values].join(", ")}, ${START} AS ${START_AT}, ${NEXT} AS ${END_AT} FROM ${PLACED} WHERE ${SHOWN}`;
  const rows = `SELECT ${projection(schema, schema).join(", ")} FROM (${shown})`;
  if (target === undefined) return replaceTable(work, work.target, work.step.target, { text: rows, names });
  if (changes === 0) return commitBatch(work, target);
  const told = schema.filter(({ name }) => shape.keys.includes(name) || name === START_AT);
  const gone = `SELECT ${projection(schema, told).join(", ")} FROM (SELECT ${keyList(shape)}, ${SEQUENCE} AS ${START_AT} FROM ${PLACED} WHERE ${GOES})`;
  const list = schema.map(({ name }) => quoteIdentifier(name));
  const { version } = await mergeTable(work, target, work.step.target, {
    source: { text: `SELECT *, false AS ${DELETED} FROM (${rows}) UNION ALL SELECT *, true FROM (${gone})`, names },
    on: `${sameKey(shape, "t", "s")} AND t.${START_AT} = s.${START_AT}`,
    range,
    clauses: [
      `WHEN MATCHED AND s.${DELETED} THEN DELETE`,
      `WHEN MATCHED THEN UPDATE SET ${list.map((name) => `t.${name} = s.${name}`).join(", ")}`,
      `WHEN NOT MATCHED AND NOT s.${DELETED} THEN INSERT (${list.join(", ")}) VALUES (${list.map((name) => `s.${name}`).join(", ")})`,
    ],
  });
  return version;
}
