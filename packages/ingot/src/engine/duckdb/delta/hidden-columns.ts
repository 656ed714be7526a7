import { DeltaError, type Snapshot } from "@ingot/delta";

/** Columns that a relation carries beside the table's own. */
export const FILE = "_ingot_file";
export const ROW = "_ingot_row";
export const ROW_ID = "_ingot_row_id";
export const ROW_VERSION = "_ingot_row_commit_version";
export const CHANGE_TYPE = "_change_type";

/** @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE for a table with a column that would be taken for one of them */
export function assertNoHiddenNames({ table, version, schema }: Snapshot): void {
  const hidden = [FILE, ROW, ROW_ID, ROW_VERSION, CHANGE_TYPE];
  const taken = schema.fields.find(({ name }) => hidden.includes(name.toLowerCase()));
  if (taken === undefined) return;
  throw new DeltaError("DELTA_UNSUPPORTED_FEATURES_FOR_WRITE", `${table} has a column named ${taken.name}.`, {
    table,
    version,
    hint: "DuckDB's engine needs this name for itself: rename the column.",
  });
}
