import { describe, expect, it } from "vitest";
import { IngotError } from "../../model/error.js";
import { sqlText } from "../../model/position.js";
import { lex } from "../lexer.js";
import { TokenReader } from "../token-reader.js";
import { parseStatement } from "./parse-statement.js";

const defaults = { catalog: "c", schema: "s" };

function parse(text: string) {
  const sql = sqlText(text, "a.sql");
  const statement = parseStatement(new TokenReader(sql, lex(sql)), defaults);
  if (statement.kind !== "declare") throw new Error(`a ${statement.kind} statement`);
  return statement;
}

/** The flow of a statement, without place and defaults, texts without their places, the target's name shortened. */
function flow(text: string): unknown {
  const [found] = parse(text).flows;
  return JSON.parse(
    JSON.stringify(found, (key, value) => {
      if (key === "at" || key === "defaults") return undefined;
      if (key === "target") return `${value.schema}.${value.table}`;
      return value?.segments === undefined ? value : value.text;
    }),
  );
}

function fault(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof IngotError)) throw error;
    return `${error.at?.line}:${error.at?.column} ${error.code}`;
  }
  return "nothing was refused";
}

describe("append flows", () => {
  const query = { kind: "query", name: "f", target: "s.t", query: "SELECT 1" };
  it.each([
    ["CREATE FLOW f AS INSERT INTO t BY NAME SELECT 1", query],
    [
      "create flow f comment 'c' as insert once into t by name select 1",
      { ...query, comment: "c", once: true, query: "select 1" },
    ],
    ["CREATE FLOW f AS INSERT INTO ONCE x.t BY NAME SELECT 1", { ...query, target: "x.t", once: true }],
    ["CREATE FLOW f AS INSERT INTO once BY NAME SELECT 1", { ...query, target: "s.once" }],
    [
      "CREATE FLOW f AS INSERT INTO LIVE.t BY NAME SELECT * FROM STREAM(LIVE.x)",
      { ...query, query: "SELECT * FROM STREAM(x)" },
    ],
    ["CREATE STREAMING TABLE f FLOW INSERT ONCE BY NAME SELECT 1", { ...query, target: "s.f", once: true }],
    [
      "CREATE FLOW f AS INSERT INTO t BY NAME WITH a AS (SELECT 1) SELECT 1",
      { ...query, query: "WITH a AS (SELECT 1) SELECT 1" },
    ],
  ])("%s", (text, expected) => {
    expect(flow(text)).toEqual(expected);
  });
});

describe("replace flows", () => {
  const replace = { kind: "replace", name: "f", target: "s.t", query: "SELECT 1" };
  it.each([
    [
      "CREATE FLOW f AS INSERT INTO t BY NAME REPLACE WHERE a IS DISTINCT FROM 1 AND b IN (SELECT 2) SELECT 1",
      { ...replace, replaceWhere: "a IS DISTINCT FROM 1 AND b IN (SELECT 2)" },
    ],
    [
      "CREATE FLOW f AS INSERT INTO t BY NAME REPLACE USING (a, b) SEQUENCE BY c SELECT 1",
      { ...replace, replaceUsing: ["a", "b"], sequenceBy: "c" },
    ],
    [
      "CREATE STREAMING TABLE f FLOW REPLACE WHERE year = 2026 BY NAME SELECT 1",
      { ...replace, target: "s.f", replaceWhere: "year = 2026" },
    ],
    [
      "CREATE STREAMING TABLE f FLOW REPLACE USING (a) SEQUENCE BY c BY NAME SELECT 1",
      { ...replace, target: "s.f", replaceUsing: ["a"], sequenceBy: "c" },
    ],
  ])("%s", (text, expected) => {
    expect(flow(text)).toEqual(expected);
  });
});

describe("AUTO CDC flows", () => {
  const cdc = {
    kind: "auto-cdc",
    name: "f",
    target: "s.t",
    source: "STREAM(s)",
    keys: ["id"],
    sequenceBy: "ts",
    storedAs: "scd1",
  };
  const head = "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(s) KEYS (id)";
  it.each([
    [`${head} SEQUENCE BY ts`, cdc],
    ["APPLY CHANGES INTO LIVE.t FROM STREAM(LIVE.s) KEYS (id) SEQUENCE BY ts", { ...cdc, name: "t" }],
    ["CREATE FLOW f AS APPLY CHANGES INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY ts", cdc],
    [
      "CREATE STREAMING TABLE f FLOW AUTO CDC INTO f FROM STREAM(s) KEYS (id) SEQUENCE BY ts",
      { ...cdc, target: "s.f" },
    ],
    [
      "CREATE STREAMING TABLE f FLOW AUTO CDC ONCE FROM STREAM(s) KEYS (id) SEQUENCE BY ts",
      { ...cdc, target: "s.f", once: true },
    ],
    [
      "CREATE FLOW f AS AUTO CDC ONCE INTO t FROM stream s KEYS (id, `o id`) SEQUENCE BY ts",
      { ...cdc, source: "stream s", keys: ["id", "o id"], once: true },
    ],
    [
      "CREATE FLOW f AS AUTO CDC INTO t FROM (SELECT * FROM STREAM LIVE.s WHERE keys = 1) KEYS (id) SEQUENCE BY ts",
      { ...cdc, source: "(SELECT * FROM STREAM s WHERE keys = 1)" },
    ],
    [
      "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM a.b WITH (readChangeFeed = true) KEYS (id) SEQUENCE BY ts",
      { ...cdc, source: "STREAM a.b WITH (readChangeFeed = true)" },
    ],
    [
      "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM read_files('/x', format => 'csv') KEYS (id) SEQUENCE BY ts",
      { ...cdc, source: "STREAM read_files('/x', format => 'csv')" },
    ],
    [
      `${head} SEQUENCE BY struct(ts, seq) APPLY AS DELETE WHEN op = "DELETE" OR sequence BETWEEN 1 AND 2 COLUMNS * EXCEPT (op, seq)
       STORED AS SCD TYPE 2 TRACK HISTORY ON * EXCEPT (upd)`,
      {
        ...cdc,
        sequenceBy: "struct(ts, seq)",
        applyAsDeletes: 'op = "DELETE" OR sequence BETWEEN 1 AND 2',
        exceptColumnList: ["op", "seq"],
        storedAs: "scd2",
        trackHistoryExceptColumnList: ["upd"],
      },
    ],
    [
      `${head} IGNORE NULL UPDATES APPLY AS TRUNCATE WHEN op IS NOT NULL AND columns * 2 > 3 SEQUENCE BY ts COLUMNS a, b STORED AS SCD TYPE 1`,
      {
        ...cdc,
        ignoreNullUpdates: true,
        applyAsTruncates: "op IS NOT NULL AND columns * 2 > 3",
        columnList: ["a", "b"],
      },
    ],
    [
      `${head} IGNORE NULL UPDATES ON (a, b) SEQUENCE BY ts COLUMNS *`,
      { ...cdc, ignoreNullUpdates: { on: ["a", "b"] } },
    ],
    [`${head} IGNORE NULL UPDATES ON * EXCEPT (a) SEQUENCE BY ts`, { ...cdc, ignoreNullUpdates: { except: ["a"] } }],
    [
      `${head} SEQUENCE BY ts SYSTEM SEQUENCE BY sys STORED AS BITEMPORAL COLUMNS TO UPDATE changed COLUMNS (a)`,
      { ...cdc, systemSequenceBy: "sys", storedAs: "bitemporal", columnsToUpdate: "changed", columnList: ["a"] },
    ],
    [
      `${head} SEQUENCE BY ts STORED AS SCD TYPE 2 TRACK HISTORY ON (a, b)`,
      { ...cdc, storedAs: "scd2", trackHistoryColumnList: ["a", "b"] },
    ],
    [
      `${head} WITH (ties => 'delete', ON_INVALID => 'quarantine', max_delete_share => 0.25, onArchiveDelete => 'keep') SEQUENCE BY ts`,
      { ...cdc, ties: "delete", onInvalid: "quarantine", maxDeleteShare: 0.25, onArchiveDelete: "keep" },
    ],
  ])("%s", (text, expected) => {
    expect(flow(text)).toEqual(expected);
  });

  const snapshot = {
    kind: "auto-cdc-from-snapshot",
    name: "f",
    target: "s.t",
    source: "s",
    keys: ["id"],
    storedAs: "scd1",
  };
  it.each([
    ["CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT s KEYS (id)", snapshot],
    [
      `CREATE FLOW f AS AUTO CDC ONCE INTO t FROM SNAPSHOT (SELECT * FROM LIVE.s) WITH VERSION (SELECT max(v) FROM s)
       KEYS (id) STORED AS SCD TYPE 2 TRACK HISTORY ON a WITH (min_row_share => 0.5)`,
      {
        ...snapshot,
        once: true,
        source: "(SELECT * FROM s)",
        version: "SELECT max(v) FROM s",
        storedAs: "scd2",
        trackHistoryColumnList: ["a"],
        minRowShare: 0.5,
      },
    ],
  ])("%s", (text, expected) => {
    expect(flow(text)).toEqual(expected);
  });

  it("keep the places of their texts", () => {
    const [found] = parse("CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(LIVE.s)\nKEYS (id) SEQUENCE BY\n  ts").flows;
    expect(found).toMatchObject({
      at: { line: 1, column: 1 },
      source: {
        text: "STREAM(s)",
        segments: [
          { start: 0, line: 1, column: 39 },
          { start: 7, line: 1, column: 51 },
        ],
      },
      sequenceBy: { segments: [{ start: 0, line: 3, column: 3 }] },
    });
  });
});

describe("faults of flows", () => {
  const head = "CREATE FLOW f AS AUTO CDC INTO t FROM s ";
  it.each([
    ["CREATE FLOW f", "1:14 PARSE_SYNTAX_ERROR"],
    ["CREATE FLOW f AS SELECT 1", "1:18 PARSE_SYNTAX_ERROR"],
    ["CREATE FLOW f AS INSERT OVERWRITE t BY NAME SELECT 1", "1:25 PARSE_SYNTAX_ERROR"],
    ["CREATE FLOW f AS INSERT INTO t SELECT 1", "1:32 PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR"],
    ["CREATE FLOW f AS INSERT INTO t (a) SELECT 1", "1:32 PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR"],
    ["CREATE FLOW f AS INSERT INTO t BY NAME", "1:39 PARSE_SYNTAX_ERROR"],
    ["CREATE FLOW f AS INSERT ONCE INTO t BY NAME REPLACE WHERE a SELECT 1", "1:45 NOT_SUPPORTED"],
    ["CREATE FLOW f AS INSERT INTO t BY NAME REPLACE USING (a) SELECT 1", "1:58 PARSE_SYNTAX_ERROR"],
    ["CREATE FLOW f AS INSERT INTO t BY NAME REPLACE WHERE a", "1:55 PARSE_SYNTAX_ERROR"],
    ["CREATE STREAMING TABLE t FLOW AUTO CDC INTO x FROM s KEYS (id) SEQUENCE BY ts", "1:45 PARSE_SYNTAX_ERROR"],
    ["CREATE STREAMING TABLE t FLOW UPSERT", "1:31 PARSE_SYNTAX_ERROR"],
    [`${head}SEQUENCE BY ts`, "1:55 AUTOCDC_EMPTY_KEYS"],
    [`${head}KEYS () SEQUENCE BY ts`, "1:46 AUTOCDC_EMPTY_KEYS"],
    [`${head}KEYS (id)`, "1:50 AUTOCDC_MISSING_SEQUENCE_BY"],
    [`${head}KEY (id) SEQUENCE BY ts`, "1:41 PARSE_SYNTAX_ERROR"],
    [`${head}KEYS (a.id) SEQUENCE BY ts`, "1:48 PARSE_SYNTAX_ERROR"],
    [`${head}KEYS (id) SEQUENCE BY ts, seq`, "1:65 PARSE_SYNTAX_ERROR"],
    [`${head}KEYS (id) SEQUENCE BY STORED AS SCD TYPE 1`, "1:63 PARSE_SYNTAX_ERROR"],
    [`${head}KEYS (id) SEQUENCE BY (ts`, "1:66 PARSE_SYNTAX_ERROR"],
    [`${head}KEYS (id) SEQUENCE BY ts KEYS (id)`, "1:66 PARSE_SYNTAX_ERROR"],
    [
      `${head}KEYS (id) SEQUENCE BY ts COLUMNS (a) COLUMNS * EXCEPT (b)`,
      "1:78 AUTOCDC_BOTH_COLUMN_LIST_AND_EXCEPT_COLUMN_LIST",
    ],
    [`${head}KEYS (id) SEQUENCE BY ts STORED AS SCD TYPE 3`, "1:85 PARSE_SYNTAX_ERROR"],
    [`${head}KEYS (id) SEQUENCE BY ts TRACK HISTORY ON a`, "1:1 BAD_OPTION"],
    [`${head}KEYS (id) SEQUENCE BY ts APPLY AS TRUNCATE WHEN a STORED AS SCD TYPE 2`, "1:1 BAD_OPTION"],
    [`${head}KEYS (id) SEQUENCE BY ts SYSTEM SEQUENCE BY a`, "1:1 BAD_OPTION"],
    [`${head}KEYS (id) SEQUENCE BY ts WITH (tie => 'delete')`, "1:72 UNKNOWN_OPTION"],
    [`${head}KEYS (id) SEQUENCE BY ts WITH (ties => 'never')`, "1:80 BAD_OPTION"],
    [`${head}KEYS (id) SEQUENCE BY ts WITH (max_delete_share => 2)`, "1:92 BAD_OPTION"],
    ["CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT s KEYS (id) STORED AS BITEMPORAL", "1:70 PARSE_SYNTAX_ERROR"],
    ["CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT s KEYS (id) SEQUENCE BY ts", "1:60 PARSE_SYNTAX_ERROR"],
  ])("%s", (text, expected) => {
    expect(fault(text)).toBe(expected);
  });
});
