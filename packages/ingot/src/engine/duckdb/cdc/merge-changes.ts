import { type ChangeRules, DELETED } from "../../../model/changes.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { requireBalance } from "../../cdc/require-balance.js";
import { batchTag } from "../../cdc/state-table.js";
import { planTarget } from "../../tables/plan-target.js";
import { isDone } from "../../tables/table-state.js";
import { changeStep } from "../commit-step.js";
import { mergeRows } from "../delta/merge-rows.js";
import type { Applied, ApplyWork, BeforeCommit } from "./apply-work.js";
import { changedRows, collectRows } from "./changed-rows.js";
import { countFates } from "./count-fates.js";
import { decideEvents, decideNewest } from "./decide-events.js";
import { decideFolded, foldColumns } from "./fold-columns.js";
import { readKnown, type Tables } from "./known-keys.js";
import { refuseMassDelete } from "./mass-delete.js";
import { findNewest, NEWEST } from "./newest-events.js";
import { rowsByKey } from "./read-by-key.js";
import { commitState } from "./state-rows.js";
import { type Floor, findFloor, truncatedKeys } from "./truncates.js";

/** Applies a batch of one flow to what is there. */
export async function mergeChanges(work: ApplyWork, tables: Tables, beforeCommit: BeforeCommit): Promise<Applied> {
  const { connection, store, step } = work;
  const { rules } = step;
  const floor = await findFloor(connection, store, rules, tables.state, batchTag(step));
  const ties = await findNewest(connection, rules, floor?.place);
  await decide(work, tables, floor);
  const truncated = floor?.isNew === true ? await truncatedKeys(store, rules, tables) : undefined;
  await collectRows(connection, rules, truncated);
  await refuseMassDelete(connection, step, tables.target);
  await beforeCommit();
  await commitState(connection, store, step, tables.state, floor);
  const { version, rows } = await changeStep(
    store,
    tables.target,
    planTarget(step.target, "append", tables.target),
    step,
    step.parts,
    mergeRows(connection, { source: changedRows(rules), keys: rules.keys, ...clauses(rules) }),
  );
  const counts = await countFates(connection, rules, floor, ties, rows);
  requireBalance(step, [counts]);
  return { version, parts: [counts] };
}

/** Fills DECIDED by what has to be known of the keys. */
async function decide({ connection, store, step }: ApplyWork, tables: Tables, floor: Floor | undefined): Promise<void> {
  const { rules, parts } = step;
  if (rules.rises === true) return decideNewest(connection, rules);
  if (rules.ignoreNulls.length === 0) {
    await readKnown(connection, store, rules, tables, batchTag(step), floor?.place);
    await decideEvents(connection, store, rules, tables.target);
    return;
  }
  await foldColumns(connection, rules, await rowsByKey(connection, store, tables.state, rules.keys, NEWEST));
  await decideFolded(
    connection,
    rules,
    parts.every((part) => isDone(part, tables.state)),
  );
}

function clauses({ columns }: ChangeRules) {
  const values = Object.fromEntries(columns.map(({ name }) => [name, `s.${quoteName(name)}`]));
  return {
    matched: [
      { kind: "delete", condition: `s.${DELETED}` },
      { kind: "update", set: values },
    ],
    notMatched: [{ values, condition: `NOT s.${DELETED}` }],
  } as const;
}
