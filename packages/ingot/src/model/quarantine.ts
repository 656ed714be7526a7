import { RESERVED_PREFIX } from "./changes.js";
import type { DataType, Field } from "./data-type.js";

const STRING: DataType = { kind: "string" };
const TIMESTAMP: DataType = { kind: "timestamp" };

function column(name: string, type: DataType, comment: string): Field {
  return { name, type, nullable: true, comment };
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
