import { type ChangeRules, DELETED, SEQUENCE } from "../../../model/changes.js";
import { quoteString } from "../../../sql/quote.js";
import { foldedFields } from "../../cdc/folded-fields.js";
import { BATCH, batchTag, PLANNED, stateTable } from "../../cdc/state-table.js";
import type { ApplyStep } from "../../engine.js";
import { columnList, projection, timestampText } from "../spark-sql.js";
import { FATE } from "./count-fates.js";
import { BURIED, DECIDED } from "./decide-events.js";
import { keyList } from "./event-order.js";
import type { Floor } from "./truncates.js";

/** Condition on an applied event that changes what the state holds: the target does not tell it. */
function mattersToState({ rises, sequenceColumn }: ChangeRules): string {
  if (rises === true) return "false";
  return sequenceColumn === undefined ? "true" : `(${DELETED} OR ${BURIED})`;
}

/** SQL of the rows that the applied events make in the state table, with its columns. */
export function stateRows(step: ApplyStep, floor: Floor | undefined): string {
  const { rules } = step;
  const { schema } = stateTable(step);
  const own = [SEQUENCE, DELETED, brought(step)].join(", ");
  const folded = foldedFields(rules);
  const values = folded.length === 0 ? "" : `, ${columnList(folded)}`;
  const rows = `SELECT ${keyList(rules)}, ${own}${values} FROM ${DECIDED} WHERE ${FATE} IN ('upsert', 'delete') AND ${mattersToState(rules)}`;
  const items = projection(schema, schema).join(", ");
  return `SELECT ${items} FROM (${rows})${floor?.isNew === true ? ` UNION ALL ${truncateRow(step, floor)}` : ""}`;
}

/** A row without a key stands for a truncate. */
function truncateRow(step: ApplyStep, { sequence }: Floor): string {
  const { schema } = stateTable(step);
  const told = schema.filter(({ name }) => [SEQUENCE, DELETED, BATCH, PLANNED].includes(name));
  return `SELECT ${projection(schema, told).join(", ")} FROM (SELECT ${sequence} AS ${SEQUENCE}, true AS ${DELETED}, ${brought(step)})`;
}

/** SQL of the columns that say which batch brought a row. */
export function brought(step: Pick<ApplyStep, "parts" | "planned">): string {
  return `${quoteString(batchTag(step))} AS ${BATCH}, ${timestampText(step.planned)} AS ${PLANNED}`;
}
