import { describe, expect, it } from "vitest";
import { positionAt, sqlText } from "../../model/position.js";
import { removeLive } from "./live.js";

describe("removeLive", () => {
  it.each([
    ["SELECT * FROM LIVE.a", "SELECT * FROM a"],
    ["select * from live . a", "select * from  a"],
    ["SELECT * FROM LIVE.a x JOIN LIVE.b ON x.k = b.k, LIVE.c", "SELECT * FROM a x JOIN b ON x.k = b.k, c"],
    ["SELECT * FROM STREAM(LIVE.a), STREAM LIVE.b", "SELECT * FROM STREAM(a), STREAM b"],
    ["WITH q AS (SELECT 1 FROM LIVE.a) FROM LIVE.b SELECT 1", "WITH q AS (SELECT 1 FROM a) FROM b SELECT 1"],
    ["SELECT * FROM (LIVE.a JOIN (SELECT 1 FROM LIVE.b))", "SELECT * FROM (a JOIN (SELECT 1 FROM b))"],
    ["SELECT 1 FROM LIVE.a UNION ALL SELECT 2 FROM LIVE.b", "SELECT 1 FROM a UNION ALL SELECT 2 FROM b"],
  ])("takes the prefix from relations: %s", (text, expected) => {
    expect(removeLive(sqlText(text)).text).toBe(expected);
  });

  it.each([
    "SELECT a, live.b FROM t AS live WHERE live.c = 1 GROUP BY x, live.b",
    "SELECT EXTRACT(DAY FROM live.ts), live.x IS DISTINCT FROM live.y FROM live",
    "SELECT f(a, live.b) FROM t JOIN u ON f(live.a, live.b)",
    "SELECT * FROM c.live.t, `LIVE`.u, alive.v",
    "SELECT 'FROM LIVE.a' FROM b",
  ])("leaves all else: %s", (text) => {
    const sql = sqlText(text);
    expect(removeLive(sql)).toEqual(sql);
  });

  it("keeps places", () => {
    const sql = removeLive(sqlText("SELECT *\nFROM LIVE.a\nJOIN LIVE.b"));
    expect(positionAt(sql, sql.text.indexOf("a"))).toMatchObject({ line: 2, column: 11 });
    expect(positionAt(sql, sql.text.indexOf("b"))).toMatchObject({ line: 3, column: 11 });
  });
});
