import type { TextMap } from "../log/actions.js";

/** The properties that name the hidden columns. Source: the Delta protocol, "Row Tracking". */
export const ROW_ID_PROPERTY = "delta.rowTracking.materializedRowIdColumnName";
export const ROW_COMMIT_VERSION_PROPERTY = "delta.rowTracking.materializedRowCommitVersionColumnName";

/**
 * Hidden columns of data files, by the names that they have there, for rows that came from other files. Both are LONG
 * and nullable; NULL means: by the file's `baseRowId` and `defaultRowCommitVersion`.
 */
export interface RowTrackingColumns {
  readonly rowId: string;
  readonly rowCommitVersion: string;
}

/** Undefined for a table that has none. */
export function rowTrackingColumns(configuration: TextMap): RowTrackingColumns | undefined {
  const rowId = configuration[ROW_ID_PROPERTY];
  const rowCommitVersion = configuration[ROW_COMMIT_VERSION_PROPERTY];
  return rowId && rowCommitVersion ? { rowId, rowCommitVersion } : undefined;
}
