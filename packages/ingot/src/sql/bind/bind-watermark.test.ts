import { describe, expect, it } from "vitest";
import { columns, thrown } from "../../graph/test-builders.js";
import { sqlText } from "../../model/position.js";
import { compileParsed } from "../compile.js";
import { parseQuery } from "../parse/parse-query.js";

const compile = (text: string) =>
  compileParsed(parseQuery(sqlText(text)), new Map([["r0", columns("id int, ts timestamp, day date")]]));

// Spark 4.2 answers alike: the query's columns stay, in their order.
describe("WATERMARK", () => {
  it.each([
    "SELECT * FROM STREAM w WATERMARK ts DELAY OF INTERVAL 5 MINUTES",
    "SELECT * FROM STREAM w WATERMARK w.ts DELAY OF INTERVAL '5' MINUTE",
    "SELECT * FROM STREAM w WATERMARK x.ts DELAY OF INTERVAL 5 MINUTES AS x",
    "SELECT * FROM w WATERMARK ts DELAY OF INTERVAL 5 MINUTES",
    "SELECT * FROM (SELECT * FROM STREAM w) WATERMARK ts DELAY OF INTERVAL 5 MINUTES AS y",
  ])("%s", (text) => {
    expect(compile(text).schema.map(({ name }) => name)).toEqual(["id", "ts", "day"]);
  });

  it.each([
    ["id", "EVENT_TIME_IS_NOT_ON_TIMESTAMP_TYPE"],
    ["day", "EVENT_TIME_IS_NOT_ON_TIMESTAMP_TYPE"],
    ["nope", "UNRESOLVED_COLUMN.WITH_SUGGESTION"],
  ])("on %s is refused: %s", (column, code) => {
    const error = thrown(() => compile(`SELECT * FROM STREAM w WATERMARK ${column} DELAY OF INTERVAL 5 MINUTES`));
    expect([error.code, error.at?.column]).toEqual([code, 34]);
  });
});
