import type { Relation } from "../../relation.js";
import { COLUMNS, OURS } from "./our-steps.js";
import type { MadeByDeltalake, PeerTable } from "./peer-table.js";

const ROWS: Relation["rows"] = [
  ["1", "one", "1.00"],
  ["2", "two", "2.00"],
  ["3", null, null],
  ["4", "four", "4.00"],
];
const MERGE = {
  merge: [
    ["2", "merged", "20.00"],
    ["5", "new", "5.00"],
  ],
  on: "t.id = s.id",
};
const byDeltalake = (...steps: readonly object[]): MadeByDeltalake => ({
  by: "deltalake",
  columns: COLUMNS,
  rows: ROWS,
  steps,
});

/** Tables that delta-rs makes. */
export const DELTALAKE_TABLES: readonly PeerTable[] = [
  {
    name: "merge, update, delete",
    made: byDeltalake(MERGE, { update: { name: "'updated'" }, where: "id = 1" }, { delete: "id = 5" }),
    ours: OURS,
  },
  {
    name: "change feed",
    made: byDeltalake({ properties: { "delta.enableChangeDataFeed": "true" } }, MERGE, { delete: "id = 5" }),
    ours: OURS,
  },
  {
    name: "optimize, Z-order, checkpoint, vacuum",
    made: byDeltalake(
      { merge: [["5", "new", "5.00"]], on: "t.id = s.id" },
      { optimize: true },
      { merge: [["6", "new", "6.00"]], on: "t.id = s.id" },
      { zorder: ["amount", "id"] },
      { checkpoint: true },
      { vacuum: 0 },
    ),
    ours: OURS,
  },
  {
    name: "overwrite by predicate, added column, constraint, restore",
    made: byDeltalake(
      { overwrite: [["2", "replaced", "2.50"]], where: "id = 2" },
      { delete: "true" },
      { restore: 1 },
      { constraint: { positive: "id > 0" } },
    ),
    ours: [
      { kind: "append", rows: [["100", "ours", "100.00"]] },
      { kind: "delete", where: { column: "id", in: ["1"] } },
    ],
    refused: [
      {
        step: { kind: "append", rows: [["0", null, null]] },
        code: "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
        message: /positive/,
      },
    ],
  },
];
