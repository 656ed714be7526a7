import { type ChangedRows, type RowSelection, readChangeFeed } from "../changes/change-feed.js";
import { DeltaError } from "../error.js";
import { formatMicros } from "../files/date-time.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { type FileRow, readFile } from "./read-file.js";
import { type FurtherColumn, planRead } from "./read-plan.js";
import type { Value } from "./value.js";

export type ChangeType = "insert" | "delete" | "update_preimage" | "update_postimage";

/** A row of the table's columns, and what became of it. */
export interface ChangedRow {
  readonly [column: string]: Value;
  readonly _change_type: ChangeType;
  /** bigint. */
  readonly _commit_version: bigint;
  /** `"2024-05-01T10:00:00.123000Z"`. */
  readonly _commit_timestamp: string;
}

const CHANGE_TYPE: FurtherColumn = { as: "_change_type", name: "_change_type", type: { kind: "string" } };

/**
 * The rows that changed from a version on, up to and with the snapshot's, oldest version first; within a version they
 * have no order. Applied to the table before, by version, they give the table at the snapshot. An update is two rows,
 * the image before and the image after, or a delete and an insert where its version has no change files. See
 * `readChangeFeed` for what is refused.
 *
 * @throws DeltaError what `readChangeFeed` and `readRows` throw
 */
export async function* readChangeRows(
  store: Store,
  snapshot: Snapshot,
  fromVersion: bigint,
  options: { readonly columns?: readonly string[] } = {},
): AsyncGenerator<ChangedRow> {
  for await (const { version, timestamp, changes } of readChangeFeed(store, snapshot, fromVersion)) {
    const at = { _commit_version: version, _commit_timestamp: `${formatMicros(BigInt(timestamp) * 1000n)}Z` };
    for (const change of changes) {
      const plan = planRead(snapshot, options.columns, change.changeType === undefined ? [CHANGE_TYPE] : []);
      const isSelected = selection(change.rows);
      for await (const rows of readFile(store, change, plan))
        for (const row of rows)
          if (isSelected(row.position)) yield { ...row.row, _change_type: changeTypeOf(snapshot, change, row), ...at };
    }
  }
}

function changeTypeOf({ table }: Snapshot, { path, changeType }: ChangedRows, { further }: FileRow): ChangeType {
  const type = changeType ?? further["_change_type"];
  if (type === "insert" || type === "delete" || type === "update_preimage" || type === "update_postimage") return type;
  throw new DeltaError("DELTA_TABLE_UNREADABLE", `${path} of ${table} has a row of the unknown change ${type}.`, {
    table,
    path,
    hint: "Restore the file from a backup, or begin after its version.",
  });
}

/** Positions come in ascending order. */
function selection(rows: RowSelection | undefined): (position: number) => boolean {
  if (rows === undefined) return () => true;
  const isOnly = "only" in rows;
  const named = isOnly ? rows.only : rows.except;
  let next = 0;
  return (position) => {
    const isNamed = named[next] === position;
    if (isNamed) next += 1;
    return isNamed === isOnly;
  };
}
