import { RESERVED_PREFIX } from "./changes.js";
import type { DataType, Field } from "./data-type.js";

const STRING: DataType = { kind: "string" };
const TIMESTAMP: DataType = { kind: "timestamp" };

function column(name: string, type: DataType, comment: string): Field {
  return { name, type, nullable: true, comment };
}

/** Where a row comes from: what can be known of it. */
export const ROW_SOURCES = ["file", "row", "record"] as const;
export type RowSource = (typeof ROW_SOURCES)[number];
/** Columns of a relation that say where its rows come from, or fields of them: the names from the outside in. */
export type SourceColumns = Readonly<Partial<Record<RowSource, readonly [string, ...string[]]>>>;

export const SOURCE_TYPES: Readonly<Record<RowSource, DataType>> = {
  file: STRING,
  row: { kind: "bigint" },
  record: STRING,
};

/** The column beside the rows of a query that says where each comes from. */
export function sourceColumn(source: RowSource): string {
  return `${RESERVED_PREFIX}source_${source}`;
}

/** The column of a quarantine that keeps it. */
export function keptSource(source: RowSource): string {
  return `_source_${source}`;
}

/** Column by which a quarantine is partitioned: a flow that starts again takes its own rows away. */
export const FLOW_COLUMN = "_flow";

/** What stands behind the columns of a quarantined row, as it came. */
export const QUARANTINE_COLUMNS: readonly Field[] = [
  column("_quarantine_id", STRING, "Of this row alone"),
  column("_status", STRING, "Status code of the first failed rule that quarantines"),
  column(
    "_failed_rules",
    {
      kind: "array",
      containsNull: false,
      element: {
        kind: "struct",
        fields: [
          { name: "name", type: STRING, nullable: true },
          { name: "status", type: STRING, nullable: true },
          { name: "version", type: STRING, nullable: true },
        ],
      },
    },
    "All rules that the row fails, with the version of each",
  ),
  column(keptSource("file"), SOURCE_TYPES.file, "The file that it comes from, as `_metadata.file_path` names it"),
  column(keptSource("row"), SOURCE_TYPES.row, "Its number in the file, from 1"),
  column(keptSource("record"), SOURCE_TYPES.record, "Of the file's record what fits no column"),
  column(FLOW_COLUMN, STRING, "The flow that read the row"),
  column("_batch", { kind: "bigint" }, "Batch of the flow"),
  column("_attempt", { kind: "int" }, "1, and one more each time that the row was released and failed again"),
  column("_run_id", STRING, "The run that quarantined it"),
  column("quarantined_at", TIMESTAMP, "When"),
  column("_state", STRING, "open, released or dropped"),
  column("_resolved_at", TIMESTAMP, "When it was released or dropped"),
  column("_resolved_run", STRING, "The run that released or dropped it"),
];

/** What stands beside rows that come from a quarantine, and is stored nowhere: their id there, and their attempt. */
export const RELEASED_COLUMN = `${RESERVED_PREFIX}released`;
export const ATTEMPT_COLUMN = `${RESERVED_PREFIX}attempt`;

/** The columns of a query that are its own. */
export function ownColumns(columns: readonly Field[]): Field[] {
  return columns.filter((column) => !column.name.startsWith(RESERVED_PREFIX));
}
