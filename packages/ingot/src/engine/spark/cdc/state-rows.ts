import { type ChangeRules, DELETED, SEQUENCE } from "../../../model/changes.js";
import { quoteString } from "../../../sql/quote.js";
import { BATCH, batchTag, PLANNED, stateTable } from "../../cdc/state-table.js";
import type { ApplyStep } from "../../engine.js";
import { projection, timestampText } from "../spark-sql.js";
import { BURIED, FATE, keyList } from "./decide-events.js";
import { DECIDED } from "./stage-events.js";

/** Condition on an applied event that changes what the state holds: the target does not tell it. */
export function mattersToState({ rises, sequenceColumn }: ChangeRules): string {
  if (rises === true) return "false";
  return sequenceColumn === undefined ? "true" : `(${DELETED} OR ${BURIED})`;
}

/** SQL of the rows that the applied events make in the state table, with its columns. @param where condition over DECIDED */
export function stateRows(step: ApplyStep, where: string): string {
  const { rules, planned } = step;
  const { schema } = stateTable(step);
  const batch = `${quoteString(batchTag(step))} AS ${BATCH}, ${timestampText(planned)} AS ${PLANNED}`;
  const rows = `SELECT ${keyList(rules)}, ${SEQUENCE}, ${DELETED}, ${batch} FROM ${DECIDED} WHERE ${FATE} IN ('upsert', 'delete') AND ${where}`;
  return `SELECT ${projection(schema, schema).join(", ")} FROM (${rows})`;
}
