import { describe, expect, it } from "vitest";
import { sqlText } from "../../model/position.js";
import { parseQuery } from "./parse-query.js";
import { errorOf } from "./test-tree.js";

const optionsOf = (source: string) => {
  const [relation] = parseQuery(sqlText(`SELECT * FROM ${source}`)).relations;
  return relation?.kind === "files" ? undefined : relation?.options;
};

// The forms are those that Spark 4.2 takes; `=>` is Lakeflow's sign for options.
describe("options of a streaming read", () => {
  it.each([
    ["STREAM t WITH (readChangeFeed = true, startingVersion = 0)", { changeFeed: true, from: { version: "0" } }],
    ["STREAM t WITH (readChangeFeed = true) AS x", { changeFeed: true }],
    ["STREAM(t) WITH ('READCHANGEFEED' 'true')", { changeFeed: true }],
    ["STREAM delta.`/d/t` WITH (startingTimestamp = '2026-10-01')", { from: { timestamp: "2026-10-01" } }],
    ["STREAM t WITH (startingVersion = 'latest')", { from: "latest" }],
    ["STREAM t WITH (skipChangeCommits => true)", { skipChangeCommits: true }],
    ["STREAM t WITH (maxFilesPerTrigger = 10, maxBytesPerTrigger = '10g')", { maxFiles: 10, maxBytes: 10 * 1024 ** 3 }],
    ["STREAM t WITH (readChangeFeed = false)", {}],
    ["STREAM t", undefined],
  ])("%s", (source, expected) => {
    expect(optionsOf(source)).toEqual(expected);
  });

  it.each([
    ["STREAM t WITH (nonsense = 1)", "UNKNOWN_OPTION", 30, "There are readChangeFeed"],
    ["STREAM t WITH (maxFilePerTrigger = 1)", "UNKNOWN_OPTION", 30, "Did you mean maxFilesPerTrigger?"],
    ["STREAM t WITH (endingVersion = 1)", "NOT_SUPPORTED", 30, "table_changes('t', from, to)"],
    ["STREAM t WITH (ignoreChanges = true)", "NOT_SUPPORTED", 30, "skipChangeCommits"],
    ["STREAM t WITH (readChangeFeed = 3)", "BAD_OPTION", 47, "true or false"],
    ["STREAM t WITH (startingVersion = 'x')", "BAD_OPTION", 30, "Write a version such as 0"],
    ["STREAM t WITH (startingVersion = 1, startingTimestamp = '2026-10-01')", "BAD_OPTION", 51, "Keep one"],
    ["STREAM t WITH (readChangeFeed = true, readchangefeed = false)", "BAD_OPTION", 53, "Keep one"],
    ["STREAM t WITH (readChangeFeed = true, skipChangeCommits = true)", "BAD_OPTION", 53, "_change_type"],
    ["STREAM t WITH (skipChangeCommits)", "PARSE_SYNTAX_ERROR", 47, undefined],
    ["STREAM(t WITH (readChangeFeed = true))", "UNSUPPORTED_CLAUSE", 24, undefined],
  ])("%s is refused at its place", (source, code, column, hint) => {
    const error = errorOf(`SELECT * FROM ${source}`);
    expect([error.code, error.at?.column]).toEqual([code, column]);
    if (hint !== undefined) expect(error.hint).toContain(hint);
  });
});

describe("a watermark", () => {
  it("stands between the options and the alias, of a table or a query", () => {
    const parse = (text: string) => parseQuery(sqlText(`SELECT x.a FROM ${text} AS x`)).query.body;
    for (const source of ["STREAM t WITH (maxFilesPerTrigger = 1)", "STREAM t", "(SELECT * FROM STREAM t)"]) {
      const body = parse(`${source} WATERMARK x.ts DELAY OF INTERVAL 10 MINUTES`);
      expect(body, source).toMatchObject({ from: { alias: "x", watermark: { time: { path: ["x", "ts"] } } } });
    }
  });

  it("may not be late in the past", () => {
    const error = errorOf("SELECT a FROM STREAM t WATERMARK ts DELAY OF INTERVAL -5 MINUTES");
    expect([error.code, error.at?.column]).toEqual(["INVALID_PARAMETER_VALUE", 46]);
  });
});
