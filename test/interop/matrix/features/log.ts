import { convertToDelta, localStore } from "@ingot/delta";
import {
  alter,
  checkpoint,
  cloneTable,
  noteTransaction,
  optimizeTable,
  restoreVersion,
  takeFiles,
  vacuumTable,
} from "../carry-out.js";
import type { Step } from "../steps.js";
import type { WriteFeature } from "./feature.js";

const VECTORS = { "delta.enableDeletionVectors": "true" };
const COLUMNS = "id BIGINT, name STRING, amount DECIMAL(10,2), at TIMESTAMP";

const BEFORE: readonly Step[] = [
  {
    kind: "append",
    rows: [
      ["1", "one", "1.00", "2024-01-01 00:00:00"],
      ["2", "two", "2.00", "2024-01-02 12:00:00.000001"],
      ["3", null, null, null],
    ],
  },
  { kind: "append", rows: [["4", "four", "4.00", "1969-12-31 23:59:59.999999"]] },
  { kind: "delete", where: { column: "id", in: ["2"] } },
  { kind: "update", set: { amount: "-0.01" }, where: { column: "id", in: ["1"] } },
];
const AFTER: readonly Step[] = [
  {
    kind: "merge",
    on: ["id"],
    rows: [
      ["4", "merged", null, null],
      ["5", "new", "5.00", null],
    ],
    remove: [["1"]],
  },
];

const V2 = { "delta.checkpointPolicy": "v2" };

/** What concerns the log, and a table as a whole. */
export const LOG_FEATURES: readonly WriteFeature[] = [
  {
    name: "gold table of an everyday kind: reader version 1",
    table: { columns: COLUMNS },
    steps: [...BEFORE, ...AFTER, optimizeTable()],
    protocol: [1, 2],
  },
  {
    name: "checkpoint: classic, the log before it cleaned up",
    table: { columns: COLUMNS, properties: VECTORS },
    steps: [...BEFORE, checkpoint(), ...AFTER],
  },
  {
    name: "checkpoint: classic, statistics and partition values as columns",
    table: {
      columns: COLUMNS,
      partitionedBy: ["at"],
      properties: { "delta.checkpoint.writeStatsAsStruct": "true", "delta.checkpoint.writeStatsAsJson": "false" },
    },
    steps: [...BEFORE, checkpoint(), ...AFTER],
  },
  {
    name: "checkpoint: V2, Parquet",
    table: { columns: COLUMNS, properties: { ...V2, ...VECTORS } },
    steps: [...BEFORE, checkpoint("parquet"), ...AFTER],
  },
  {
    name: "checkpoint: V2, JSON",
    table: { columns: COLUMNS, properties: { ...V2, ...VECTORS } },
    steps: [...BEFORE, checkpoint("json"), ...AFTER],
  },
  {
    name: "checkpoint of a table with column mapping and change feed",
    table: {
      columns: "id BIGINT, `a b` STRING",
      properties: { "delta.columnMapping.mode": "id", ...VECTORS, "delta.enableChangeDataFeed": "true" },
    },
    steps: [
      {
        kind: "append",
        rows: [
          ["1", "a"],
          ["2", "b"],
        ],
      },
      { kind: "delete", where: { column: "a b", in: ["a"] } },
      checkpoint(),
      { kind: "append", rows: [["3", "c"]] },
    ],
  },
  {
    name: "checkpoints by themselves, every 2 commits",
    table: { columns: COLUMNS, properties: { "delta.checkpointInterval": "2" } },
    steps: [...BEFORE, ...AFTER],
  },
  {
    name: "in-commit timestamps",
    table: { columns: COLUMNS, properties: { "delta.enableInCommitTimestamps": "true" } },
    steps: [...BEFORE, ...AFTER],
    questions: [{ sql: "SELECT id FROM $table VERSION AS OF 2 ORDER BY id", rows: [["1"], ["2"], ["3"], ["4"]] }],
  },
  {
    name: "in-commit timestamps, turned on later",
    table: { columns: COLUMNS },
    steps: [
      ...BEFORE,
      alter({ kind: "set properties", properties: { "delta.enableInCommitTimestamps": "true" } }),
      ...AFTER,
    ],
  },
  {
    name: "progress of an application (txn)",
    table: { columns: COLUMNS },
    steps: [...BEFORE, noteTransaction("loader", 7n), ...AFTER],
    protocol: [1, 2],
  },
  {
    name: "vacuum",
    table: { columns: COLUMNS, properties: VECTORS },
    steps: [...BEFORE, optimizeTable(), vacuumTable(2), ...AFTER],
  },
  {
    name: "vacuum under vacuumProtocolCheck",
    table: { columns: COLUMNS, properties: { "delta.feature.vacuumProtocolCheck": "supported" } },
    steps: [...BEFORE, vacuumTable(2), ...AFTER],
    unread: { deltalake: { why: "it lacks the feature vacuumProtocolCheck", error: /VacuumProtocolCheck/ } },
  },
  {
    name: "restore",
    table: { columns: COLUMNS, properties: { ...VECTORS, "delta.enableChangeDataFeed": "true" } },
    steps: [...BEFORE, restoreVersion(2), ...AFTER],
  },
  {
    name: "convert a folder of Parquet",
    table: { columns: "id BIGINT, name STRING, p INT", partitionedBy: ["p"] },
    steps: [
      {
        kind: "append",
        rows: [
          ["1", "a", 1],
          ["2", "b", 1],
          ["3", "c", null],
        ],
      },
      takeFiles(
        (folder) =>
          convertToDelta(localStore, folder, {
            partitionColumns: {
              kind: "struct",
              fields: [{ name: "p", type: { kind: "integer" }, nullable: true, metadata: {} }],
            },
          }),
        ({ rows }) => ({ rows }),
      ),
      { kind: "append", rows: [["4", "d", 2]] },
      { kind: "delete", where: { column: "id", in: ["1"] } },
    ],
  },
  {
    name: "shallow clone, then changed",
    table: { columns: COLUMNS, properties: VECTORS },
    steps: [...BEFORE, cloneTable(), ...AFTER],
    unread: {
      duckdb: {
        why: "it takes the absolute path of a file (`file:/…`, as Spark writes it) for a relative one",
        error: /Cannot open file/,
      },
    },
  },
  {
    name: "table properties, comment",
    table: { columns: COLUMNS },
    steps: [
      alter({
        kind: "set properties",
        properties: { owner: "finance", "delta.logRetentionDuration": "interval 60 days" },
      }),
      alter({ kind: "describe", description: "a table with 'quotes'" }),
      ...BEFORE,
      alter({ kind: "unset properties", keys: ["owner"] }),
    ],
    questions: [
      {
        sql: "DESCRIBE DETAIL $table",
        pick: ["description", "properties"],
        rows: [["a table with 'quotes'", [["delta.logRetentionDuration", "interval 60 days"]]]],
      },
    ],
  },
  {
    name: "append only",
    table: { columns: COLUMNS, properties: { "delta.appendOnly": "true" } },
    steps: BEFORE.slice(0, 2),
    protocol: [1, 2],
  },
];
