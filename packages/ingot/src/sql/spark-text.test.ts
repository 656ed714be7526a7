import { expect, it } from "vitest";
import type { Field } from "../model/data-type.js";
import { sqlText } from "../model/position.js";
import { compileExpression } from "./compile-expression.js";
import { createCompiler } from "./compiler.js";

const field = (name: string, kind: "bigint" | "string" | "timestamp"): Field => ({
  name,
  type: { kind },
  nullable: true,
});
const COLUMNS = [field("id", "bigint"), field("v", "string"), field("at", "timestamp")];
const FILES = "read_files('landing', format => 'csv', schema => 'id BIGINT, v STRING, at TIMESTAMP')";

/** Spark's text of a query; relations as `<r0>`, the room for further columns as `<columns of t>`. */
async function sparkText(query: string): Promise<string> {
  const compiler = createCompiler();
  const relations = await compiler.relations(sqlText(query));
  const { spark = [] } = await compiler.compile(sqlText(query), new Map(relations.map(({ id }) => [id, COLUMNS])));
  return spark
    .map((part) => {
      if (typeof part === "string") return part;
      return "relation" in part ? `<${part.relation}>` : `<columns of ${part.alias}>`;
    })
    .join("");
}

it.each([
  [
    "keeps what is written, comments and hints too",
    "SELECT /*+ COALESCE(1) */ upper(v) -- text\nFROM t WHERE id > 1",
    "SELECT /*+ COALESCE(1) */ upper(v)<columns of t> -- text\nFROM <r0> AS `t` WHERE id > 1",
  ],
  [
    "calls a relation by its name, or by its alias",
    "SELECT t.id, x.v FROM t JOIN STREAM(u) AS x ON t.id = x.id",
    "SELECT t.id, x.v FROM <r0> AS `t` JOIN <r1> AS x ON t.id = x.id",
  ],
  [
    "leaves the schema out before a column",
    "SELECT silver.t.id, t.v, count(*) FROM silver.t GROUP BY silver.t.id, t.v",
    "SELECT t.id, t.v, count(*) FROM <r0> AS `t` GROUP BY t.id, t.v",
  ],
  [
    "takes moments, options and watermarks out",
    "SELECT id, x.v FROM STREAM t WITH (skipChangeCommits = true) WATERMARK at DELAY OF INTERVAL 1 HOUR AS x",
    "SELECT id, x.v<columns of x> FROM <r0>  AS x",
  ],
  ["takes a past version out", "SELECT max(id) FROM t VERSION AS OF 3", "SELECT max(id) FROM <r0> AS `t`"],
  [
    "leaves the columns of files that are hidden out of every star",
    `SELECT *, _metadata.file_name FROM STREAM ${FILES}`,
    "SELECT * EXCEPT (`__ingot_r0`._metadata), _metadata.file_name<columns of __ingot_r0> FROM <r0> AS `__ingot_r0`",
  ],
  [
    "has its room behind the columns that a star leaves out",
    `SELECT * FROM STREAM ${FILES}`,
    "SELECT * EXCEPT (`__ingot_r0`._metadata)<columns of __ingot_r0> FROM <r0> AS `__ingot_r0`",
  ],
  [
    "adds to the columns that a star leaves out anyway",
    `SELECT f.* EXCEPT (v), f._metadata.file_path FROM ${FILES} f`,
    "SELECT f.* EXCEPT (`f`._metadata, v), f._metadata.file_path<columns of f> FROM <r0> f",
  ],
  [
    "reads CTEs and subqueries",
    "WITH c AS (SELECT * FROM t) SELECT max(id) FROM c WHERE id IN (SELECT id FROM u)",
    "WITH c AS (SELECT * FROM <r0> AS `t`) SELECT max(id) FROM c WHERE id IN (SELECT id FROM <r1> AS `u`)",
  ],
])("%s", async (_, query, expected) => {
  expect(await sparkText(query)).toBe(expected);
});

it("writes calls of Ingot's own functions in Spark SQL, over their arguments as written", async () => {
  const text = await sparkText("SELECT try_sap_numc(try_sap_alpha(upper(v), 10), length => 4) AS n FROM t");
  expect(text).not.toMatch(/sap_/);
  expect(text).toMatch(/^SELECT \(.*\(upper\(v\)\).*\) AS n<columns of t> FROM <r0> AS `t`$/s);
});

it("does the same for an expression alone", () => {
  const { spark } = compileExpression("sap_flag(v) OR id = 1", COLUMNS, "a rule");
  expect(spark).not.toContain("sap_flag(v)");
  expect(spark).toMatch(/^\(.*\(v\).*\) OR id = 1$/s);
});
