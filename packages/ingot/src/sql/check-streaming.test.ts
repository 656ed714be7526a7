import { describe, expect, it } from "vitest";
import { IngotError } from "../model/error.js";
import { sqlText } from "../model/position.js";
import { checkStreaming } from "./check-streaming.js";
import { parseQuery } from "./parse/parse-query.js";

function refused(text: string): { message: string; hint: string; column: number } | undefined {
  try {
    checkStreaming(parseQuery(sqlText(text)));
    return undefined;
  } catch (error) {
    if (!(error instanceof IngotError) || error.code !== "UNSUPPORTED_CLAUSE") throw error;
    return { message: error.message, hint: error.hint ?? "", column: error.at?.column ?? 0 };
  }
}

// For each of these Spark keeps state from batch to batch, or refuses the query itself.
describe("what needs rows of several batches is refused by name, with what to do instead", () => {
  it.each([
    ["SELECT DISTINCT a FROM STREAM t", "DISTINCT", 1, /AUTO CDC/],
    ["SELECT a FROM (SELECT DISTINCT a FROM STREAM t)", "DISTINCT", 16, /materialized view/],
    ["SELECT a, count(*) FROM STREAM t GROUP BY a", "GROUP BY", 43, /materialized view/],
    ["SELECT a, count(*) FROM STREAM t GROUP BY ALL", "GROUP BY", 1, /materialized view/],
    [
      "SELECT window(ts, '1 hour'), count(*) FROM STREAM t WATERMARK ts DELAY OF INTERVAL 1 HOUR GROUP BY window(ts, '1 hour')",
      "GROUP BY with a WATERMARK",
      100,
      /leave WATERMARK out/,
    ],
    ["SELECT count(*) FROM STREAM t", "The aggregate count", 8, /materialized view/],
    ["SELECT row_number() OVER (ORDER BY a) FROM STREAM t", "A window function", 8, /materialized view/],
    ["SELECT a FROM STREAM t QUALIFY row_number() OVER (ORDER BY a) = 1", "QUALIFY", 32, /materialized view/],
    ["SELECT a FROM STREAM t ORDER BY a", "ORDER BY", 33, /materialized view/],
    ["SELECT a FROM STREAM t LIMIT 1", "LIMIT", 30, /materialized view/],
    ["SELECT a FROM STREAM t TABLESAMPLE (1 ROWS)", "LIMIT", 22, /materialized view/],
    ["SELECT a FROM STREAM t UNION SELECT a FROM STREAM u", "UNION", 1, /materialized view/],
    ["SELECT a FROM STREAM t UNION ALL SELECT a FROM u", "UNION ALL with a side that is no stream", 1, /two flows/],
    ["SELECT * FROM STREAM t JOIN STREAM u ON t.a = u.a", "A join of two streams", 36, /Read one of them whole/],
    [
      "SELECT * FROM STREAM t WATERMARK ts DELAY OF INTERVAL 1 HOUR JOIN STREAM u WATERMARK ts DELAY OF INTERVAL 1 HOUR ON t.a = u.a",
      "A join of two streams",
      74,
      /materialized view/,
    ],
    [
      "SELECT * FROM STREAM t RIGHT JOIN u ON t.a = u.a",
      "A right join whose left side streams",
      35,
      /side that is kept/,
    ],
    ["SELECT * FROM STREAM t FULL JOIN u ON t.a = u.a", "A full join whose left side streams", 34, /side that is kept/],
    [
      "SELECT * FROM u LEFT JOIN STREAM t ON t.a = u.a",
      "A left join whose right side streams",
      34,
      /side that is kept/,
    ],
    [
      "SELECT * FROM u ANTI JOIN STREAM t ON t.a = u.a",
      "A anti join whose right side streams",
      34,
      /side that is kept/,
    ],
    ["SELECT a FROM u WHERE a IN (SELECT a FROM STREAM t)", "STREAM in a subquery", 23, /without STREAM/],
  ])("%s", (text, what, column, hint) => {
    const error = refused(text);
    expect(error?.message).toBe(`${what} cannot be used on a stream`);
    expect(error?.hint).toMatch(hint);
    expect(error?.column).toBe(column);
  });
});

describe("what each row gives by itself", () => {
  it.each([
    "SELECT a + 1 FROM STREAM t WHERE b > 0",
    "SELECT a FROM STREAM t WATERMARK ts DELAY OF INTERVAL 1 HOUR",
    "SELECT a FROM STREAM t UNION ALL SELECT a FROM STREAM u",
    "SELECT * FROM STREAM t JOIN u ON t.a = u.a",
    "SELECT * FROM STREAM t LEFT JOIN u ON t.a = u.a",
    "SELECT * FROM STREAM t ANTI JOIN u ON t.a = u.a",
    "SELECT * FROM u RIGHT JOIN STREAM t ON t.a = u.a",
    "SELECT * FROM STREAM t JOIN (SELECT a, max(b) AS b FROM u GROUP BY a) x ON t.a = x.a",
    "SELECT explode(items) FROM STREAM t",
    "SELECT a FROM STREAM t WHERE a IN (SELECT a FROM u)",
  ])("%s", (text) => {
    expect(refused(text)).toBeUndefined();
  });
});
