import type { Value } from "../../relation.js";
import { optimizeTable, purgeTable } from "../carry-out.js";
import type { Step } from "../steps.js";
import type { Question, WriteFeature } from "./feature.js";

const EVERY_TYPE = `id BIGINT, flag BOOLEAN, b TINYINT, s SMALLINT, i INT, f FLOAT, d DOUBLE, small DECIMAL(5,2),
  middle DECIMAL(18,4), wide DECIMAL(38,9), text STRING, bytes BINARY, day DATE, at TIMESTAMP, local TIMESTAMP_NTZ,
  pair STRUCT<a: BIGINT, b: STRING>, list ARRAY<DECIMAL(3,1)>, entries MAP<STRING, DATE>,
  deep ARRAY<STRUCT<x: INT, y: MAP<STRING, ARRAY<BIGINT>>>>`;

const EXTREMES: readonly (readonly Value[])[] = [
  [
    "9223372036854775807",
    true,
    127,
    32767,
    2147483647,
    3.4028234663852886e38,
    1.7976931348623157e308,
    "999.99",
    "99999999999999.9999",
    "99999999999999999999999999999.999999999",
    "\u{10FFFF}é\u0000'\"\n",
    "00FF",
    "9999-12-31",
    "9999-12-31 23:59:59.999999",
    "9999-12-31 23:59:59.999999",
    { a: "9223372036854775807", b: "" },
    ["99.9", null, "-99.9"],
    [
      ["", "0001-01-01"],
      ["k", null],
    ],
    [{ x: 1, y: [["k", ["1", null]]] }, null, { x: null, y: [] }],
  ],
  [
    "-9223372036854775808",
    false,
    -128,
    -32768,
    -2147483648,
    1.401298464324817e-45,
    5e-324,
    "-999.99",
    "-99999999999999.9999",
    "-99999999999999999999999999999.999999999",
    "",
    "",
    "0001-01-01",
    "0001-01-01 00:00:00",
    "0001-01-01 00:00:00",
    { a: null, b: null },
    [],
    [],
    [],
  ],
  [
    "0",
    true,
    0,
    0,
    0,
    "NaN",
    "-Infinity",
    "0.00",
    "0.0001",
    "0.000000001",
    "x".repeat(300),
    "41",
    "1969-12-31",
    "1969-12-31 23:59:59.999999",
    "1582-10-15 00:00:00.1",
    { a: "1", b: "ü" },
    ["0.0"],
    [["a", "2024-02-29"]],
    [{ x: 2, y: null }],
  ],
  Array(19).fill(null),
];

const PARTITION_TYPES = `id BIGINT, flag BOOLEAN, b TINYINT, s SMALLINT, i INT, l BIGINT, f FLOAT, d DOUBLE, amount DECIMAL(20,3),
  text STRING, day DATE, at TIMESTAMP, local TIMESTAMP_NTZ`;
const PARTITION_COLUMNS = ["flag", "b", "s", "i", "l", "f", "d", "amount", "text", "day", "at", "local"];
const PARTITION_ROWS: readonly (readonly Value[])[] = [
  [
    "1",
    true,
    127,
    -32768,
    2147483647,
    "-9223372036854775808",
    1.5,
    -2.5e-10,
    "-12345678901234567.890",
    "plain",
    "2024-02-29",
    "2024-02-29 10:00:00.123456",
    "1999-12-31 23:59:59.5",
  ],
  ["2", ...Array(12).fill(null)],
  [
    "3",
    false,
    0,
    0,
    0,
    "0",
    Math.fround(0.1),
    1e300,
    "0.000",
    "a/b c=d%25",
    "0001-01-01",
    "1969-12-31 23:59:59",
    "2024-01-01 00:00:00",
  ],
];

/** Characters that mean something in paths, in URLs, to Hive, or to nobody. */
const ODD_TEXTS = [
  "a b",
  "a/b",
  "a%2Fb",
  "a=b",
  "a:b",
  "é😀",
  "'\"",
  "#?&+",
  "a\\b",
  "..",
  " x ",
  "__HIVE_DEFAULT_PARTITION__x",
];

const FEED = { "delta.enableChangeDataFeed": "true" };
const VECTORS = { "delta.enableDeletionVectors": "true" };
const ROW_COLUMNS = "id BIGINT, name STRING, amount DECIMAL(10,2), region STRING";

/** Two files, then changes that touch both, one, and none of the rows of a file. */
const ROW_CHANGES: readonly Step[] = [
  {
    kind: "append",
    rows: [
      ["1", "one", "1.00", "EU"],
      ["2", "two", "2.00", "US"],
      ["3", "three", null, "EU"],
      ["4", null, "4.00", null],
    ],
  },
  {
    kind: "append",
    rows: [
      ["5", "five", "5.00", "EU"],
      ["6", "six", "6.00", "US"],
      ["7", "seven", "7.00", "EU"],
    ],
  },
  { kind: "delete", where: { column: "id", in: ["2", "6"] } },
  { kind: "update", set: { name: "changed", amount: "0.01" }, where: { column: "region", in: ["EU"] } },
  {
    kind: "merge",
    on: ["id"],
    rows: [
      ["1", "merged", "10.00", "EU"],
      ["8", "new", "8.00", "US"],
      ["2", "back", "2.50", null],
    ],
    remove: [["3"], ["99"]],
  },
  { kind: "delete", where: { column: "name", in: [null] } },
  { kind: "update", set: { region: null }, where: { column: "id", in: ["7"] } },
];

const OVERWRITES: readonly Step[] = [
  {
    kind: "append",
    rows: [
      ["1", "one", "1.00", "EU"],
      ["2", "two", "2.00", "US"],
    ],
  },
  {
    kind: "overwrite",
    rows: [
      ["3", "three", "3.00", "EU"],
      ["4", "four", "4.00", "US"],
      ["5", "five", "5.00", "US"],
    ],
  },
  { kind: "overwrite", rows: [["6", "six", "6.00", "US"]], where: { column: "region", in: ["US"] } },
];

/** Rows 1 to 7 got the ids 0 to 6 when they were appended; 2 came back as a new row, as did 8, in version 5. */
const ROW_IDS: readonly Question[] = [
  {
    sql: `SELECT id, if(id IN (2, 8), if(_metadata.row_id > 6, 'new', 'used before'), string(_metadata.row_id)),
      _metadata.row_commit_version FROM $table ORDER BY id`,
    rows: [
      ["1", "0", "5"],
      ["2", "new", "5"],
      ["5", "4", "4"],
      ["7", "6", "7"],
      ["8", "new", "5"],
    ],
  },
  { sql: "SELECT count(DISTINCT _metadata.row_id) FROM $table", rows: [["5"]] },
];

/** More than the 122,880 rows of a row group of DuckDB, and the 100,000 of ours. */
const MANY = 125_000;
const manyRows = (from: number, to: number): Value[][] =>
  Array.from({ length: to - from }, (_, i) => [String(from + i), `name ${(from + i) % 1000}`, `${from + i}.50`]);

/** What changes rows, and how. */
export const ROW_FEATURES: readonly WriteFeature[] = [
  {
    name: "append: every type, extreme values, NULL",
    table: { columns: EVERY_TYPE },
    steps: [
      { kind: "append", rows: EXTREMES.slice(0, 2) },
      { kind: "append", rows: EXTREMES.slice(2) },
    ],
  },
  {
    name: "append: more than one row group",
    table: { columns: "id BIGINT, name STRING, amount DECIMAL(12,2)" },
    steps: [{ kind: "append", rows: manyRows(0, MANY) }],
    questions: [
      {
        sql: "SELECT count(*), sum(id), sum(amount), min(id), max(id), count(DISTINCT name) FROM $table",
        // The sums of 0 … n-1, and of each and a half.
        rows: [[String(MANY), "7812437500", "7812500000.00", "0", "124999", "1000"]],
      },
      { sql: "SELECT * FROM $table WHERE id = 110007", rows: [["110007", "name 7", "110007.50"]] },
    ],
  },
  {
    name: "partitioned by every type",
    table: { columns: PARTITION_TYPES, partitionedBy: PARTITION_COLUMNS },
    steps: [
      { kind: "append", rows: PARTITION_ROWS },
      { kind: "append", rows: PARTITION_ROWS.map(([, ...values]) => ["4", ...values]) },
      { kind: "delete", where: { column: "text", in: ["plain"] } },
    ],
  },
  {
    name: "partition values with special characters, NULL",
    table: {
      columns: "id BIGINT, `p q` STRING",
      partitionedBy: ["p q"],
      properties: { "delta.columnMapping.mode": "name" },
    },
    steps: [
      { kind: "append", rows: [...ODD_TEXTS, null].map((text, i) => [String(i), text]) },
      { kind: "delete", where: { column: "p q", in: ["a/b", null] } },
      { kind: "update", set: { id: "100" }, where: { column: "p q", in: ["a%2Fb", "é😀"] } },
    ],
    unread: {
      duckdb: { why: "it finds no partition values under physical names (in Spark's tables, too) and reads NULL" },
    },
  },
  {
    name: "partition values with special characters in folders",
    table: { columns: "id BIGINT, p STRING", partitionedBy: ["p"] },
    steps: [{ kind: "append", rows: [...ODD_TEXTS, null].map((text, i) => [String(i), text]) }],
  },
  {
    name: "overwrite: all rows, by predicate",
    table: { columns: ROW_COLUMNS },
    steps: OVERWRITES,
  },
  {
    name: "overwrite with change feed",
    table: { columns: ROW_COLUMNS, properties: FEED },
    steps: OVERWRITES,
    changeFeed: true,
  },
  {
    name: "overwrite by predicate with deletion vectors and change feed",
    table: { columns: ROW_COLUMNS, properties: { ...FEED, ...VECTORS } },
    steps: OVERWRITES,
    changeFeed: true,
  },
  {
    name: "delete, update, merge: copy on write",
    table: { columns: ROW_COLUMNS },
    steps: ROW_CHANGES,
    protocol: [1, 2],
  },
  {
    name: "delete, update, merge: copy on write, change feed",
    table: { columns: ROW_COLUMNS, properties: FEED },
    steps: ROW_CHANGES,
    changeFeed: true,
  },
  {
    name: "delete, update, merge: deletion vectors",
    table: { columns: ROW_COLUMNS, properties: VECTORS },
    steps: ROW_CHANGES,
    questions: [{ sql: "SELECT count(*) FROM $table", rows: [["5"]] }],
  },
  {
    name: "delete, update, merge: deletion vectors, change feed",
    table: { columns: ROW_COLUMNS, properties: { ...FEED, ...VECTORS } },
    steps: ROW_CHANGES,
    changeFeed: {
      deltalake: {
        why: "of a removed file it takes the rows that its deletion vector names for those that go (with Spark's commits, too)",
      },
    },
  },
  {
    name: "delete, update, merge: partitioned, deletion vectors, change feed",
    table: { columns: ROW_COLUMNS, partitionedBy: ["region"], properties: { ...FEED, ...VECTORS } },
    steps: ROW_CHANGES,
    changeFeed: true,
  },
  {
    name: "deletion vectors over more than one row group, change feed",
    table: { columns: "id BIGINT, name STRING, amount DECIMAL(12,2)", properties: { ...FEED, ...VECTORS } },
    steps: [
      { kind: "append", rows: manyRows(0, MANY) },
      { kind: "delete", where: { column: "name", in: ["name 7", "name 999"] } },
      {
        kind: "merge",
        on: ["id"],
        rows: [...manyRows(124_000, 124_100), ...manyRows(MANY, MANY + 100)].map(([id = null, name = null]) => [
          id,
          name,
          "0.00",
        ]),
        remove: [["5"], ["110000"]],
      },
    ],
    changeFeed: {
      deltalake: {
        why: "it panics over a deletion vector without change files where the data file has several row groups",
        error: /panic/,
      },
    },
  },
  {
    name: "row tracking: ids stay, copy on write",
    table: { columns: ROW_COLUMNS, properties: { "delta.enableRowTracking": "true" } },
    steps: ROW_CHANGES,
    questions: ROW_IDS,
  },
  {
    name: "row tracking: ids stay, deletion vectors, optimize",
    table: { columns: ROW_COLUMNS, properties: { "delta.enableRowTracking": "true", ...VECTORS } },
    steps: [...ROW_CHANGES, optimizeTable()],
    questions: ROW_IDS,
  },
  {
    name: "optimize gathers small files",
    table: { columns: ROW_COLUMNS, properties: FEED },
    steps: [...ROW_CHANGES, optimizeTable()],
    changeFeed: true,
    questions: [{ sql: "SELECT count(DISTINCT _metadata.file_path) FROM $table", rows: [["1"]] }],
  },
  {
    name: "purge takes deletion vectors away",
    table: { columns: ROW_COLUMNS, properties: VECTORS },
    steps: [...ROW_CHANGES, purgeTable()],
  },
  {
    name: "optimize with Z-order",
    table: { columns: ROW_COLUMNS, properties: VECTORS },
    steps: [...ROW_CHANGES, optimizeTable({ zOrderBy: [["amount"], ["name"]] })],
  },
  {
    name: "clustering: rows laid along a Hilbert curve",
    table: { columns: ROW_COLUMNS, properties: VECTORS, clusteredBy: ["region", "id"] },
    steps: [...ROW_CHANGES, optimizeTable(), { kind: "append", rows: [["9", "nine", "9.00", "EU"]] }],
    questions: [
      {
        sql: "DESCRIBE DETAIL $table",
        pick: ["clusteringColumns"],
        rows: [[["region", "id"]]],
      },
    ],
  },
];
