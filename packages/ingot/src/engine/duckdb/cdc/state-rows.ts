import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot, Store } from "@ingot/delta";
import { DELETED, SEQUENCE } from "../../../model/changes.js";
import { duckdbType, quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { foldedFields } from "../../cdc/folded-fields.js";
import { BATCH, batchTag, PLANNED, stateTable } from "../../cdc/state-table.js";
import type { ApplyStep } from "../../engine.js";
import { planTarget } from "../../tables/plan-target.js";
import { changeStep } from "../commit-step.js";
import { mergeRows } from "../delta/merge-rows.js";
import { DECIDED } from "./decide-events.js";
import { keyList } from "./event-order.js";
import { FOLDED } from "./fold-columns.js";
import { type Floor, newTruncate } from "./truncates.js";

/** What the batch changes in the state: nothing where the target tells all of it. */
export async function commitState(
  connection: DuckDBConnection,
  store: Store,
  step: ApplyStep,
  state: Snapshot,
  floor: Floor | undefined,
): Promise<void> {
  const { rules } = step;
  if (rules.rises === true) return;
  // Where the target holds the sequences, only what was or becomes a tombstone matters.
  const matters = rules.sequenceColumn === undefined ? "true" : `${DELETED} OR __ingot_was_deleted`;
  const query = stateRows(step, matters, floor);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${STATE_ROWS} AS ${query}`);
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${STATE_ROWS}`);
  if (Number(counted.getRows()[0]?.[0]) > 0) {
    const target = stateTable(step);
    const merge = {
      source: { table: STATE_ROWS },
      keys: rules.keys,
      matched:
        rules.sequenceColumn === undefined
          ? [{ kind: "update", set: "*" } as const]
          : [{ kind: "delete", condition: `NOT s.${DELETED}` } as const, { kind: "update", set: "*" } as const],
      notMatched: [
        { values: "*", ...(rules.sequenceColumn === undefined ? {} : { condition: `s.${DELETED}` }) } as const,
      ],
    };
    const plan = planTarget(target, "append", state);
    await changeStep(store, state, plan, { target, note: step.note }, step.parts, mergeRows(connection, merge));
  }
  await connection.run(`DROP TABLE ${STATE_ROWS}`);
}

const STATE_ROWS = "ingot_state_rows";

/**
 * SQL of the rows that the applied events make in the state table.
 *
 * @param where condition over DECIDED
 */
export function stateRows(step: ApplyStep, where: string, floor: Floor | undefined): string {
  const { rules } = step;
  const batch = `${quoteText(batchTag(step))} AS ${BATCH}, ${quoteText(step.planned)}::TIMESTAMPTZ AS ${PLANNED}`;
  const folded = foldedFields(rules).map(({ name }) => `f.${quoteName(name)}`);
  const from = folded.length === 0 ? DECIDED : `${DECIDED} JOIN ${FOLDED} f USING (${keyList(rules)})`;
  const columns = [keyList(rules), `${DECIDED}.${SEQUENCE}`, `${DECIDED}.${DELETED}`, batch, ...folded];
  const rows = `SELECT ${columns.join(", ")} FROM ${from} WHERE __ingot_fate IN ('upsert', 'delete') AND (${where})`;
  if (floor?.isNew !== true) return rows;
  const keys = rules.columns
    .filter(({ name }) => rules.keys.includes(name))
    .map(({ name, type }) => `NULL::${duckdbType(type)} AS ${quoteName(name)}`);
  return `${rows} UNION ALL BY NAME SELECT ${keys.join(", ")}, ${SEQUENCE}, true AS ${DELETED}, ${batch} FROM (${newTruncate()})`;
}
