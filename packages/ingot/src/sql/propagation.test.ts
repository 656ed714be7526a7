import { describe, expect, it } from "vitest";
import { sqlText } from "../model/position.js";
import type { Propagation } from "../model/query.js";
import { compileParsed } from "./compile.js";
import { parseSchema } from "./ddl-types.js";
import { parseQuery } from "./parse/parse-query.js";

const COLUMNS = parseSchema("k STRING, n INT, p DOUBLE");

function propagationOf(text: string): Propagation | undefined {
  const parsed = parseQuery(sqlText(text));
  return compileParsed(parsed, new Map(parsed.relations.map(({ id }) => [id, COLUMNS]))).propagation;
}

describe("the relations whose changes a result can follow", () => {
  it.each<[string, readonly string[]]>([
    ["SELECT k, n + 1 AS m FROM a WHERE n > 0 ORDER BY k", ["r0"]],
    ["WITH c AS (SELECT * FROM a WHERE n > 0) SELECT k FROM (SELECT k FROM c)", ["r0"]],
    ["SELECT a.k FROM a LATERAL VIEW explode(array(n)) t AS x", ["r0"]],
    ["SELECT a.k FROM a JOIN b ON a.k = b.k CROSS JOIN c", ["r0", "r1", "r2"]],
    ["SELECT x.k FROM a x JOIN a y ON x.k = y.k", ["r0", "r1"]],
    ["SELECT a.k FROM a LEFT JOIN b ON a.k = b.k", ["r0"]],
    ["SELECT b.k FROM a RIGHT JOIN b ON a.k = b.k", ["r1"]],
    ["SELECT a.k FROM a LEFT ANTI JOIN b ON a.k = b.k", ["r0"]],
    ["SELECT k FROM a WHERE n IN (SELECT n FROM b)", ["r0"]],
    ["SELECT a.k, c.n FROM a JOIN (SELECT k, sum(n) AS n FROM b GROUP BY k) c ON a.k = c.k", ["r0"]],
  ])("%s", (query, linear) => {
    expect(propagationOf(query)).toEqual({ linear });
  });

  it.each([
    "SELECT DISTINCT k FROM a",
    "SELECT k FROM a ORDER BY k LIMIT 1",
    "SELECT k, row_number() OVER (ORDER BY n) AS i FROM a",
    "SELECT k FROM a QUALIFY row_number() OVER (PARTITION BY k ORDER BY n) = 1",
    "SELECT count(*) AS n FROM a",
    "SELECT k FROM a UNION ALL SELECT k FROM b",
    "SELECT a.k FROM a FULL JOIN b ON a.k = b.k",
    "WITH c AS (SELECT * FROM a) SELECT x.k FROM c x JOIN c y ON x.k = y.k",
    "WITH c AS (SELECT * FROM a) SELECT k FROM c WHERE n = (SELECT max(n) FROM c)",
    "WITH RECURSIVE c(k, i) AS (SELECT k, 1 FROM a UNION ALL SELECT c.k, i + 1 FROM c WHERE i < 2) SELECT k FROM c",
    "SELECT 1 AS one",
  ])("none: %s", (query) => {
    expect(propagationOf(query)).toBeUndefined();
  });
});

describe("the groups of a result that can be computed apart", () => {
  it("are given by their keys, and some of them by a query over these", () => {
    const found = propagationOf("SELECT k AS key, n % 2 AS odd, sum(n) AS s FROM a WHERE n > 0 GROUP BY 1, n % 2");
    expect(found).toMatchObject({ linear: ["r0"], groups: { columns: ["key", "odd"] } });
    expect(found?.groups?.keys).toMatch(/^SELECT DISTINCT .* AS "k0", .* AS "k1" FROM "r0" AS "\w+" WHERE /);
    expect(found?.groups?.some).toContain('SEMI JOIN "ingot_groups" ON ');
  });

  it.each([
    ["a key is no column of the result", "SELECT count(*) AS n FROM a GROUP BY k"],
    ["several sets", "SELECT k, n, count(*) AS c FROM a GROUP BY CUBE (k, n)"],
    ["a window over the groups", "SELECT k, sum(sum(n)) OVER () AS s FROM a GROUP BY k"],
    ["an aggregate that goes by the order of rows", "SELECT k, first(n) AS f FROM a GROUP BY k"],
    ["a limit", "SELECT k, count(*) AS n FROM a GROUP BY k ORDER BY k LIMIT 1"],
    ["DISTINCT", "SELECT DISTINCT k, count(*) AS n FROM a GROUP BY k"],
  ])("not with %s", (_, query) => {
    expect(propagationOf(query)).toBeUndefined();
  });
});
