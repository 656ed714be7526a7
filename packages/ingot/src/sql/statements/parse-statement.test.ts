import { describe, expect, it } from "vitest";
import type { Dataset } from "../../model/definition.js";
import { IngotError } from "../../model/error.js";
import { sqlText } from "../../model/position.js";
import { lex } from "../lexer.js";
import { TokenReader } from "../token-reader.js";
import { parseStatement } from "./parse-statement.js";

const defaults = { catalog: "c", schema: "s" };
const at = { file: "a.sql", line: 1, column: 1 };

function parse(text: string) {
  const sql = sqlText(text, "a.sql");
  const statement = parseStatement(new TokenReader(sql, lex(sql)), defaults);
  if (statement.kind !== "declare") throw new Error(`a ${statement.kind} statement`);
  return statement;
}

/** A dataset as given by its statement, texts without their places. */
function dataset(text: string): unknown {
  const [found] = parse(text).datasets;
  return JSON.parse(JSON.stringify(found, (_, value) => (value?.segments === undefined ? value : value.text)));
}

function fault(text: string): IngotError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof IngotError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
const place = ({ code, at }: IngotError) => `${at?.line}:${at?.column} ${code}`;

describe("datasets", () => {
  it("have a name, columns, expectations, clauses and a query", () => {
    const text = `CREATE OR REFRESH STREAMING TABLE bronze.vbak (
      vbeln STRING NOT NULL COMMENT 'doc', netwr DECIMAL(15,2), tags MAP<STRING, ARRAY<INT>>,
      CONSTRAINT valid_id EXPECT (vbeln IS NOT NULL AND length(vbeln) > 0) ON VIOLATION DROP ROW,
      CONSTRAINT pos EXPECT (netwr >= 0),
      CONSTRAINT f EXPECT (f(x, ')') = ',') ON VIOLATION FAIL UPDATE,
      constraint q expect (x) on violation quarantine row,
      CONSTRAINT pk PRIMARY KEY (vbeln) RELY)
      CLUSTER BY (vbeln) COMMENT 'it''s; AS SELECT' USING DELTA LOCATION '/x'
      TBLPROPERTIES ('a.b' = 'c', pipelines.reset.allowed = 'false', n 1, b = TRUE)
      WITH ROW FILTER cat.s.f ON (vbeln)
      AS SELECT * FROM STREAM(raw.vbak)`;
    expect(dataset(text)).toEqual({
      kind: "streaming-table",
      name: { catalog: "c", schema: "bronze", table: "vbak" },
      at,
      columns: [
        { name: "vbeln", type: "STRING", notNull: true, comment: "doc" },
        { name: "netwr", type: "DECIMAL(15,2)" },
        { name: "tags", type: "MAP<STRING, ARRAY<INT>>" },
      ],
      constraints: ["CONSTRAINT pk PRIMARY KEY (vbeln) RELY"],
      expectations: [
        {
          name: "valid_id",
          condition: "vbeln IS NOT NULL AND length(vbeln) > 0",
          action: "drop",
          at: { ...at, line: 3, column: 7 },
        },
        { name: "pos", condition: "netwr >= 0", action: "warn", at: { ...at, line: 4, column: 7 } },
        { name: "f", condition: "f(x, ')') = ','", action: "fail", at: { ...at, line: 5, column: 7 } },
        { name: "q", condition: "x", action: "quarantine", at: { ...at, line: 6, column: 7 } },
      ],
      clusterBy: ["vbeln"],
      comment: "it's; AS SELECT",
      location: "/x",
      properties: { "a.b": "c", "pipelines.reset.allowed": "false", n: "1", b: "true" },
      rowFilter: { function: "cat.s.f", columns: ["vbeln"] },
    });
    expect(parse(text).flows).toEqual([
      {
        kind: "query",
        name: "vbak",
        target: { catalog: "c", schema: "bronze", table: "vbak" },
        at,
        defaults,
        query: {
          text: "SELECT * FROM STREAM(raw.vbak)",
          segments: [{ start: 0, file: "a.sql", line: 11, column: 10 }],
        },
      },
    ]);
  });

  const kind = (text: string) => {
    const { datasets, flows } = parse(text);
    const [d] = datasets;
    return [d?.kind, d?.private === true ? "private" : "", d?.name.table, flows.length].join(" ");
  };

  it.each([
    ["CREATE STREAMING TABLE t", "streaming-table  t 0"],
    ["CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT 1", "materialized-view  m 1"],
    ["CREATE PRIVATE MATERIALIZED VIEW m CLUSTER BY AUTO AS SELECT 1", "materialized-view private m 1"],
    ["CREATE TEMPORARY STREAMING TABLE t", "streaming-table private t 0"],
    ["create temp view v as select 1", "temporary-view  v 1"],
    ["CREATE OR REPLACE TEMPORARY VIEW v (CONSTRAINT a EXPECT (b)) AS SELECT 1", "temporary-view  v 1"],
    ["CREATE VIEW IF NOT EXISTS v COMMENT 'x' AS SELECT 1", "view  v 1"],
    ["CREATE STREAMING TABLE if AS SELECT 1", "streaming-table  if 1"],
    ["CREATE OR REFRESH LIVE TABLE x AS SELECT 1", "materialized-view  x 1"],
    ["CREATE OR REFRESH STREAMING LIVE TABLE LIVE.x AS SELECT 1", "streaming-table  x 1"],
    ["CREATE TEMPORARY LIVE TABLE x AS SELECT 1", "materialized-view private x 1"],
    ["CREATE STREAMING LIVE VIEW x AS SELECT 1", "temporary-view  x 1"],
    ["CREATE LIVE VIEW LIVE.x AS SELECT 1", "temporary-view  x 1"],
    ["CREATE LIVE TABLE `LIVE`.x AS SELECT 1", "materialized-view  x 1"],
  ])("%s", (text, expected) => {
    expect(kind(text)).toBe(expected);
  });

  it("take each kind of column and key", () => {
    const columns = `a, b COMMENT 'k', c INT MASK f USING COLUMNS (a, 'x') NOT NULL, d INT DEFAULT g(1, 2) + 3 COMMENT 'd',
      e INT GENERATED ALWAYS AS (a + 1), f BIGINT GENERATED BY DEFAULT AS IDENTITY (START WITH 1),
      g INT CONSTRAINT pk PRIMARY KEY RELY NOT NULL, h INT FOREIGN KEY REFERENCES x.y (z) NOT ENFORCED,
      i BOOLEAN DEFAULT a IS NOT NULL NOT NULL, primary INT,
      PRIMARY KEY (a, b TIMESERIES) NOT ENFORCED, FOREIGN KEY (b) REFERENCES t`;
    const found = dataset(`CREATE MATERIALIZED VIEW m (${columns}) AS SELECT 1`) as Dataset;
    expect(found.columns).toEqual([
      { name: "a" },
      { name: "b", comment: "k" },
      { name: "c", type: "INT", notNull: true, extra: ["MASK f USING COLUMNS (a, 'x')"] },
      { name: "d", type: "INT", comment: "d", extra: ["DEFAULT g(1, 2) + 3"] },
      { name: "e", type: "INT", extra: ["GENERATED ALWAYS AS (a + 1)"] },
      { name: "f", type: "BIGINT", extra: ["GENERATED BY DEFAULT AS IDENTITY (START WITH 1)"] },
      { name: "g", type: "INT", notNull: true, extra: ["CONSTRAINT pk PRIMARY KEY RELY"] },
      { name: "h", type: "INT", extra: ["FOREIGN KEY REFERENCES x.y (z) NOT ENFORCED"] },
      { name: "i", type: "BOOLEAN", notNull: true, extra: ["DEFAULT a IS NOT NULL"] },
      { name: "primary", type: "INT" },
    ]);
    expect(found.constraints).toEqual(["PRIMARY KEY (a, b TIMESERIES) NOT ENFORCED", "FOREIGN KEY (b) REFERENCES t"]);
  });

  it.each([
    ["AUTO", "auto"],
    ["FULL", "full"],
    ["INCREMENTAL", "incremental"],
    ["INCREMENTAL STRICT", "incremental strict"],
  ])("take the refresh policy %s", (words, refreshPolicy) => {
    expect(dataset(`CREATE MATERIALIZED VIEW m REFRESH POLICY ${words} AS SELECT 1`)).toMatchObject({ refreshPolicy });
  });

  it("keep names as they are spelt", () => {
    const text = "CREATE STREAMING TABLE IF NOT EXISTS `my cat`.`s`.`t``x` (id INT) PARTITIONED BY (id)";
    expect(dataset(text)).toMatchObject({
      name: { catalog: "my cat", schema: "s", table: "t`x" },
      ifNotExists: true,
      partitionBy: ["id"],
    });
  });

  it("end their query before a comment", () => {
    const [flow] = parse("CREATE MATERIALIZED VIEW m AS SELECT a, b FROM x -- trailing AS\n").flows;
    expect(flow).toMatchObject({ query: { text: "SELECT a, b FROM x" } });
  });
});

describe("faults of a statement", () => {
  it.each([
    ["CREATE MATERIALISED VIEW m AS SELECT 1", "1:8 PARSE_SYNTAX_ERROR", "Did you mean MATERIALIZED?"],
    ["CRAETE VIEW v AS SELECT 1", "1:1 PARSE_SYNTAX_ERROR", "Did you mean CREATE?"],
    ["CREATE STREAMING TABEL t", "1:18 PARSE_SYNTAX_ERROR", "Did you mean TABLE?"],
    ["CREATE VIEW v COMENT 'x' AS SELECT 1", "1:15 PARSE_SYNTAX_ERROR", "Did you mean COMMENT?"],
    ["CREATE VIEW v (CONSTRAINT a EXPECTED (b)) AS SELECT 1", "1:29 PARSE_SYNTAX_ERROR", "Did you mean EXPECT?"],
    ["CREATE STREAMING TABLE t TBLPROPERTY ('a' = 'b')", "1:26 PARSE_SYNTAX_ERROR", "Did you mean TBLPROPERTIES?"],
  ])("%s", (text, expected, hint) => {
    expect([place(fault(text)), fault(text).hint]).toEqual([expected, hint]);
  });

  it("say what was found and what was expected", () => {
    expect(fault("CREATE VIEW v (CONSTRAINT a EXPECT (b) ON VIOLATION IGNORE) AS SELECT 1").message).toBe(
      "Syntax error at or near 'IGNORE': expected DROP ROW, FAIL UPDATE or QUARANTINE ROW",
    );
    expect(fault("CREATE MATERIALIZED VIEW m AS").message).toBe(
      "Syntax error at or near the end of the statement: expected a query",
    );
  });

  it.each([
    ["CREATE STREAMING TABLE a.b.c.d", "1:24 INVALID_IDENTIFIER"],
    ["CREATE STREAMING TABLE ``", "1:24 INVALID_IDENTIFIER"],
    ["CREATE STREAMING TABLE a.``", "1:26 INVALID_IDENTIFIER"],
    ["CREATE STREAMING TABLE my-table", "1:24 INVALID_IDENTIFIER"],
    ["CREATE STREAMING TABLE größe", "1:24 INVALID_IDENTIFIER"],
    ["CREATE STREAMING TABLE 'a'", "1:24 PARSE_SYNTAX_ERROR"],
    ["CREATE TEMPORARY VIEW s.v AS SELECT 1", "1:23 MULTIPART_TEMPORARY_VIEW_NAME_NOT_SUPPORTED"],
    ["CREATE FLOW s.f AS INSERT INTO t BY NAME SELECT 1", "1:13 MULTIPART_FLOW_NAME_NOT_SUPPORTED"],
    ["CREATE STREAMING TABLE t (a INT, A INT)", "1:34 COLUMN_ALREADY_EXISTS"],
    ["CREATE STREAMING TABLE t (a STRNG)", "1:29 BAD_SCHEMA"],
    ["CREATE STREAMING TABLE t (a VARCHAR(3))", "1:29 NOT_SUPPORTED"],
    ["CREATE STREAMING TABLE t (a INT b)", "1:33 PARSE_SYNTAX_ERROR"],
    ["CREATE STREAMING TABLE t ()", "1:27 PARSE_SYNTAX_ERROR"],
    ["CREATE STREAMING TABLE t (a INT", "1:32 PARSE_SYNTAX_ERROR"],
    ["CREATE STREAMING TABLE t (CONSTRAINT c EXPECT ())", "1:48 PARSE_SYNTAX_ERROR"],
    ["CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a", "1:49 PARSE_SYNTAX_ERROR"],
    ["CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a), CONSTRAINT c EXPECT (b))", "1:52 BAD_OPTION"],
    ["CREATE STREAMING TABLE t (CONSTRAINT c CHECK (a))", "1:40 NOT_SUPPORTED"],
    ["CREATE STREAMING TABLE t USING parquet", "1:32 NOT_SUPPORTED"],
    ["CREATE STREAMING TABLE t OPTIONS (a 'b')", "1:26 NOT_SUPPORTED"],
    ["CREATE MATERIALIZED VIEW m SCHEDULE EVERY 1 HOUR AS SELECT 1", "1:28 NOT_SUPPORTED"],
    ["CREATE VIEW v WITH SCHEMA BINDING AS SELECT 1", "1:15 NOT_SUPPORTED"],
    ["CREATE STREAMING TABLE t PARTITIONED BY (years(a))", "1:42 NOT_SUPPORTED"],
    ["CREATE STREAMING TABLE t CLUSTER BY (a.b)", "1:38 NOT_SUPPORTED"],
    ["CREATE STREAMING TABLE t CLUSTER BY NONE", "1:37 PARSE_SYNTAX_ERROR"],
    [
      "CREATE STREAMING TABLE t CLUSTER BY (a) PARTITIONED BY (b)",
      "1:1 SPECIFY_CLUSTER_BY_WITH_PARTITIONED_BY_IS_NOT_ALLOWED",
    ],
    ["CREATE STREAMING TABLE t COMMENT 'a' COMMENT 'b'", "1:38 PARSE_SYNTAX_ERROR"],
    ["CREATE STREAMING TABLE t TBLPROPERTIES ('a' = '1', a = '2')", "1:52 PARSE_SYNTAX_ERROR"],
    ["CREATE STREAMING TABLE t TBLPROPERTIES ('a' = -1)", "1:47 PARSE_SYNTAX_ERROR"],
    ["CREATE STREAMING TABLE t REFRESH POLICY FULL AS SELECT 1", "1:26 PARSE_SYNTAX_ERROR"],
    ["CREATE VIEW v CLUSTER BY (a) AS SELECT 1", "1:15 PARSE_SYNTAX_ERROR"],
    ["CREATE TEMPORARY VIEW IF NOT EXISTS v AS SELECT 1", "1:26 PARSE_SYNTAX_ERROR"],
    ["CREATE MATERIALIZED VIEW m", "1:27 PARSE_SYNTAX_ERROR"],
    ["CREATE STREAMING TABLE t SELECT 1", "1:26 PARSE_SYNTAX_ERROR"],
    ["CREATE OR REFRESH VIEW v AS SELECT 1", "1:8 PARSE_SYNTAX_ERROR"],
    ["CREATE PRIVATE VIEW v AS SELECT 1", "1:8 PARSE_SYNTAX_ERROR"],
    ["CREATE OR REPLACE FLOW f AS INSERT INTO t BY NAME SELECT 1", "1:8 PARSE_SYNTAX_ERROR"],
  ])("%s", (text, expected) => {
    expect(place(fault(text))).toBe(expected);
  });
});

describe("statements that cannot stand in a pipeline", () => {
  it.each([
    ["SELECT 1", "SELECT"],
    ["(SELECT 1)", "A query"],
    ["INSERT INTO t VALUES (1)", "INSERT"],
    ["CREATE TABLE t (a INT)", "CREATE TABLE"],
    ["CREATE OR REPLACE TABLE t AS SELECT 1", "CREATE TABLE"],
    ["CREATE GLOBAL TEMPORARY VIEW v AS SELECT 1", "CREATE GLOBAL"],
    ["create temporary function f as 'x'", "CREATE FUNCTION"],
    ["CREATE SCHEMA s", "CREATE SCHEMA"],
    ["DROP TABLE t", "DROP"],
    ["MERGE INTO t USING s ON a WHEN MATCHED THEN DELETE", "MERGE"],
    ["WITH a AS (SELECT 1) SELECT * FROM a", "WITH"],
    ["ALTER TABLE t ADD COLUMN a INT", "ALTER"],
    ["RESET", "RESET"],
  ])("%s", (text, named) => {
    const { code, message, hint } = fault(text);
    expect([code, message]).toEqual([
      "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR",
      `${named} cannot stand in a pipeline file`,
    ]);
    expect(hint).toMatch(/CREATE|STREAMING TABLE/);
  });
});
