import type { Snapshot } from "@ingot/delta";
import { DELETED, END_AT, SEQUENCE } from "../../../model/changes.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { historyShape } from "../../cdc/history-shape.js";
import { refuseSmallSnapshot } from "../../cdc/refuse-snapshot.js";
import { requireBalance } from "../../cdc/require-balance.js";
import { withVersion } from "../../cdc/snapshot-version.js";
import { type ApplyStep, NO_EVENTS } from "../../engine.js";
import { planTarget } from "../../tables/plan-target.js";
import { changeStep } from "../commit-step.js";
import { type Merge, mergeRows } from "../delta/merge-rows.js";
import { scan } from "../relations.js";
import type { Applied, ApplyWork, BeforeCommit } from "./apply-work.js";
import { checkSnapshot } from "./check-snapshot.js";
import { commitVersions } from "./commit-versions.js";
import { keyList, sameKey } from "./event-order.js";
import { copySide, copyVersions, SIDE, VERSIONS } from "./known-history.js";
import { countLive } from "./mass-delete.js";
import { planHistory } from "./plan-history.js";
import { replaceTable } from "./replace-table.js";
import { snapshotVersion } from "./snapshot-version.js";
import { EVENTS, PART } from "./stage-events.js";

/**
 * Brings a table to a snapshot, whose rows were staged as events: rows that are new come, rows that changed are updated,
 * or get a version in a table of type 2, rows that it lacks go. One that is not newer than the last changes nothing. The
 * target's commit holds the version too, so a snapshot needs no state table.
 *
 * @throws IngotError EMPTY_SNAPSHOT, SMALL_SNAPSHOT, APPLY_CHANGES_FROM_SNAPSHOT_ERROR.…, BALANCE
 */
export async function applySnapshot(work: ApplyWork, beforeCommit: BeforeCommit): Promise<Applied> {
  const { connection, step } = work;
  const rows = await checkSnapshot(connection, step);
  const target = step.mode === "reset" ? undefined : work.target;
  const { version, newer } = await snapshotVersion(connection, step.rules, target);
  const found = { ...work, step: withVersion(step, newer ?? version) };
  if (newer !== undefined && target !== undefined) {
    const notice = `The snapshot of version ${version} is skipped: ${step.target.name} has version ${newer}.`;
    return { ...(await skip(found, target, rows, beforeCommit)), notice };
  }
  const { store, target: present } = work;
  if (present !== undefined)
    await refuseSmallSnapshot(step, rows, () => countLive(connection, store, step.rules, present));
  const apply = step.rules.storedAs === "scd2" ? applyVersions : applyRows;
  return apply(found, target, rows, beforeCommit);
}

/** Notes the batch alone. */
async function skip(
  { connection, store, step }: ApplyWork,
  target: Snapshot,
  rows: number,
  beforeCommit: BeforeCommit,
): Promise<Applied> {
  await beforeCommit();
  const nothing = mergeRows(connection, { source: { query: `FROM ${EVENTS} WHERE false` }, keys: step.rules.keys });
  const plan = planTarget(step.target, "append", target);
  const { version } = await changeStep(store, target, plan, step, step.parts, nothing);
  return { version, parts: [{ ...NO_EVENTS, read: rows, late: rows }] };
}

/** Type 1: the table is the snapshot. */
async function applyRows(
  { connection, store, step, target: existing }: ApplyWork,
  target: Snapshot | undefined,
  rows: number,
  beforeCommit: BeforeCommit,
): Promise<Applied> {
  const { rules } = step;
  await beforeCommit();
  if (target === undefined) {
    const all = { query: `FROM ${EVENTS}`, columns: rules.columns };
    const { version } = await replaceTable(connection, store, existing, step.target, step, all);
    return { version, parts: [{ ...NO_EVENTS, read: rows, inserted: rows }] };
  }
  const merge = mergeRows(connection, { source: { table: EVENTS }, keys: rules.keys, ...clauses(step) });
  const plan = planTarget(step.target, "append", target);
  const { version, rows: done } = await changeStep(store, target, plan, step, step.parts, merge);
  const { inserted, updated, deleted } = done;
  const unchanged = rows - inserted - updated;
  const counts = { ...NO_EVENTS, read: rows + deleted, inserted, updated, deleted, unchanged };
  requireBalance(step, [counts]);
  return { version, parts: [counts] };
}

function clauses({
  rules: { columns, keys },
}: ApplyStep): Pick<Merge, "matched" | "notMatched" | "notMatchedBySource"> {
  const set = Object.fromEntries(columns.map(({ name }) => [name, `s.${quoteName(name)}`]));
  const differs = columns
    .filter(({ name }) => !keys.includes(name))
    .map(({ name }) => `t.${quoteName(name)} IS DISTINCT FROM s.${quoteName(name)}`);
  return {
    matched: differs.length === 0 ? [] : [{ kind: "update", set, condition: differs.join(" OR ") }],
    notMatched: [{ values: set }],
    notMatchedBySource: [{ kind: "delete" }],
  };
}

/** Type 2: the rows are events of this version, and so are the keys that are not there any more. */
async function applyVersions(
  work: ApplyWork,
  target: Snapshot | undefined,
  rows: number,
  beforeCommit: BeforeCommit,
): Promise<Applied> {
  const { connection, store, step } = work;
  const shape = historyShape(step.rules, step.target.schema);
  // No later version is there, so those that have ended stay as they are.
  const open = async (table: Snapshot) => `SELECT * FROM (${await scan(store, table)}) WHERE ${END_AT} IS NULL`;
  await copyVersions(connection, shape, target && { table: target, rows: await open(target) });
  await copySide(connection, shape, undefined);
  await connection.run(`INSERT INTO ${EVENTS} BY NAME
    SELECT ${keyList(step.rules)}, (SELECT any_value(${SEQUENCE}) FROM ${EVENTS}) AS ${SEQUENCE}, true AS ${DELETED}, 0 AS ${PART}
    FROM ${VERSIONS} v WHERE NOT EXISTS (SELECT 1 FROM ${EVENTS} e WHERE ${sameKey(step.rules, "e", "v")})`);
  const { counts } = await planHistory(connection, shape, { versions: VERSIONS, side: SIDE, batch: EVENTS });
  await connection.run(`DROP TABLE ${VERSIONS}; DROP TABLE ${SIDE}`);
  const part = { ...NO_EVENTS, ...counts.get(0) };
  const all = { ...part, read: rows + part.deleted };
  requireBalance(step, [all]);
  await beforeCommit();
  return { version: await commitVersions(work, shape, target), parts: [all] };
}
