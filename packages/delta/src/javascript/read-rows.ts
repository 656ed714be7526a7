import { DeltaError } from "../error.js";
import { readDeletionVectors, unreadableVector } from "../files/deletion-vector.js";
import type { Rows } from "../files/roaring-bitmap.js";
import type { AddFile } from "../log/actions.js";
import { isOn } from "../log/configuration.js";
import { rowTrackingColumns } from "../schema/row-tracking-columns.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { type FileRow, readFile } from "./read-file.js";
import { type FurtherColumn, planRead, type ReadPlan } from "./read-plan.js";
import type { Row, Value } from "./value.js";

export interface ReadRowsOptions {
  /** In this order; default: all. */
  readonly columns?: readonly string[];
  /** Files of the snapshot; default: all. */
  readonly files?: readonly AddFile[];
  /** Which rows are given; it sees the columns that are read. */
  readonly where?: (row: Row) => boolean;
  /**
   * Every row gets `_metadata` with `row_id` and `row_commit_version`, both bigint: a stable id, and the version that
   * wrote the row last. Only where `delta.enableRowTracking` is on.
   */
  readonly rowIds?: boolean;
}

/**
 * The rows of a table at the snapshot's version, exact for every type: see `Value`. Holds one row group of one file in
 * memory. Rows come in the order of files, then of rows in them.
 *
 * @throws DeltaError DELTA_TABLE_UNREADABLE, DELTA_COLUMN_NOT_FOUND_IN_SCHEMA, DELTA_OPERATION_NOT_ALLOWED for ids where
 * rows have none
 */
export async function* readRows(store: Store, snapshot: Snapshot, options: ReadRowsOptions = {}): AsyncGenerator<Row> {
  const { columns, files = snapshot.files, where, rowIds = false } = options;
  if (rowIds) assertRowTracking(snapshot);
  const plan = planRead(snapshot, columns, rowIds ? rowTrackingOf(snapshot) : []);
  for (const file of files) {
    const [deleted] = await readDeletionVectors(store, snapshot, [file]);
    for await (const row of readLiveRows(store, { file, deleted }, plan)) {
      if (where !== undefined && !where(row.row)) continue;
      yield rowIds ? { ...row.row, _metadata: rowMetadata(file, row) } : row.row;
    }
  }
}

/**
 * The rows of a file that its deletion vector leaves.
 *
 * @throws DeltaError DELTA_TABLE_UNREADABLE for a vector that names rows which the file does not have, and what
 * `readFile` throws
 */
export async function* readLiveRows(
  store: Store,
  { file, deleted }: { readonly file: AddFile; readonly deleted: Rows | undefined },
  plan: ReadPlan,
): AsyncGenerator<FileRow> {
  let next = 0;
  for await (const rows of readFile(store, file, plan))
    for (const row of rows) {
      if (deleted?.[next] === row.position) next += 1;
      else yield row;
    }
  const beyond = deleted?.[next];
  if (beyond !== undefined)
    throw unreadableVector(plan, file.path, undefined, new Error(`the file has no row ${beyond}`));
}

/** Where a row's id and its version stand when it came from another file. */
export function rowTrackingOf({ metadata }: Pick<Snapshot, "metadata">): FurtherColumn[] {
  const columns = rowTrackingColumns(metadata.configuration);
  if (columns === undefined) return [];
  return [
    { as: "row_id", name: columns.rowId, type: { kind: "long" } },
    { as: "row_commit_version", name: columns.rowCommitVersion, type: { kind: "long" } },
  ];
}

export interface RowMetadata {
  readonly row_id: bigint | null;
  readonly row_commit_version: bigint | null;
  readonly [field: string]: Value;
}

/** The row's own values, else those that follow from its place in the file. */
export function rowMetadata(
  { baseRowId, defaultRowCommitVersion }: Pick<AddFile, "baseRowId" | "defaultRowCommitVersion">,
  { position, further }: FileRow,
): RowMetadata {
  const byPlace = baseRowId === undefined ? null : baseRowId + BigInt(position);
  return {
    row_id: (further["row_id"] as bigint | null | undefined) ?? byPlace,
    row_commit_version: (further["row_commit_version"] as bigint | null | undefined) ?? defaultRowCommitVersion ?? null,
  };
}

function assertRowTracking({ table, version, metadata, schema }: Snapshot): void {
  if (!isOn(metadata.configuration, "delta.enableRowTracking"))
    throw new DeltaError("DELTA_OPERATION_NOT_ALLOWED", `The rows of ${table} have no stable ids.`, {
      table,
      version,
      hint: "Set the property delta.enableRowTracking to true; rows have ids from then on.",
    });
  if (schema.fields.some(({ name }) => name === "_metadata"))
    throw new DeltaError("DELTA_OPERATION_NOT_ALLOWED", `${table} has a column _metadata of its own.`, {
      table,
      version,
      hint: "Rename the column to read row ids.",
    });
}
