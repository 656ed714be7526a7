import { describe, expect, it } from "vitest";
import { sqlText } from "../../model/position.js";
import { parseQuery } from "./parse-query.js";
import { errorOf, failure, item, parse, select, show, showBody, showFrom } from "./test-tree.js";

describe("what a query reads", () => {
  const reads = (text: string) =>
    parseQuery(sqlText(text)).relations.map((r) => [
      r.id,
      r.stream,
      r.kind === "table" ? r.name.join(".") : r.kind === "path" ? r.path : r.files.path,
      `${r.at.line}:${r.at.column}`,
    ]);
  it("finds tables in the order of the text, and no CTE", () => {
    const text =
      "WITH x AS (SELECT * FROM a.b.c) SELECT (SELECT 1 FROM d) FROM x\nJOIN `my t` ON EXISTS (SELECT 1 FROM X)";
    expect(reads(text)).toEqual([
      ["r0", false, "a.b.c", "1:26"],
      ["r1", false, "d", "1:55"],
      ["r2", false, "my t", "2:6"],
    ]);
  });
  it("a CTE hides a table only where it is in sight", () => {
    expect(reads("SELECT * FROM (WITH t AS (SELECT * FROM t) SELECT * FROM t) JOIN t")).toEqual([
      ["r0", false, "t", "1:41"],
      ["r1", false, "t", "1:66"],
    ]);
  });
  it.each([
    ["SELECT * FROM STREAM t", "t", "1:22"],
    ["SELECT * FROM STREAM(s.t) WHERE a", "s.t", "1:22"],
    ["SELECT * FROM STREAM `stream` AS x", "stream", "1:22"],
    ["SELECT * FROM STREAM read_files('in', format => 'csv', schema => 'a INT')", "in", "1:22"],
    ["SELECT * FROM STREAM(read_files('in', format => 'csv', schema => 'a INT')) f", "in", "1:22"],
    ["SELECT * FROM STREAM delta.`/data/t`", "/data/t", "1:22"],
  ])("%s", (text, name, at) => {
    expect(reads(text)).toEqual([["r0", true, name, at]]);
  });
  it("reads a table called stream, and a column of that name", () => {
    expect(reads("SELECT a, stream FROM stream, t")[0]).toEqual(["r0", false, "stream", "1:23"]);
    // Spark reads the stream of a table WHERE, called a.
    expect(failure("SELECT a FROM stream WHERE a")).toBe("PARSE_SYNTAX_ERROR 1:22");
  });
  it("keeps the moment of a table", () => {
    const text = "SELECT * FROM a VERSION AS OF 3, b FOR TIMESTAMP AS OF '2026-10-01' x, c SYSTEM_VERSION AS OF 4";
    expect(parseQuery(sqlText(text)).relations.map((r) => (r.kind === "files" ? undefined : r.asOf))).toEqual([
      { version: 3n },
      { timestamp: "2026-10-01" },
      { version: 4n },
    ]);
  });
});

// The trees are those of Spark 4.2's own parser (`CatalystSqlParser.parsePlan`).
describe("expressions", () => {
  it.each([
    ["1 + 2 || 'x' || 3 * 4", "(((1 + 2) || 'x') || (3 * 4))"],
    ["a DIV b * c", "((a DIV b) * c)"],
    ["- a * b", "((- a) * b)"],
    ["-1::string", "cast(-1 AS string)"],
    ["- -1", "(- -1)"],
    ["-(1)", "(- 1)"],
    ["2 -1", "(2 - 1)"],
    ["-a[0].b", "(- (a[0]).b)"],
    ["a = b IS NULL", "((a = b) IS NULL)"],
    ["a < b = c", "((a < b) = c)"],
    ["NOT a = b AND c OR d", "(((NOT (a = b)) AND c) OR d)"],
    ["NOT a IS NULL", "(NOT (a IS NULL))"],
    ["! a", "(NOT a)"],
    ["a == b AND c != d AND e !> f AND g !< h", "(((a = b) AND (c <> d)) AND ((e <= f) AND (g >= h)))"],
    ["a BETWEEN 1 AND 2 AND b", "(between(a, 1, 2) AND b)"],
    ["a NOT BETWEEN 1 AND 2 + 3", "(NOT between(a, 1, (2 + 3)))"],
    ["a IS DISTINCT FROM b AND c", "((NOT (a <=> b)) AND c)"],
    ["a IS NOT DISTINCT FROM b", "(a <=> b)"],
    ["a IS TRUE", "(a <=> boolean true)"],
    ["a IS NOT FALSE", "(NOT (a <=> boolean false))"],
    ["a NOT IN (1, 2)", "(NOT (a IN (1, 2)))"],
    ["a IN (SELECT b FROM t)", "(a IN {b FROM t})"],
    ["a IN ((SELECT 1), 2)", "(a IN ({1}, 2))"],
    ["a IN ((SELECT b FROM t))", "(a IN ({b FROM t}))"],
    ["EXISTS ((SELECT 1))", "EXISTS {(1)}"],
    ["NOT EXISTS (SELECT 1)", "(NOT EXISTS {1})"],
    ["(SELECT 1) + ((SELECT 2) + 3)", "({1} + ({2} + 3))"],
    ["a LIKE 'x' ESCAPE '/'", "(a LIKE 'x' ESCAPE /)"],
    ["'it\\'s' 'x' \"y\" r'\\d'", "'it'sxy\\d'"],
    ["1Y", "1Y"],
    ["2.5BD", "2.5BD"],
    ["date'2024-01-05'", "date 2024-01-05"],
    ['TIMESTAMP_LTZ "2024-01-05 00:00:00"', "timestamp 2024-01-05 00:00:00"],
    ["x '1F'", "binary 1F"],
    ["a.b.c", "a.b.c"],
    ["(a).b", "a.b"],
    ["a[0].b", "(a[0]).b"],
    ["f(x).y[1]", "(f(x)).y[1]"],
    ["a::int::string", "cast(cast(a AS int) AS string)"],
    ["TRY_CAST(a AS MAP<STRING, ARRAY<INT>>)", "try_cast(a AS map)"],
    ["CASE WHEN a THEN b END", "case(a → b)"],
    ["CASE end WHEN 1 THEN 2 ELSE 3 END", "case(end; 1 → 2; 3)"],
    ["count(DISTINCT a, b)", "count(DISTINCT a, b)"],
    ["count(ALL a)", "count(a)"],
    ["count(*)", "count(*)"],
    ["trim(BOTH 'x' FROM a)", "trim('x', a)"],
    ["trim(TRAILING FROM a)", "rtrim(a)"],
    ["trim(a IS DISTINCT FROM b)", "trim((NOT (a <=> b)))"],
    ["trim(a, left)", "trim(a, left)"],
    ["substring(a FROM 2 FOR 3)", "substring(a, 2, 3)"],
    ["extract(DAY FROM d)", "extract('DAY', d)"],
    ["position('a' IN b)", "locate('a', b)"],
    ["sum(a) FILTER (WHERE b) OVER (PARTITION BY c)", "sum(a) OVER"],
  ])("%s", (text, tree) => {
    expect(item(text)).toBe(tree);
  });
  it("stand where they begin", () => {
    const [first] = select("SELECT\n  a + f(b)").items;
    if (first?.kind !== "expression" || first.expression.kind !== "binary") throw new Error("no binary");
    expect([first.at, first.expression.left.at, first.expression.right.at]).toEqual([9, 9, 13]);
  });
});

describe("relations", () => {
  const from = (text: string) => showFrom(select(`SELECT 1 FROM ${text}`).from ?? expect.fail("no FROM"));
  it.each([
    ["a, b JOIN c ON x", "((a cross b) inner c)"],
    ["a, b RIGHT JOIN c USING (x), d", "(((a cross b) right c) cross d)"],
    ["a JOIN b JOIN c ON x", "((a cross b) inner c)"],
    ["a CROSS JOIN b ON x", "(a inner b)"],
    ["a JOIN (b LEFT SEMI JOIN c ON x) ON y", "(a inner (b semi c))"],
    ["a NATURAL FULL OUTER JOIN b", "(a natural full b)"],
    ["((SELECT 1) x JOIN (SELECT 2) y)", "({1} cross {2})"],
    ["((SELECT 1) UNION (SELECT 2))", "{((1) UNION (2))}"],
    ["VALUES (1, 'a'), (2, 'b') AS t (x, y)", "{VALUES (1, 'a'), (2, 'b')}"],
    ["VALUES (1) + 2", "{VALUES ((1 + 2))}"],
    ["values v", "values"],
  ])("%s", (text, tree) => {
    expect(from(text)).toBe(tree);
  });
});

describe("operators and forms", () => {
  it.each([
    ["a + 1 & b | c ^ d", "(((a + 1) & b) | (c ^ d))"],
    ["a << 1 + 2 >> b >>> 3", "(((a << (1 + 2)) >> b) >>> 3)"],
    ["~a + 1 = 2", "(((~ a) + 1) = 2)"],
    ["transform(a, x -> x + 1)", "transform(a, ((x) → (x + 1)))"],
    ["zip_with(a, b, (x, y) -> x > y AND y)", "zip_with(a, b, ((x, y) → ((x > y) AND y)))"],
    ["f(*)", "f(*)"],
    ["struct(t.*, a)", "struct(t.*, a)"],
    ["(a, b) = c", "(row(a, b) = c)"],
    ["a NOT LIKE ALL ('x', 'y')", "(a NOT LIKE ALL ('x', 'y'))"],
    ["a RLIKE 'x'", "rlike(a, 'x')"],
    ["a NOT ILIKE 'x'", "(NOT (a LIKE 'x'))"],
    ["a IS NOT UNKNOWN", "(a IS NOT NULL)"],
    ["first(a) IGNORE NULLS", "first(a)"],
    ["sum(a) OVER w", "sum(a) OVER"],
    ["IDENTIFIER('t.a')", "t.a"],
    // Months and microseconds.
    ["INTERVAL '1-2' YEAR TO MONTH", "interval 14"],
    ["INTERVAL '-1 02:03:04.5' DAY TO SECOND", "interval -93784500000"],
    ["INTERVAL 3 DAYS 4 HOURS + a", "(interval 273600000000 + a)"],
    ["INTERVAL '1 week'", "interval 604800000000"],
    ["a - INTERVAL -2 MONTH", "(a - interval -2)"],
    ["interval + 1", "(interval + 1)"],
  ])("%s", (text, tree) => {
    expect(item(text)).toBe(tree);
  });
});

describe("groups", () => {
  const groups = (text: string) => {
    const { groupBy } = select(`SELECT a FROM t GROUP BY ${text}`);
    if (groupBy === "all") return groupBy;
    const sets = (all: readonly (readonly Parameters<typeof show>[0][])[]) =>
      all.map((s) => `(${s.map(show)})`).join(" ");
    return groupBy.map((g) => (g.kind === "grouping-sets" ? sets(g.sets) : show(g))).join("; ");
  };
  it.each([
    ["a, b + 1", "a; (b + 1)"],
    ["ROLLUP (a, (b, c))", "(a,b,c) (a) ()"],
    ["a, b WITH ROLLUP", "(a,b) (a) ()"],
    ["a, CUBE (b, c)", "a; (b,c) (b) (c) ()"],
    ["a, b GROUPING SETS ((a, b), b, ())", "(a,b) (b) ()"],
    ["GROUPING SETS (ROLLUP (a), (b))", "(a) () (b)"],
    ["rollup", "rollup"],
  ])("%s", (text, tree) => {
    expect(groups(text)).toBe(tree);
  });
});

describe("queries", () => {
  it.each([
    ["SELECT 1 UNION SELECT 2 INTERSECT SELECT 3", "(1 UNION (2 INTERSECT 3))"],
    ["SELECT 1 UNION ALL SELECT 2 EXCEPT SELECT 3", "((1 UNION ALL 2) EXCEPT 3)"],
    ["SELECT 1 MINUS (SELECT 2 UNION DISTINCT SELECT 3)", "(1 EXCEPT ((2 UNION 3)))"],
    ["SELECT * EXCEPT (SELECT 1)", "(* EXCEPT (1))"],
    ["((SELECT 1)) LIMIT 1", "((1))"],
    ["VALUES 1, (2)", "VALUES (1), (2)"],
    ["VALUES (1) AS t (x)", "* FROM {VALUES (1)}"],
    ["FROM t SELECT a WHERE b", "a FROM t"],
    ["FROM t", "* FROM t"],
    ["FROM t |> WHERE a |> SELECT b |> AS x |> JOIN u ON c", "* FROM ({b FROM {* FROM t}} inner u)"],
    ["FROM t |> AGGREGATE sum(a) GROUP BY b AS c |> EXTEND 1", "*, 1 FROM {b, sum(a) FROM t}"],
    ["FROM t |> UNION ALL SELECT 1 |> LIMIT 1", "(* FROM {(* FROM t UNION ALL 1)})"],
    ["TABLE t", "* FROM t"],
    ["SELECT a FROM t LATERAL VIEW OUTER explode(b) x AS c", "a FROM (t view explode(b))"],
    ["SELECT a FROM t, LATERAL explode(b) AS x(c)", "a FROM (t cross lateral explode(b))"],
    ["SELECT a FROM t PIVOT (sum(a) FOR b IN (1, 2 AS two)) p JOIN u ON a", "a FROM ((t pivot) inner u)"],
    ["SELECT a FROM t UNPIVOT INCLUDE NULLS (v FOR k IN (b, c AS d))", "a FROM (t unpivot)"],
    ["SELECT a FROM IDENTIFIER('s.t') TABLESAMPLE (100 PERCENT) AS x", "a FROM s.t"],
    ["SELECT a FROM s.t TABLESAMPLE (3 ROWS)", "a FROM {* FROM s.t}"],
    ["WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT * FROM r) TABLE r", "* FROM cte r"],
    ["WITH x (a) AS (SELECT 1), y (SELECT 2) SELECT a, t.* FROM x, y;;", "a, t.* FROM (cte x cross cte y)"],
  ])("%s", (text, tree) => {
    expect(showBody(parse(text).body)).toBe(tree);
  });
  it("have a tail", () => {
    const query = parse("SELECT a FROM t ORDER BY a DESC, b NULLS LAST LIMIT 2 OFFSET 3");
    expect(query.orderBy.map(({ descending, nullsFirst }) => [descending, nullsFirst])).toEqual([
      [true, undefined],
      [false, false],
    ]);
    expect([query.limit, query.offset]).toMatchObject([{ value: "2" }, { value: "3" }]);
    expect(parse("SELECT a LIMIT ALL").limit).toBeUndefined();
  });
  it("leave columns of a star out", () => {
    expect(select("SELECT t.* EXCEPT (a, `b c`) FROM t").items).toMatchObject([
      { kind: "star", qualifier: ["t"], except: [{ name: "a" }, { name: "b c" }] },
    ]);
  });
});

describe("refusals by name", () => {
  it.each([
    ["SELECT a FROM t |> TABLESAMPLE (1 ROWS)", "UNSUPPORTED_CLAUSE 1:20"],
    ["SELECT :p", "UNSUPPORTED_CLAUSE 1:8"],
    ["SELECT a:['b*']", "UNSUPPORTED_CLAUSE 1:15"],
    ["SELECT * FROM t WATERMARK c + INTERVAL 1 DAY AS d DELAY OF INTERVAL 1 DAY", "UNSUPPORTED_CLAUSE 1:27"],
    ["SELECT * FROM t AS x WATERMARK c DELAY OF INTERVAL 1 DAY", "UNSUPPORTED_CLAUSE 1:22"],
    ["SELECT * FROM t WITH (readChangeFeed = true)", "UNSUPPORTED_CLAUSE 1:17"],
    ["SELECT * FROM STREAM t IDENTIFIED BY n", "UNSUPPORTED_CLAUSE 1:24"],
    ["SELECT * FROM t TABLESAMPLE (3 PERCENT)", "UNSUPPORTED_CLAUSE 1:17"],
    ["SELECT * FROM (t JOIN u USING (a)) x", "UNSUPPORTED_CLAUSE 1:36"],
    ["SELECT DISTINCT ON (a) b FROM t", "UNSUPPORTED_CLAUSE 1:8"],
    ["SELECT TRANSFORM(a) USING 'x' FROM t", "UNSUPPORTED_CLAUSE 1:21"],
    ["SELECT a COLLATE UTF8_LCASE", "UNSUPPORTED_CLAUSE 1:10"],
    ["SELECT * FROM json.`/a/b`", "NOT_SUPPORTED 1:15"],
    ["SELECT * FROM STREAM(x) JOIN (WITH x AS (SELECT 1) SELECT * FROM STREAM x)", "UNSUPPORTED_CLAUSE 1:73"],
  ])("%s", (text, expected) => {
    expect(failure(text)).toBe(expected);
  });
});

describe("what is no Spark SQL", () => {
  it.each([
    ["SELECT a,\n  FROM t", "PARSE_SYNTAX_ERROR 2:3"],
    ["SELECT (a", "PARSE_SYNTAX_ERROR 1:10"],
    ["SELECT 'a", "PARSE_SYNTAX_ERROR 1:8"],
    ["SELECT 1; SELECT 2", "PARSE_SYNTAX_ERROR 1:9"],
    ["SELECT a IS NULL IS NULL", "PARSE_SYNTAX_ERROR 1:18"],
    ["SELECT a = EXISTS (SELECT 1)", "PARSE_SYNTAX_ERROR 1:20"],
    ["SELECT date '2024-01-05' 'x'", "PARSE_SYNTAX_ERROR 1:26"],
    ["SELECT a 'x'", "PARSE_SYNTAX_ERROR 1:8"],
    ["SELECT a FROM (t, u)", "PARSE_SYNTAX_ERROR 1:17"],
    ["SELECT a FROM t AS left", "PARSE_SYNTAX_ERROR 1:20"],
    ["SELECT a INTO b FROM t", "PARSE_SYNTAX_ERROR 1:15"],
    ["SELECT * FROM t OFFSET 2 LIMIT 3", "PARSE_SYNTAX_ERROR 1:26"],
    ["WITH x AS (SELECT 1), X AS (SELECT 2) SELECT 1", "PARSE_SYNTAX_ERROR 1:23"],
    ["", "PARSE_SYNTAX_ERROR 1:1"],
    [";", "PARSE_SYNTAX_ERROR 1:2"],
    ["SELECT CAST(a AS INTT)", "BAD_SCHEMA 1:18"],
    ["SELECT größe FROM t", "INVALID_IDENTIFIER 1:8"],
    ["SELECT a FROM my-table", "INVALID_IDENTIFIER 1:15"],
  ])("%s", (text, expected) => {
    expect(failure(text)).toBe(expected);
  });
  it.each([
    ["SELCT a", "Did you mean SELECT?"],
    ["SELECT a FORM t", "Did you mean FROM instead of FORM?"],
    ["SELECT a FROM t WEHRE a = 1", "Did you mean WHERE instead of WEHRE?"],
    ["SELECT a FROM t GRUOP BY a", "Did you mean GROUP instead of GRUOP?"],
    ["SELECT a FROM t ORDRE BY a", "Did you mean ORDER instead of ORDRE?"],
    ["SELECT CASE WHEN a THN b END", "Did you mean THEN?"],
    ["SELECT a, FROM t", "A name that is a keyword stands in back-ticks: `FROM`."],
  ])("%s: %s", (text, hint) => {
    expect(errorOf(text).hint).toBe(hint);
  });
});

it.each(["SHOW TABLES", "describe t", "INSERT INTO t VALUES (1)", "OPTIMIZE t"])(
  "refuses the statement %s by name",
  (text) => {
    const error = errorOf(text);
    expect([error.code, error.message.split(" ")[0]]).toEqual([
      "UNSUPPORTED_CLAUSE",
      text.split(" ")[0]?.toUpperCase(),
    ]);
  },
);
