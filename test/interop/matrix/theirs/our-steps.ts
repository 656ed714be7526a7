import type { Step } from "../steps.js";

/** The columns of most tables that peers make. */
export const COLUMNS = "id BIGINT, name STRING, amount DECIMAL(10,2)";

/** OURS but its merge. */
export const WITHOUT_MERGE: readonly Step[] = [
  {
    kind: "append",
    rows: [
      ["100", "ours", "100.00"],
      ["101", null, null],
    ],
  },
  { kind: "delete", where: { column: "id", in: ["1", "101"] } },
  { kind: "update", set: { name: "updated" }, where: { column: "id", in: ["4"] } },
];

/** What we do to a table of COLUMNS. */
export const OURS: readonly Step[] = [
  ...WITHOUT_MERGE,
  {
    kind: "merge",
    on: ["id"],
    rows: [
      ["2", "ours", "0.02"],
      ["102", "new", null],
    ],
    remove: [["3"]],
  },
];
