import type { Snapshot } from "@ingot/delta";
import { DELETED, END_AT, SEQUENCE } from "../../../model/changes.js";
import { quoteIdentifier } from "../../../model/name.js";
import { historyShape } from "../../cdc/history-shape.js";
import { refuseSmallSnapshot } from "../../cdc/refuse-snapshot.js";
import { requireBalance } from "../../cdc/require-balance.js";
import { withVersion } from "../../cdc/snapshot-version.js";
import { NO_EVENTS } from "../../engine.js";
import { columnList, projection } from "../spark-sql.js";
import type { SparkText } from "../text-context.js";
import type { Applied, ApplyWork, BeforeCommit } from "./apply-work.js";
import { checkSnapshot } from "./check-snapshot.js";
import { commitBatch } from "./commit-batch.js";
import { commitVersions } from "./commit-versions.js";
import { countLive } from "./count-live.js";
import { distinctValue, keyList, sameKey } from "./event-order.js";
import { EVENTS, eventFields, PART } from "./events-text.js";
import { sideRows, versionRows } from "./known-history.js";
import { knownRows } from "./known-rows.js";
import { mergeTable } from "./merge-table.js";
import { historyCounts, withHistory } from "./planned-history.js";
import { replaceTable } from "./replace-table.js";
import { snapshotVersion } from "./snapshot-version.js";

/** A snapshot whose rows were staged. */
interface SnapshotWork extends ApplyWork {
  /** Its rows, as events of its version. */
  readonly snapshot: SparkText;
  readonly rows: number;
  /** The target that is there and stays. */
  readonly present: Snapshot | undefined;
}

/**
 * Brings a table to a snapshot: rows that are new come, rows that changed are updated, or get a version in a table of type
 * 2, rows that it lacks go. One that is not newer than the last changes nothing. The target's commit holds the version too,
 * so a snapshot needs no state table.
 *
 * @throws IngotError EMPTY_SNAPSHOT, SMALL_SNAPSHOT, APPLY_CHANGES_FROM_SNAPSHOT_ERROR.…, BALANCE
 */
export async function applySnapshot(work: ApplyWork, beforeCommit: BeforeCommit): Promise<Applied> {
  const { step, events } = work;
  const { rules } = step;
  const present = step.mode === "reset" ? undefined : work.target;
  const rows = await checkSnapshot(work, events);
  const { version, newer } = await snapshotVersion(work, events, present);
  const sequence = rules.snapshot?.versioned === true ? SEQUENCE : `${version}L`;
  const text = `SELECT ${columnList(rules.columns)}, ${sequence} AS ${SEQUENCE}, ${DELETED}, ${PART} FROM ${EVENTS}`;
  const snapshot = { text, names: events.names };
  const found = { ...work, step: withVersion(step, newer ?? version), snapshot, rows, present };
  if (newer !== undefined && present !== undefined) {
    await beforeCommit([rows]);
    const notice = `The snapshot of version ${version} is skipped: ${step.target.name} has version ${newer}.`;
    return {
      version: await commitBatch(found, present),
      parts: [{ ...NO_EVENTS, read: rows, late: rows }],
      notice,
    };
  }
  const { target } = work;
  if (target !== undefined) await refuseSmallSnapshot(step, rows, () => countLive(work, target));
  return (rules.storedAs === "scd2" ? applyVersions : applyRows)(found, beforeCommit);
}

/** Type 1: the table is the snapshot. */
async function applyRows(work: SnapshotWork, beforeCommit: BeforeCommit): Promise<Applied> {
  const { step, snapshot, rows, present } = work;
  const { rules } = step;
  await beforeCommit([rows]);
  const given = projection(step.target.schema, rules.columns).join(", ");
  if (present === undefined) {
    const all = { text: `SELECT ${given} FROM (${snapshot.text})`, names: snapshot.names };
    const version = await replaceTable(work, work.target, step.target, all);
    return { version, parts: [{ ...NO_EVENTS, read: rows, inserted: rows }] };
  }
  const columns = rules.columns.map(({ name }) => quoteIdentifier(name));
  const differs = rules.columns
    .filter(({ name }) => !rules.keys.includes(name))
    .map((field) => `${distinctValue(field, "t")} IS DISTINCT FROM ${distinctValue(field, "s")}`);
  const set = columns.map((name) => `t.${name} = s.${name}`).join(", ");
  const { version, rows: done } = await mergeTable(work, present, step.target, {
    source: { text: `SELECT ${columns.join(", ")} FROM (${snapshot.text})`, names: snapshot.names },
    on: sameKey(rules, "t", "s"),
    clauses: [
      ...(differs.length === 0 ? [] : [`WHEN MATCHED AND (${differs.join(" OR ")}) THEN UPDATE SET ${set}`]),
      `WHEN NOT MATCHED THEN INSERT (${columns.join(", ")}) VALUES (${columns.map((name) => `s.${name}`).join(", ")})`,
      "WHEN NOT MATCHED BY SOURCE THEN DELETE",
    ],
  });
  const unchanged = rows - done.inserted - done.updated;
  const counts = { ...NO_EVENTS, read: rows + done.deleted, ...done, unchanged };
  requireBalance(step, [counts]);
  return { version, parts: [counts] };
}

/** Type 2: the rows are events of this version, and so are the keys that are not there any more. */
async function applyVersions(work: SnapshotWork, beforeCommit: BeforeCommit): Promise<Applied> {
  const { step, snapshot, rows, present } = work;
  const { rules } = step;
  const shape = historyShape(rules, step.target.schema);
  // No later version is there, so those that have ended stay as they are.
  const known = knownRows(work);
  const versions = versionRows(shape, present, known, `WHERE ${END_AT} IS NULL`);
  const fields = eventFields(rules).filter(({ name }) => ![SEQUENCE, DELETED, PART].includes(name));
  const keys = fields.filter(({ name }) => rules.keys.includes(name));
  const missing = `SELECT v.* FROM (SELECT ${keyList(rules)} FROM (${versions})) AS v LEFT ANTI JOIN ${EVENTS} AS w ON ${sameKey(rules, "v", "w")}`;
  const sequence = `(SELECT any_value(${SEQUENCE}) FROM (${snapshot.text}))`;
  const gone = `SELECT ${projection(fields, keys).join(", ")}, ${sequence}, true, 0 FROM (${missing})`;
  const events = { text: `${snapshot.text} UNION ALL ${gone}`, names: known.names };
  return withHistory(work, shape, { versions, side: sideRows(shape, undefined, known) }, events, async (planned) => {
    const parts = historyCounts(planned);
    requireBalance(step, parts);
    await beforeCommit([rows]);
    return { version: await commitVersions(work, shape, planned, present), parts };
  });
}
