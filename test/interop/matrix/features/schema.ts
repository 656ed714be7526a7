import type { Value } from "../../relation.js";
import { addColumn, alter, checkpoint, dropColumn, optimizeTable, renameColumn, widen } from "../carry-out.js";
import type { Step } from "../steps.js";
import type { WriteFeature } from "./feature.js";

const VECTORS = { "delta.enableDeletionVectors": "true" };
const FEED = { "delta.enableChangeDataFeed": "true" };
const mapping = (mode: "name" | "id") => ({ "delta.columnMapping.mode": mode });

const NO_WIDENING = { deltalake: { why: "it lacks the feature typeWidening", error: /TypeWidening/ } };

const ODD_NAMES =
  "id BIGINT, `a b` STRING, `x.y` STRING, `m/n` INT, `Ünï;{}()\n\t=` STRING, `nested one` STRUCT<`f,1`: INT, `g h`: STRING>";
const ODD_STEPS: readonly Step[] = [
  {
    kind: "append",
    rows: [
      ["1", "s", "dot", 1, "u", { "f,1": 1, "g h": "x" }],
      ["2", null, "dot2", 2, "v", null],
      ["3", "t", null, null, null, { "f,1": null, "g h": null }],
    ],
  },
  { kind: "delete", where: { column: "a b", in: ["t"] } },
  { kind: "update", set: { "x.y": "new" }, where: { column: "m/n", in: [1] } },
  {
    kind: "merge",
    on: ["id"],
    rows: [
      ["2", "u", "merged", 20, "w", { "f,1": 2, "g h": "y" }],
      ["4", "n", "n", 4, "n", null],
    ],
  },
];

const RENAMES: readonly Step[] = [
  {
    kind: "append",
    rows: [
      ["1", "a", { x: 1, y: "p" }, 10],
      ["2", "b", { x: 2, y: null }, 20],
    ],
  },
  renameColumn("name", "new name"),
  alter({ kind: "rename column", column: ["pair", "x"], to: "new x" }, ({ rows, columns }) => ({
    rows: rows.map((row) => row.with(columns.indexOf("pair"), renamedField(row[columns.indexOf("pair")] ?? null))),
  })),
  dropColumn("gone"),
  { kind: "append", rows: [["3", "c", { "new x": 3, y: "q" }]] },
  { kind: "delete", where: { column: "new name", in: ["a"] } },
  addColumn("gone", "STRING"),
  { kind: "append", rows: [["4", "d", null, "a string now"]] },
  alter({ kind: "drop columns", columns: [["pair", "y"]] }, ({ rows, columns }) => ({
    rows: rows.map((row) => row.with(columns.indexOf("pair"), withoutY(row[columns.indexOf("pair")] ?? null))),
  })),
];

function renamedField(pair: Value): Value {
  if (pair === null) return null;
  const { x = null, y = null } = pair as { x?: Value; y?: Value };
  return { "new x": x, y };
}

function withoutY(pair: Value): Value {
  if (pair === null) return null;
  return { "new x": (pair as { "new x"?: Value })["new x"] ?? null };
}

const text = (value: Value): Value => String(value);
const cents = (value: Value): Value => `${String(value)}.00`;

/** From, to, a value before, how the new type shows it, a value that only the new type holds. */
const WIDENINGS: readonly (readonly [string, string, Value, (value: Value) => Value, Value])[] = [
  ["TINYINT", "SMALLINT", -128, (v) => v, 32767],
  ["TINYINT", "INT", 127, (v) => v, 2147483647],
  ["TINYINT", "BIGINT", 1, text, "9223372036854775807"],
  ["TINYINT", "DOUBLE", -1, (v) => v, 1.5],
  ["TINYINT", "DECIMAL(10,0)", 2, text, "1234567890"],
  ["TINYINT", "DECIMAL(12,2)", 3, cents, "1234567890.12"],
  ["SMALLINT", "INT", -32768, (v) => v, -2147483648],
  ["SMALLINT", "BIGINT", 32767, text, "-9223372036854775808"],
  ["SMALLINT", "DOUBLE", 4, (v) => v, 1e300],
  ["SMALLINT", "DECIMAL(10,0)", -5, text, "-1234567890"],
  ["SMALLINT", "DECIMAL(38,28)", 6, (v) => `${String(v)}.${"0".repeat(28)}`, `1234567890.${"1".repeat(28)}`],
  ["INT", "BIGINT", 2147483647, text, "4294967296"],
  ["INT", "DOUBLE", -2147483648, (v) => v, 0.1],
  ["INT", "DECIMAL(10,0)", 2147483647, text, "9999999999"],
  ["INT", "DECIMAL(12,2)", -7, cents, "0.01"],
  ["BIGINT", "DECIMAL(20,0)", "9223372036854775807", text, "99999999999999999999"],
  ["BIGINT", "DECIMAL(22,2)", "-8", cents, "-0.01"],
  ["FLOAT", "DOUBLE", 0.5, (v) => v, 0.1],
  ["DECIMAL(5,2)", "DECIMAL(10,2)", "999.99", (v) => v, "99999999.99"],
  ["DECIMAL(9,2)", "DECIMAL(12,4)", "-1.05", (v) => `${String(v)}00`, "12345678.0001"],
  ["DECIMAL(18,0)", "DECIMAL(38,9)", "123456789012345678", (v) => `${String(v)}.000000000`, "0.000000001"],
  ["DATE", "TIMESTAMP_NTZ", "2024-02-29", (v) => `${String(v)} 00:00:00`, "2024-02-29 23:59:59.999999"],
];
const wideningColumns = (side: 0 | 1) => WIDENINGS.map((pair, i) => `c${i} ${pair[side]}`).join(", ");

const NESTED = "id BIGINT, pair STRUCT<a: INT, b: ARRAY<TINYINT>>, entries MAP<SMALLINT, FLOAT>";

/** What changes a table's columns, types and rules. */
export const SCHEMA_FEATURES: readonly WriteFeature[] = [
  ...(["name", "id"] as const).map(
    (mode): WriteFeature => ({
      name: `column mapping by ${mode}: odd names`,
      table: { columns: ODD_NAMES, properties: { ...mapping(mode), ...VECTORS, ...FEED } },
      steps: ODD_STEPS,
      changeFeed: {
        deltalake: { why: "it reads no change feed under column mapping", error: /Column mapping is not supported/ },
      },
    }),
  ),
  ...(["name", "id"] as const).map(
    (mode): WriteFeature => ({
      name: `column mapping by ${mode}: rename, drop, nested, a name again`,
      table: { columns: "id BIGINT, name STRING, pair STRUCT<x: INT, y: STRING>, gone INT", properties: mapping(mode) },
      steps: RENAMES,
      columnsAfter: "id BIGINT, `new name` STRING, pair STRUCT<`new x`: INT>, gone STRING",
    }),
  ),
  {
    name: "column mapping: turned on later, then rename; partition column renamed",
    table: { columns: "id BIGINT, p STRING, v INT", partitionedBy: ["p"] },
    steps: [
      {
        kind: "append",
        rows: [
          ["1", "a", 1],
          ["2", null, 2],
        ],
      },
      alter({
        kind: "set properties",
        properties: {
          "delta.columnMapping.mode": "name",
          "delta.minReaderVersion": "2",
          "delta.minWriterVersion": "5",
        },
      }),
      renameColumn("p", "part of"),
      renameColumn("v", "p"),
      { kind: "append", rows: [["3", "b", 3]] },
      { kind: "update", set: { p: 10 }, where: { column: "part of", in: ["a"] } },
    ],
    columnsAfter: "id BIGINT, `part of` STRING, p INT",
  },
  {
    name: "add column, nested too",
    table: { columns: "id BIGINT, pair STRUCT<a: INT>", properties: FEED },
    steps: [
      {
        kind: "append",
        rows: [
          ["1", { a: 1 }],
          ["2", null],
        ],
      },
      addColumn("later", "DECIMAL(10,2)"),
      alter(
        {
          kind: "add columns",
          columns: [{ path: ["pair", "b"], type: { kind: "string" } }],
        },
        ({ rows }) => ({
          rows: rows.map((row) => row.with(1, row[1] === null ? null : { ...(row[1] as { a: Value }), b: null })),
        }),
      ),
      { kind: "append", rows: [["3", { a: 3, b: "x" }, "1.00"]] },
      { kind: "update", set: { later: "2.00" }, where: { column: "id", in: ["1"] } },
    ],
    columnsAfter: "id BIGINT, pair STRUCT<a: INT, b: STRING>, later DECIMAL(10,2)",
  },
  {
    name: "type widening: every pair of the protocol",
    table: { columns: `id BIGINT, ${wideningColumns(0)}`, properties: { "delta.enableTypeWidening": "true" } },
    steps: [
      {
        kind: "append",
        rows: [
          ["1", ...WIDENINGS.map(([, , before]) => before)],
          ["2", ...WIDENINGS.map(() => null)],
        ],
      },
      ...WIDENINGS.map(([, to, , show], i) => widen([`c${i}`], to, show)),
      { kind: "append", rows: [["3", ...WIDENINGS.map(([, , , , after]) => after)]] },
      { kind: "update", set: { id: "20" }, where: { column: "id", in: ["2"] } },
    ],
    columnsAfter: `id BIGINT, ${wideningColumns(1)}`,
    unread: NO_WIDENING,
  },
  {
    name: "type widening within structs, lists and maps, then optimize",
    table: { columns: NESTED, properties: { "delta.enableTypeWidening": "true", ...VECTORS } },
    steps: [
      {
        kind: "append",
        rows: [
          ["1", { a: 1, b: [1, null] }, [[1, 0.5]]],
          ["2", null, null],
        ],
      },
      widen(["pair", "a"], "BIGINT", (v) => ({ ...(v as object), a: "1" }) as Value),
      widen(["pair", "b", "element"], "INT"),
      widen(["entries", "key"], "INT"),
      widen(["entries", "value"], "DOUBLE"),
      { kind: "append", rows: [["3", { a: "9223372036854775807", b: [2147483647] }, [[70000, 0.1]]]] },
      { kind: "delete", where: { column: "id", in: ["2"] } },
      optimizeTable(),
    ],
    columnsAfter: "id BIGINT, pair STRUCT<a: BIGINT, b: ARRAY<INT>>, entries MAP<INT, DOUBLE>",
    unread: NO_WIDENING,
  },
  {
    name: "NOT NULL, then dropped",
    table: { columns: "id BIGINT NOT NULL, v STRING NOT NULL" },
    steps: [
      { kind: "append", rows: [["1", "a"]] },
      alter({ kind: "change column", column: ["v"], change: { nullable: true } }),
      { kind: "append", rows: [["2", null]] },
    ],
    protocol: [1, 2],
  },
  {
    name: "CHECK constraint",
    table: { columns: "id BIGINT, amount DECIMAL(10,2)" },
    steps: [
      { kind: "append", rows: [["1", "1.00"]] },
      alter({ kind: "add constraint", name: "positive", expression: "amount > 0" }),
      { kind: "append", rows: [["2", "0.01"]] },
      { kind: "update", set: { amount: "5.00" }, where: { column: "id", in: ["1"] } },
    ],
    questions: [
      {
        sql: "SHOW TBLPROPERTIES $table ('delta.constraints.positive')",
        rows: [["delta.constraints.positive", "amount > 0"]],
      },
    ],
  },
  {
    name: "generated columns",
    table: {
      columns: "id BIGINT, `double` BIGINT, at TIMESTAMP, day DATE",
      generated: { double: "id * 2", day: "CAST(at AS DATE)" },
    },
    steps: [
      {
        kind: "append",
        rows: [
          ["1", "2", "2024-02-29 23:59:59", "2024-02-29"],
          ["2", "4", "1969-12-31 00:00:00.5", "1969-12-31"],
        ],
      },
      { kind: "append", rows: [["3", "6", "2024-01-01 00:00:00", "2024-01-01"]] },
      { kind: "delete", where: { column: "id", in: ["2"] } },
    ],
  },
  {
    name: "default columns",
    table: {
      columns: "id BIGINT, state STRING",
      defaults: { state: "'open'" },
      properties: { "delta.feature.allowColumnDefaults": "supported" },
    },
    steps: [
      { kind: "append", rows: [["1", "open"]], columns: ["id"] },
      {
        kind: "append",
        rows: [
          ["2", "closed"],
          ["3", null],
        ],
      },
    ],
  },
  {
    name: "all at once: mapping, vectors, change feed, row tracking, widening, clustering, in-commit timestamps, V2 checkpoint",
    table: {
      columns: "id INT, `a b` STRING, v INT",
      properties: {
        ...mapping("name"),
        ...VECTORS,
        ...FEED,
        "delta.enableRowTracking": "true",
        "delta.enableTypeWidening": "true",
        "delta.enableInCommitTimestamps": "true",
        "delta.checkpointPolicy": "v2",
      },
      clusteredBy: ["a b"],
    },
    steps: [
      {
        kind: "append",
        rows: [
          [1, "x", 1],
          [2, "y", 2],
          [3, "z", 3],
        ],
      },
      { kind: "delete", where: { column: "a b", in: ["y"] } },
      widen(["v"], "BIGINT", text),
      renameColumn("a b", "c d"),
      {
        kind: "merge",
        on: ["id"],
        rows: [
          [1, "merged", "4294967296"],
          [4, "new", "4"],
        ],
        remove: [[3]],
      },
      optimizeTable(),
      checkpoint(),
      { kind: "append", rows: [[5, "after", "5"]] },
    ],
    columnsAfter: "id INT, `c d` STRING, v BIGINT",
    unread: NO_WIDENING,
  },
];
