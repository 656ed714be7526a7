import { type ChangeRules, DELETED, keptColumns } from "../../../model/changes.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { requireBalance } from "../../cdc/require-balance.js";
import { batchTag } from "../../cdc/state-table.js";
import type { ApplyStep } from "../../engine.js";
import { planTarget } from "../../tables/plan-target.js";
import { isDone } from "../../tables/table-state.js";
import { changeStep } from "../commit-step.js";
import type { RowPlaces } from "../delta/find-places.js";
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
  const found = await decide(work, tables, floor);
  const truncated = floor?.isNew === true ? await truncatedKeys(store, rules, tables) : undefined;
  await collectRows(connection, rules, truncated);
  // A truncate takes rows away that no event is of.
  const places = truncated === undefined ? found : undefined;
  await refuseMassDelete(connection, step, tables.target);
  await beforeCommit();
  await commitState(connection, store, step, tables.state, floor);
  const { version, rows } = await changeStep(
    store,
    tables.target,
    planTarget(step.target, "append", tables.target),
    step,
    step.parts,
    mergeRows(connection, {
      source: changedRows(rules),
      keys: rules.keys,
      ...(places === undefined ? {} : { places }),
      ...clauses(rules),
    }),
  );
  const { counts, surplus } = await countFates(connection, rules, floor, ties, rows);
  requireBalance(step, [counts]);
  return { version, parts: [counts], ...sharedKeys(step, surplus) };
}

function sharedKeys({ target }: ApplyStep, surplus: number): Pick<Applied, "notice"> {
  if (surplus === 0) return {};
  const rows = surplus === 1 ? "1 row shares its key" : `${surplus} rows share their keys`;
  return { notice: `${target.name}: ${rows} with another, which another writer has put there: each got the change.` };
}

/** Fills DECIDED by what has to be known of the keys. @returns the target's rows of these keys, where it found them */
async function decide(
  { connection, store, step }: ApplyWork,
  tables: Tables,
  floor: Floor | undefined,
): Promise<RowPlaces | undefined> {
  const { rules, parts } = step;
  if (rules.rises === true) {
    await decideNewest(connection, rules);
    return undefined;
  }
  if (keptColumns(rules).length === 0) {
    const places = await readKnown(connection, store, rules, tables, batchTag(step), floor?.place);
    await decideEvents(connection, store, rules, tables.target);
    return places;
  }
  await foldColumns(connection, rules, await rowsByKey(connection, store, tables.state, rules.keys, NEWEST));
  await decideFolded(
    connection,
    rules,
    parts.every((part) => isDone(part, tables.state)),
  );
  return undefined;
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
