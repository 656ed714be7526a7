import { COLUMNS, OURS, WITHOUT_MERGE } from "./our-steps.js";
import type { PeerTable } from "./peer-table.js";

const create = (columns: string, more = ""): string => `CREATE TABLE $table (${columns}) USING delta ${more}`;
const properties = (...pairs: readonly string[]): string =>
  `TBLPROPERTIES (${pairs.map((pair) => pair.replace(/^(.*?)=(.*)$/, "'$1' = '$2'")).join(", ")})`;
const VECTORS = "delta.enableDeletionVectors=true";
const FEED = "delta.enableChangeDataFeed=true";
const insert = (values: string): string => `INSERT INTO $table VALUES ${values}`;
const FOUR = insert("(1, 'one', 1.00), (2, 'two', 2.00), (3, NULL, NULL), (4, 'four', 4.00)");
const MERGE = `MERGE INTO $table t USING (SELECT * FROM VALUES (2, 'merged', 20.00), (5, 'new', 5.00) AS v(id, name, amount)) s ON t.id = s.id
  WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *`;

const NO_WIDENING = { deltalake: { why: "it lacks the feature typeWidening", error: /TypeWidening/ } };

/** Tables that Spark makes. */
export const SPARK_TABLES: readonly PeerTable[] = [
  {
    name: "merge, update, delete by copy on write",
    made: {
      by: "spark",
      sql: [
        create(COLUMNS, properties("delta.enableDeletionVectors=false")),
        FOUR,
        MERGE,
        "DELETE FROM $table WHERE id = 4",
        FOUR,
      ],
    },
    ours: [
      { kind: "append", rows: [["100", "ours", "100.00"]] },
      { kind: "delete", where: { column: "id", in: ["1"] } },
      { kind: "update", set: { amount: null }, where: { column: "name", in: ["merged", "four"] } },
    ],
  },
  {
    name: "merge, update, delete by deletion vectors, change feed",
    made: {
      by: "spark",
      sql: [
        create(COLUMNS, properties(VECTORS, FEED)),
        FOUR,
        "UPDATE $table SET amount = amount + 1 WHERE id < 3",
        MERGE,
        "DELETE FROM $table WHERE name = 'new'",
      ],
    },
    ours: OURS,
    changeFeed: true,
  },
  {
    name: "optimize and Z-order over deletion vectors",
    made: {
      by: "spark",
      sql: [
        create(COLUMNS, properties(VECTORS)),
        FOUR,
        MERGE,
        "OPTIMIZE $table ZORDER BY (amount)",
        "DELETE FROM $table WHERE id = 5",
      ],
    },
    ours: OURS,
  },
  {
    name: "liquid clustering",
    made: {
      by: "spark",
      sql: [create(COLUMNS, `CLUSTER BY (name, id) ${properties(VECTORS)}`), FOUR, "OPTIMIZE $table", MERGE],
    },
    ours: OURS,
  },
  {
    name: "shallow clone",
    made: {
      by: "spark",
      sql: [
        "CREATE TABLE delta.`$path-source` (id BIGINT, name STRING, amount DECIMAL(10,2)) USING delta TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')",
        "INSERT INTO delta.`$path-source` VALUES (1, 'one', 1.00), (2, 'two', 2.00), (3, NULL, NULL), (4, 'four', 4.00), (5, 'gone', 5.00)",
        "DELETE FROM delta.`$path-source` WHERE id = 5",
        "CREATE TABLE $table SHALLOW CLONE delta.`$path-source`",
        "DELETE FROM $table WHERE id = 3",
      ],
    },
    ours: WITHOUT_MERGE,
    unreadByPeers: {
      duckdb: {
        why: "it takes the absolute path of a file (`file:/…`, as Spark writes it) for a relative one",
        error: /Cannot open file/,
      },
    },
  },
  {
    name: "column mapping: rename, drop, odd names",
    made: {
      by: "spark",
      sql: [
        create(
          "id BIGINT, name STRING, gone INT, pair STRUCT<x: INT, y: STRING>",
          properties("delta.columnMapping.mode=name"),
        ),
        insert("(1, 'one', 1, named_struct('x', 1, 'y', 'a')), (2, NULL, NULL, NULL)"),
        "ALTER TABLE $table RENAME COLUMN name TO `the name`",
        "ALTER TABLE $table DROP COLUMN gone",
        "ALTER TABLE $table RENAME COLUMN pair.x TO `x y`",
        "ALTER TABLE $table ADD COLUMN gone STRING",
        insert("(3, 'three', named_struct('x y', 3, 'y', NULL), 'text')"),
      ],
    },
    ours: [
      { kind: "append", rows: [["4", "ours", { "x y": 4, y: "b" }, "c"]] },
      { kind: "update", set: { gone: "now" }, where: { column: "the name", in: ["one"] } },
      { kind: "delete", where: { column: "id", in: ["2"] } },
    ],
  },
  {
    name: "column mapping by id, partitioned",
    made: {
      by: "spark",
      sql: [
        create(
          "id BIGINT, `p q` STRING",
          `PARTITIONED BY (\`p q\`) ${properties("delta.columnMapping.mode=id", VECTORS)}`,
        ),
        insert("(1, 'a b'), (2, NULL), (3, 'x/y=z%'), (4, 'a b')"),
        "DELETE FROM $table WHERE id = 4",
      ],
    },
    ours: [
      {
        kind: "append",
        rows: [
          ["5", "é"],
          ["6", "a b"],
        ],
      },
      { kind: "delete", where: { column: "p q", in: [null] } },
    ],
    unreadByPeers: {
      duckdb: { why: "it finds no partition values under physical names and reads NULL" },
    },
  },
  {
    name: "checkpoint V2",
    made: {
      by: "spark",
      sql: [
        create(COLUMNS, properties("delta.checkpointPolicy=v2", "delta.checkpointInterval=2", VECTORS)),
        FOUR,
        MERGE,
        "DELETE FROM $table WHERE id = 5",
        "OPTIMIZE $table",
      ],
    },
    ours: OURS,
  },
  {
    name: "checkpoint of several parts",
    made: {
      by: "spark",
      sql: [create(COLUMNS, properties("delta.checkpointInterval=2")), FOUR, insert("(5, 'five', 5.00)"), MERGE],
      settings: { "spark.databricks.delta.checkpoint.partSize": "1" },
    },
    ours: OURS,
  },
  {
    name: "type widening",
    made: {
      by: "spark",
      sql: [
        create(
          "id BIGINT, a TINYINT, b INT, c FLOAT, d DECIMAL(5,2), e DATE",
          properties("delta.enableTypeWidening=true", "delta.feature.timestampNtz=supported"),
        ),
        insert("(1, -128, 2147483647, 0.5, 999.99, DATE '2024-02-29')"),
        "ALTER TABLE $table CHANGE COLUMN a TYPE INT",
        "ALTER TABLE $table CHANGE COLUMN b TYPE BIGINT",
        "ALTER TABLE $table CHANGE COLUMN c TYPE DOUBLE",
        "ALTER TABLE $table CHANGE COLUMN d TYPE DECIMAL(12,4)",
        "ALTER TABLE $table CHANGE COLUMN e TYPE TIMESTAMP_NTZ",
        insert("(2, 2147483647, 9223372036854775807, 0.1D, 12345678.0001, TIMESTAMP_NTZ '2024-01-01 00:00:00.5')"),
      ],
    },
    ours: [
      { kind: "append", rows: [["3", 70000, "1", 1e300, "0.0001", "1969-12-31 23:59:59.999999"]] },
      { kind: "update", set: { a: 1 }, where: { column: "id", in: ["1"] } },
    ],
    unreadByPeers: NO_WIDENING,
  },
  {
    name: "row tracking",
    made: {
      by: "spark",
      sql: [
        create(COLUMNS, properties("delta.enableRowTracking=true", VECTORS)),
        FOUR,
        MERGE,
        "DELETE FROM $table WHERE id = 5",
      ],
    },
    ours: OURS,
    keepsRowIds: true,
  },
  {
    name: "in-commit timestamps",
    made: {
      by: "spark",
      sql: [create(COLUMNS, properties("delta.enableInCommitTimestamps=true")), FOUR, MERGE],
    },
    ours: OURS,
  },
  {
    name: "NOT NULL, CHECK constraint, comments",
    made: {
      by: "spark",
      sql: [
        create("id BIGINT NOT NULL COMMENT 'the key', amount DECIMAL(10,2)", "COMMENT 'a table'"),
        insert("(1, 1.00), (2, 2.00)"),
        "ALTER TABLE $table ADD CONSTRAINT positive CHECK (amount > 0)",
      ],
    },
    ours: [
      { kind: "append", rows: [["3", "0.01"]] },
      { kind: "update", set: { amount: "10.00" }, where: { column: "id", in: ["1"] } },
    ],
    refused: [
      {
        step: { kind: "append", rows: [["4", "0.00"]] },
        code: "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
        message: /positive \(amount > 0\)/,
      },
      {
        step: { kind: "append", rows: [[null, "1.00"]] },
        code: "DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
        message: /id/,
      },
      {
        step: { kind: "update", set: { amount: "-1.00" }, where: { column: "id", in: ["2"] } },
        code: "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
        message: /positive/,
      },
    ],
  },
  {
    name: "generated and default columns",
    made: {
      by: "spark",
      sql: [
        create(
          "id BIGINT, double BIGINT GENERATED ALWAYS AS (id * 2), state STRING DEFAULT 'open'",
          properties("delta.feature.allowColumnDefaults=supported"),
        ),
        "INSERT INTO $table (id) VALUES (1), (2)",
      ],
    },
    ours: [
      { kind: "append", rows: [["3", "6", "closed"]] },
      { kind: "delete", where: { column: "id", in: ["1"] } },
    ],
    refused: [
      {
        step: { kind: "append", rows: [["4", "9", null]] },
        code: "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
        message: /double/,
      },
    ],
  },
  {
    name: "identity column",
    made: {
      by: "spark",
      sql: [
        create(
          "id BIGINT GENERATED ALWAYS AS IDENTITY (START WITH 10 INCREMENT BY 5), name STRING",
          properties(VECTORS),
        ),
        "INSERT INTO $table (name) VALUES ('a'), ('b')",
      ],
    },
    ours: [{ kind: "delete", where: { column: "name", in: ["a"] } }],
    refused: [
      {
        step: { kind: "append", rows: [["c"]], columns: ["name"] },
        code: "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
        message: /identity/i,
      },
    ],
  },
  {
    name: "partitions of every type, odd values",
    made: {
      by: "spark",
      sql: [
        create(
          "id BIGINT, flag BOOLEAN, b TINYINT, amount DECIMAL(20,3), d DOUBLE, text STRING, day DATE, at TIMESTAMP, bytes BINARY",
          "PARTITIONED BY (flag, b, amount, d, text, day, at, bytes)",
        ),
        insert(`(1, true, -128, -12345678901234567.890, -2.5e-10, 'a/b c=d%25', DATE '0001-01-01', TIMESTAMP '2024-02-29 10:00:00.123456', X'4142'),
          (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
          (3, false, 0, 0, 1e300, 'é😀', DATE '9999-12-31', TIMESTAMP '1969-12-31 23:59:59', X'61')`),
      ],
    },
    ours: [
      {
        kind: "append",
        rows: [["4", true, 1, "0.001", 0.1, "__HIVE_DEFAULT_PARTITION__x", "2024-01-01", "2024-01-01 00:00:00", "7A"]],
      },
      { kind: "delete", where: { column: "text", in: ["é😀"] } },
      { kind: "update", set: { id: "20" }, where: { column: "text", in: [null] } },
    ],
  },
  {
    name: "overwrite by predicate, restore",
    made: {
      by: "spark",
      sql: [
        create(COLUMNS),
        FOUR,
        "INSERT INTO $table REPLACE WHERE id = 2 VALUES (2, 'replaced', 2.50)",
        "DELETE FROM $table",
        "RESTORE TABLE $table TO VERSION AS OF 2",
      ],
    },
    ours: OURS,
  },
  {
    name: "converted Parquet",
    made: {
      by: "spark",
      sql: [
        "CREATE TABLE parquet_source USING parquet PARTITIONED BY (p) LOCATION '$path' AS SELECT id, string(id) AS name, int(id % 2) AS p FROM range(6)",
        "DROP TABLE parquet_source",
        "CONVERT TO DELTA parquet.`$path` PARTITIONED BY (p INT)",
      ],
    },
    ours: [
      { kind: "append", rows: [["100", "ours", null]] },
      { kind: "delete", where: { column: "id", in: ["3"] } },
      { kind: "update", set: { p: 7 }, where: { column: "name", in: ["4"] } },
    ],
  },
  {
    name: "variant",
    made: {
      by: "spark",
      sql: [create("id BIGINT, v VARIANT"), "INSERT INTO $table SELECT 1, parse_json('{\"a\": 1}')"],
    },
    ours: [],
    unread: { code: "DELTA_UNSUPPORTED_FEATURES_FOR_READ", message: /variant/i },
    refused: [
      {
        step: { kind: "delete", where: { column: "id", in: ["1"] } },
        code: "DELTA_UNSUPPORTED_FEATURES_FOR_READ",
        message: /variant/i,
      },
    ],
  },
];
