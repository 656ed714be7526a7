import type { TextMap } from "../log/actions.js";
import { isOn } from "../log/configuration.js";
import { columnMappingMode, physicalSchema } from "../schema/column-mapping.js";
import { type RowTrackingColumns, rowTrackingColumns } from "../schema/row-tracking-columns.js";
import type { StructType } from "../schema/schema.js";

/** How new data files of a table must look. */
export interface FileLayout {
  /** The table's folder: a file's path is relative to it. */
  readonly table: string;
  /** The columns as users know them. */
  readonly schema: StructType;
  /** The same columns, place by place, as files hold them: physical names; `fieldId` gives the Parquet field id. */
  readonly physical: StructType;
  /** Their field ids must be in the files. */
  readonly hasFieldIds: boolean;
  /** Names in `schema`. They are not in the files; their values stand in `NewFile.partitionValues` by physical name. */
  readonly partitionColumns: readonly string[];
  readonly configuration: TextMap;
  /** Hidden columns of rows that keep their id in a new file; undefined where the table does not track rows. */
  readonly rowTracking: RowTrackingColumns | undefined;
  /** Bytes that a new file should have at most. */
  readonly targetFileSize: number;
}

/** The size at which Spark's OPTIMIZE stops to gather files on Databricks' advice for merge-heavy tables. */
const TARGET_FILE_SIZE = 128 * 1024 * 1024;

/** The layout of a table's next files. */
export function fileLayout({
  table,
  schema,
  metadata: { configuration, partitionColumns },
}: {
  readonly table: string;
  readonly schema: StructType;
  readonly metadata: { readonly configuration: TextMap; readonly partitionColumns: readonly string[] };
}): FileLayout {
  const mode = columnMappingMode(configuration);
  return {
    table,
    schema,
    physical: physicalSchema(schema, mode),
    hasFieldIds: mode !== "none",
    partitionColumns,
    configuration,
    rowTracking: isOn(configuration, "delta.enableRowTracking") ? rowTrackingColumns(configuration) : undefined,
    targetFileSize: bytes(configuration["delta.targetFileSize"]) ?? TARGET_FILE_SIZE,
  };
}

const UNITS: Readonly<Record<string, number>> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** `134217728`, `128mb`, `1g`: Spark's byte strings. Undefined for what is none. */
function bytes(text: string | null | undefined): number | undefined {
  const [, digits, unit = "b"] = /^\s*(\d+)\s*(?:([bkmg])b?)?\s*$/i.exec(text ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
}
