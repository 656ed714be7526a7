import { describe, expect, it } from "vitest";
import { sqlText } from "../model/position.js";
import type { CompiledQuery, Propagation } from "../model/query.js";
import { compileParsed } from "./compile.js";
import { parseSchema } from "./ddl-types.js";
import { parseQuery } from "./parse/parse-query.js";

const COLUMNS = parseSchema("k STRING, n INT, p DOUBLE");

const propagationOf = (text: string): Propagation | undefined => compile(text).propagation;

function compile(text: string): CompiledQuery {
  const parsed = parseQuery(sqlText(text));
  return compileParsed(parsed, new Map(parsed.relations.map(({ id }) => [id, COLUMNS])));
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
    expect(propagationOf(query)).toEqual({ linear: Object.fromEntries(linear.map((id) => [id, []])) });
  });

  it.each([
    "SELECT k FROM a ORDER BY k LIMIT 1",
    "SELECT k, row_number() OVER (ORDER BY n) AS i FROM a",
    "SELECT count(DISTINCT k) AS n FROM a",
    "SELECT sum(p) AS s FROM a",
    "SELECT count(*) + 1 AS n FROM a",
    "SELECT count(*) AS n FROM a HAVING count(*) > 1",
    "SELECT count(*) AS n FROM (SELECT DISTINCT k FROM a)",
    "SELECT k FROM a UNION SELECT k FROM b",
    "SELECT k FROM a UNION ALL SELECT 'x'",
    "SELECT k FROM a UNION ALL SELECT max(k) FROM b",
    "SELECT a.k FROM a FULL JOIN b ON a.k = b.k",
    "WITH c AS (SELECT * FROM a) SELECT x.k FROM c x JOIN c y ON x.k = y.k",
    "WITH c AS (SELECT * FROM a) SELECT k FROM c WHERE n = (SELECT max(n) FROM c)",
    "WITH RECURSIVE c(k, i) AS (SELECT k, 1 FROM a UNION ALL SELECT c.k, i + 1 FROM c WHERE i < 2) SELECT k FROM c",
    "SELECT 1 AS one",
  ])("none: %s", (query) => {
    expect(propagationOf(query)).toBeUndefined();
  });
});

it.each<[string, Readonly<Record<string, readonly string[]>>]>([
  ["SELECT k FROM a UNION ALL SELECT k FROM b", { r0: ["r1"], r1: ["r0"] }],
  [
    "SELECT k FROM a UNION ALL SELECT k FROM b UNION ALL SELECT k FROM c",
    { r0: ["r1", "r2"], r1: ["r0", "r2"], r2: ["r0", "r1"] },
  ],
  [
    "SELECT u.k FROM (SELECT k FROM a UNION ALL SELECT k FROM b WHERE n IN (SELECT n FROM c)) u JOIN d ON u.k = d.k",
    { r0: ["r1", "r2"], r1: ["r0"], r3: [] },
  ],
])("what stands beside changes in %s", (query, linear) => {
  expect(propagationOf(query)?.linear).toEqual(linear);
});

it("one row of totals comes of such rows over parts", () => {
  const { totals, linear } =
    propagationOf("SELECT count(n) AS c, sum(n) AS s, any(n > 1) AS o FROM a WHERE k = 'x'") ?? {};
  expect(linear).toEqual({ r0: [] });
  expect(totals?.columns).toEqual(["count", "sum", "bool_or"]);
  expect(totals?.rows).toMatch(/^SELECT count\(\*\) AS n FROM "r0" AS "\w+" WHERE /);
});

describe("the groups of a result that can be computed apart", () => {
  it("are given by their keys, and some of them by a query over these", () => {
    const found = propagationOf("SELECT k AS key, n % 2 AS odd, sum(n) AS s FROM a WHERE n > 0 GROUP BY 1, n % 2");
    expect(found).toMatchObject({ groups: { columns: ["key", "odd"] } });
    expect(found?.groups?.keys).toMatch(/^SELECT DISTINCT .* AS "k0", .* AS "k1" FROM "r0" AS "\w+" WHERE /);
    expect(found?.groups?.some).toContain('SEMI JOIN "ingot_groups" ON ');
  });

  it.each([
    ["SELECT DISTINCT k, n + 1 AS m FROM a WHERE n > 0", ["k", "m"], 'SEMI JOIN "ingot_groups" ON'],
    [
      "SELECT k, row_number() OVER (PARTITION BY k, p ORDER BY n) AS i, sum(n) OVER (PARTITION BY p, k) AS s, p FROM a",
      ["k", "p"],
      "OVER",
    ],
    [
      "SELECT k, p, rank() OVER (PARTITION BY p, k ORDER BY n) AS i, sum(n) OVER (PARTITION BY k) AS s FROM a",
      ["k"],
      "OVER",
    ],
    [
      "SELECT n AS m, k FROM a QUALIFY row_number() OVER w = 1 WINDOW w AS (PARTITION BY n ORDER BY k)",
      ["m"],
      "QUALIFY",
    ],
  ])("are those of DISTINCT and of what all windows are partitioned by: %s", (query, columns, text) => {
    const found = propagationOf(query);
    expect(found?.groups?.columns).toEqual(columns);
    expect(found?.groups?.some).toContain(text);
  });

  it.each([
    ["a key is no column of the result", "SELECT count(*) AS n FROM a GROUP BY k"],
    ["several sets", "SELECT k, n, count(*) AS c FROM a GROUP BY CUBE (k, n)"],
    ["a window over the groups", "SELECT k, sum(sum(n)) OVER () AS s FROM a GROUP BY k"],
    ["an aggregate that goes by the order of rows", "SELECT k, first(n) AS f FROM a GROUP BY k"],
    [
      "windows that share no column",
      "SELECT k, n, sum(n) OVER (PARTITION BY k) AS a, sum(n) OVER (PARTITION BY n) AS b FROM a",
    ],
    ["a window over all rows", "SELECT k, rank() OVER (PARTITION BY k ORDER BY n) AS a, sum(n) OVER () AS b FROM a"],
    [
      "a partition that is no column of the result",
      "SELECT n, row_number() OVER (PARTITION BY k ORDER BY n) AS i FROM a",
    ],
    ["a limit", "SELECT k, count(*) AS n FROM a GROUP BY k ORDER BY k LIMIT 1"],
    ["DISTINCT", "SELECT DISTINCT k, count(*) AS n FROM a GROUP BY k"],
  ])("not with %s", (_, query) => {
    expect(propagationOf(query)).toBeUndefined();
  });
});

it.each([
  ["SELECT k FROM a ORDER BY k LIMIT 1", "LIMIT takes rows"],
  ["SELECT k FROM a EXCEPT SELECT k FROM b", "EXCEPT compares"],
  ["SELECT k FROM a UNION ALL SELECT 'x'", "a side of UNION ALL"],
  ["SELECT 1 AS one", "reads no table"],
  ["SELECT k, n, count(*) AS c FROM a GROUP BY CUBE (k, n)", "GROUPING SETS"],
  ["SELECT DISTINCT k, count(*) AS n FROM a GROUP BY k", "DISTINCT compares groups"],
  ["SELECT k, sum(sum(n)) OVER () AS s FROM a GROUP BY k", "a window compares groups"],
  ["SELECT count(*) AS n FROM a GROUP BY k", "no column of the result"],
  ["SELECT sum(p) AS s FROM a", "an aggregate of all rows"],
  ["SELECT k, rank() OVER (ORDER BY n) AS i FROM a", "its windows"],
  ["SELECT a.k FROM a FULL JOIN b ON a.k = b.k", "what stands in FROM"],
])("why changes cannot be followed through %s", (query, why) => {
  expect(compile(query).entangled).toContain(why);
});
