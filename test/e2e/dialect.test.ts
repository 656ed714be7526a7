import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ingot, projectMaker, refusal, rows } from "./cli.js";

const project = projectMaker();
const BASE = "CREATE MATERIALIZED VIEW base AS SELECT * FROM VALUES (1, 'a', 1.5), (2, 'b', 2.5) AS t(id, v, amount);";
const view = (query: string, kind = "MATERIALIZED VIEW") =>
  `CREATE ${kind} own TBLPROPERTIES ('ingot.dialect' = 'duckdb') AS ${query}`;
const files = (query: string) => ({ "transformations/all.sql": `${BASE}\n${view(query)}` });

describe("a dataset in DuckDB's own SQL", () => {
  it("has the columns and rows that DuckDB gives, in Spark's types, and its place in the order", async () => {
    const cwd = project({
      "transformations/a.sql": `${view(`
  WITH base2 AS (FROM base), renamed AS (SELECT * FROM base2 AS b)
  SELECT id::BIGINT AS id, upper(v) AS "v_é", {'x': base.amount, 'l': [id]} AS s, [base.amount] AS a, MAP {v: id} AS m, 'é' AS c,
         (SELECT max(b.amount) FROM silver.other b WHERE b.id = renamed.id) AS o
  FROM renamed ASOF JOIN base USING (v, id) -- DuckDB's join
  `)};
CREATE MATERIALIZED VIEW silver.other AS SELECT id, amount FROM base;
${BASE}
CREATE MATERIALIZED VIEW reader AS SELECT sum(id) AS n FROM own;`,
    });
    const { code, stderr } = await ingot(["run"], { cwd });
    expect(code, stderr).toBe(0);
    const { stdout } = await ingot(["query", "SELECT * FROM own ORDER BY id", "--json"], { cwd });
    expect(JSON.parse(stdout)).toEqual({
      columns: [
        { name: "id", type: "bigint" },
        { name: "v_é", type: "string" },
        { name: "s", type: "struct<x:decimal(2,1),l:array<int>>" },
        { name: "a", type: "array<decimal(2,1)>" },
        { name: "m", type: "map<string,int>" },
        { name: "c", type: "string" },
        { name: "o", type: "decimal(2,1)" },
      ],
      rows: [
        { id: "1", v_é: "A", s: { x: "1.5", l: [1] }, a: ["1.5"], m: [["a", 1]], c: "é", o: "1.5" },
        { id: "2", v_é: "B", s: { x: "2.5", l: [2] }, a: ["2.5"], m: [["b", 2]], c: "é", o: "2.5" },
      ],
    });
    expect(await rows(cwd, "SELECT * FROM reader")).toEqual([{ n: "3" }]);
  });

  it("is computed again only where its inputs changed, and then knows DuckDB's clock from a constant", async () => {
    const cwd = project(files("SELECT id, v FROM base"));
    await ingot(["run"], { cwd });
    const actions = async () => {
      const { stdout } = await ingot(["dry-run", "--json"], { cwd });
      return Object.fromEntries(
        JSON.parse(stdout).tables.map((t: { name: string; flows: { action: string }[]; portable: boolean }) => [
          t.name.split(".")[2],
          [t.flows[0]?.action, t.portable],
        ]),
      );
    };
    expect(await actions()).toEqual({ base: ["nothing", true], own: ["nothing", false] });
    expect((await ingot(["dry-run"], { cwd })).stdout).toMatch(
      /^own +nothing +unchanged: the same query over the same inputs; DuckDB's own SQL, not portable$/m,
    );
    for (const query of ["SELECT now() AS t", "SELECT current_date AS d", "SELECT id FROM base USING SAMPLE 1"]) {
      writeFileSync(`${cwd}/transformations/all.sql`, `${BASE}\n${view(query)}`);
      await ingot(["run"], { cwd });
      expect((await actions())["own"], query).toEqual(["recompute", false]);
    }
  });

  it("takes names that look like ours", async () => {
    const cwd = project(
      files("WITH r0 AS (SELECT 7 AS id), _r0 AS (FROM r0) SELECT a.id, b.id AS other FROM _r0 a, base b"),
    );
    expect((await ingot(["run"], { cwd })).code).toBe(0);
    expect(await rows(cwd, "SELECT * FROM own ORDER BY other")).toEqual([
      { id: 7, other: 1 },
      { id: 7, other: 2 },
    ]);
  });

  it("sees the table where a CTE that is not recursive has its name, whatever stands within", async () => {
    const cwd = project(
      files(
        "WITH base AS (WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 2) SELECT id, i FROM base, n) FROM base",
      ),
    );
    const { code, stderr } = await ingot(["run"], { cwd });
    expect(code, stderr).toBe(0);
    expect(await rows(cwd, "SELECT count(*) AS n FROM own")).toEqual([{ n: "4" }]);
  });

  it("may be a view, also by TypeScript, and is printed as it was declared", async () => {
    const cwd = project({
      "transformations/all.sql": BASE,
      "transformations/own.ts": `import { materializedView, ref, sql, temporaryView } from "ingot";
const base = ref("base");
const own = temporaryView("own", { dialect: "duckdb", query: sql\`FROM \${base} SELECT id, v::VARCHAR AS v WHERE \${base.col("id")} > 1\` });
materializedView("m", sql\`SELECT * FROM \${own}\`);`,
    });
    // A back-ticked name is no name of DuckDB.
    expect(await refusal(cwd, "run")).toMatchObject({
      code: 3,
      errors: [{ code: "DIALECT_QUERY_INVALID", at: "transformations/own.ts:3:66" }],
    });
    const text = `import { materializedView, sql, view } from "ingot";
const base = materializedView("base2", sql\`SELECT * FROM base\`);
const own = view("own", { dialect: "duckdb", query: sql\`FROM \${base} SELECT id, v::VARCHAR AS v WHERE id > 1\` });
materializedView("m", sql\`SELECT * FROM \${own}\`);`;
    writeFileSync(`${cwd}/transformations/own.ts`, text);
    expect((await ingot(["run"], { cwd })).stderr).toContain("Run is COMPLETED");
    expect(await rows(cwd, "SELECT * FROM own")).toEqual([{ id: 2, v: "b" }]);
    expect((await ingot(["run", "--explain"], { cwd })).stdout).toContain(`CREATE VIEW own
TBLPROPERTIES (
  'ingot.dialect' = 'duckdb'
)
AS FROM spark_catalog.default.base2 SELECT id, v::VARCHAR AS v WHERE id > 1;`);
  });

  const OWN_SQL = "The dataset has `dialect` duckdb, so its query is DuckDB's own SQL.";
  const CAST = "Cast it: to VARCHAR, to BIGINT, or a sum of whole numbers to DECIMAL(38, 0).";
  const DECLARE = "A run must know what a query reads: declare a table that reads the files, and read that.";
  const ONE_SELECT = "Write one SELECT; PIVOT with its values: PIVOT (sum(x) FOR y IN (1, 2)).";
  it.each([
    [
      "SELECT * FRO base x",
      "PARSE_SYNTAX_ERROR",
      14,
      /DuckDB: syntax error at or near "base"/,
      `${OWN_SQL} Take the option out for Spark SQL.`,
    ],
    ["SELECT 1 AS a UNION ALL SELECT nope FROM base", "DIALECT_QUERY_INVALID", 1, /column "nope" not found/, OWN_SQL],
    ["SELECT sum(id) AS s FROM base", "NOT_SUPPORTED", 1, /column s is HUGEINT, a type that Spark lacks/, CAST],
    ["SELECT uuid() AS u", "NOT_SUPPORTED", 1, /column u is UUID/, CAST],
    ["SELECT [{'j': '1'::JSON}] AS j", "NOT_SUPPORTED", 1, /column j is /, CAST],
    ["SELECT * FROM read_csv('x.csv')", "UNSUPPORTED_CLAUSE", 15, /table function read_csv .* dialect/, DECLARE],
    ["SELECT * FROM query('SELECT 1')", "UNSUPPORTED_CLAUSE", 15, /table function query/, DECLARE],
    ["SELECT * FROM 'x.csv'", "UNSUPPORTED_CLAUSE", 15, /x\.csv in this form/, "Name a table or view of the project."],
    ["SELECT * FROM (DESCRIBE base)", "UNSUPPORTED_CLAUSE", 1, /DESCRIBE, SHOW or SUMMARIZE/, "Name the columns."],
    [
      "SELECT * FROM base AT (VERSION => 3)",
      "UNSUPPORTED_CLAUSE",
      15,
      /AT cannot be used/,
      "Name a view that reads the table's version.",
    ],
    ["SELECT 'é' AS é, * FROM bsae", "UNKNOWN_TABLE", 25, /called bsae/, "Did you mean `base`?"],
    ["SELECT $1 AS p", "UNSUPPORTED_CLAUSE", 1, /A parameter cannot be used/, "Write the value itself."],
    ["DELETE FROM base", "PARSE_SYNTAX_ERROR", 1, /no query whose columns are known/, ONE_SELECT],
    ["PIVOT base ON v USING sum(id)", "PARSE_SYNTAX_ERROR", 1, /no query whose columns are known/, ONE_SELECT],
  ])("%s is refused by name and place before anything runs", async (query, code, column, message, hint) => {
    const cwd = project(files(query));
    const { errors } = await refusal(cwd, "run");
    expect(errors).toMatchObject([{ code, hint, at: `transformations/all.sql:2:${view("").length + column}` }]);
    expect(errors[0]?.message).toMatch(message);
  });

  it("cannot be a streaming table, nor another engine's", async () => {
    const streaming = project({ "transformations/all.sql": view("SELECT 1 AS a", "STREAMING TABLE") });
    expect(await refusal(streaming, "run")).toMatchObject({
      errors: [{ code: "NOT_SUPPORTED", message: expect.stringContaining("`dialect` of a streaming table") }],
    });
    const other = project({
      "transformations/all.sql": `${BASE}\nCREATE VIEW own TBLPROPERTIES ('ingot.dialect' = 'spark') AS SELECT 1`,
    });
    expect(await refusal(other, "run")).toMatchObject({ errors: [{ code: "BAD_OPTION" }] });
  });
});
