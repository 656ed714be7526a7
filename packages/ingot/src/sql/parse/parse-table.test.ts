import { describe, expect, it } from "vitest";
import { IngotError } from "../../model/error.js";
import { sqlText } from "../../model/position.js";
import type { Relation } from "../../model/query.js";
import { checkStreaming } from "../check-streaming.js";
import { parseQuery } from "./parse-query.js";

/** Where a relation may stand: each query reads `SOURCE` and nothing else. */
const PATHS = {
  FROM: "SELECT * FROM SOURCE",
  "a join": "SELECT 1 FROM range(1) JOIN SOURCE ON true",
  "a derived table": "SELECT * FROM (SELECT * FROM SOURCE) AS x",
  "a CTE": "WITH q AS (SELECT * FROM SOURCE) SELECT * FROM q",
  "a set operation": "SELECT 1 UNION ALL SELECT a FROM SOURCE",
  EXISTS: "SELECT 1 WHERE EXISTS (SELECT * FROM SOURCE)",
  IN: "SELECT 1 WHERE 1 IN (SELECT a FROM SOURCE)",
  "a scalar subquery": "SELECT (SELECT max(a) FROM SOURCE) AS m",
  TABLE: "TABLE SOURCE",
};
type PathName = keyof typeof PATHS;
const everywhere = Object.keys(PATHS) as PathName[];
/** Where a stream may be read: a subquery of an expression, or a side of a union, has no batch. */
const streamable: readonly PathName[] = ["FROM", "a join", "a derived table", "a CTE", "TABLE"];

function read(path: PathName, source: string): Relation | undefined {
  const parsed = parseQuery(sqlText(PATHS[path].replace("SOURCE", source)));
  checkStreaming(parsed);
  return parsed.relations[0];
}

function fault(path: PathName, source: string): { code: string; column: number; text: string } {
  try {
    read(path, source);
  } catch (error) {
    if (!(error instanceof IngotError)) throw error;
    return { code: error.code, column: error.at?.column ?? 0, text: `${error.message}. ${error.hint}` };
  }
  throw new Error(`${source} in ${path} was taken`);
}

const FILES = "read_files('in', format => 'csv', header => true, schema => 'a INT')";

describe("what a query reads, wherever it stands", () => {
  it.each([
    ["t", { kind: "table", name: ["t"], stream: false }],
    ["c.s.t VERSION AS OF 3", { name: ["c", "s", "t"], asOf: { version: 3n } }],
    ["t VERSION AS OF '3'", { asOf: { version: 3n } }],
    ["t FOR SYSTEM_VERSION AS OF 3", { asOf: { version: 3n } }],
    ["t TIMESTAMP AS OF '2026-10-01'", { asOf: { timestamp: "2026-10-01" } }],
    ["t FOR SYSTEM_TIME AS OF TIMESTAMP '2026-10-01 12:00:00'", { asOf: { timestamp: "2026-10-01 12:00:00" } }],
    ["delta.`/d/t` VERSION AS OF 1", { kind: "path", path: "/d/t", asOf: { version: 1n } }],
    ["IDENTIFIER('s.`a b`')", { name: ["s", "a b"] }],
    ["IDENTIFIER('t') VERSION AS OF 2", { name: ["t"], asOf: { version: 2n } }],
    [FILES, { kind: "files", stream: false }],
    [
      "table_changes('s.t', 0)",
      { kind: "table", name: ["s", "t"], stream: false, options: { changeFeed: true, from: { version: "0" } } },
    ],
    [
      "table_changes('t', 2L, '2026-10-01 08:00:00')",
      { options: { from: { version: "2" }, to: { timestamp: "2026-10-01 08:00:00" } } },
    ],
    ["table_changes_by_path('/d/t', 1, 2)", { kind: "path", path: "/d/t", options: { to: { version: "2" } } }],
  ])("%s", (source, expected) => {
    for (const path of everywhere) expect(read(path, source), path).toMatchObject(expected);
  });

  it.each(["STREAM t", "STREAM(t)", "STREAM IDENTIFIER('t')", `STREAM ${FILES}`])(
    "%s, where rows have a batch",
    (source) => {
      for (const path of streamable) expect(read(path, source), path).toMatchObject({ stream: true });
      for (const path of everywhere.filter((p) => !streamable.includes(p)))
        expect(fault(path, source).code, path).toBe("UNSUPPORTED_CLAUSE");
    },
  );
});

describe("what is refused by name and place, wherever it stands", () => {
  it.each([
    ["STREAM table_changes('t', 0)", "UNSUPPORTED_CLAUSE", 8, /Write STREAM t WITH \(readChangeFeed/],
    ["table_changes('t')", "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", 1, /Write table_changes\('t', 0\)/],
    ["table_changes('t', 0, 1, 2)", "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", 1, /a table, a start and perhaps an end/],
    ["table_changes(t, 0)", "UNSUPPORTED_CLAUSE", 1, /Write its name as a string/],
    ["table_changes('t u', 0)", "UNSUPPORTED_CLAUSE", 1, /table_changes of other than a name/],
    ["table_changes('t', -1)", "UNSUPPORTED_CLAUSE", 1, /Write a version such as 0/],
    ["table_changes('t', DATE'2026-10-01')", "UNSUPPORTED_CLAUSE", 1, /Write a version such as 0/],
    ["cloud_files('x', 'csv')", "UNSUPPORTED_FUNCTION", 1, /read_files\('path'/],
    ["STREAM read_kafka(subscribe => 'x')", "UNSUPPORTED_FUNCTION", 8, /Write the messages to files/],
    ["t WITH (readChangeFeed = true)", "UNSUPPORTED_CLAUSE", 3, /WITH \(…\) after a table .* table_changes/],
    ["STREAM t CHANGES", "UNSUPPORTED_CLAUSE", 10, /CHANGES/],
    ["t TIMESTAMP AS OF current_date()", "UNSUPPORTED_CLAUSE", 3, /form of TIMESTAMP AS OF .* Write VERSION AS OF 3/],
    ["t VERSION AS OF 1 + 1", "UNSUPPORTED_CLAUSE", 3, /form of VERSION AS OF/],
    ["t VERSION AS OF 'three'", "UNSUPPORTED_CLAUSE", 3, /form of VERSION AS OF/],
    ["t@v3", "PARSE_SYNTAX_ERROR", 2, /Write t VERSION AS OF 3/],
    ["delta.`/d/t@v3`", "UNSUPPORTED_CLAUSE", 1, /ends in @v3 .* Write VERSION AS OF 3/],
    ["delta.`/d/t@20261001000000000`", "UNSUPPORTED_CLAUSE", 1, /Write TIMESTAMP AS OF/],
    ["parquet.`/d/t`", "NOT_SUPPORTED", 1, /Reading parquet/],
    ["IDENTIFIER('t' || 'x')", "UNSUPPORTED_CLAUSE", 1, /IDENTIFIER of a computed name/],
    ["IDENTIFIER(:name)", "UNSUPPORTED_CLAUSE", 1, /IDENTIFIER of a computed name/],
    ["t TABLESAMPLE (10 PERCENT)", "UNSUPPORTED_CLAUSE", 3, /TABLESAMPLE/],
    ["read_files('in', format => lower('CSV'))", "BAD_OPTION", 28, /takes a constant/],
  ])("%s", (source, code, column, text) => {
    for (const path of everywhere) {
      const start = PATHS[path].indexOf("SOURCE");
      expect(fault(path, source), path).toMatchObject({
        code,
        column: start + column,
        text: expect.stringMatching(text),
      });
    }
  });
});
