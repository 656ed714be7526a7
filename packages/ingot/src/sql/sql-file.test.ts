// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are parameters of the files that are read
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { QueryFlow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { positionAt } from "../model/position.js";
import { parseSqlFile } from "./sql-file.js";

const defaults = { catalog: "cat", schema: "main" };
const parse = (text: string, configuration: Record<string, string> = {}) =>
  parseSqlFile({ file: "a.sql", text, configuration, defaults });

/** Names of the datasets, each with its query. */
function queries(text: string, configuration: Record<string, string> = {}): string[] {
  const { datasets, flows } = parse(text, configuration).definitions;
  return datasets.map((d) => {
    const flow = flows.find((f): f is QueryFlow => f.kind === "query" && f.target === d.name);
    return `${d.name.catalog}.${d.name.schema}.${d.name.table}: ${flow?.query.text ?? "-"}`;
  });
}

function faults(text: string, configuration: Record<string, string> = {}): string[] {
  try {
    parse(text, configuration);
  } catch (error) {
    if (!(error instanceof IngotError)) throw error;
    return [error, ...error.others].map((e) => `${e.at?.line}:${e.at?.column} ${e.code}`);
  }
  return [];
}

function fault(text: string, configuration: Record<string, string> = {}): IngotError {
  try {
    parse(text, configuration);
  } catch (error) {
    if (error instanceof IngotError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("statements of a file", () => {
  it("end at a semicolon outside of strings, names and comments", () => {
    const text = `-- a; b
      CREATE MATERIALIZED VIEW a AS SELECT ';' AS \`x;y\` /* ; */ FROM t -- ; done
      ;;
      CREATE VIEW b AS SELECT 2;`;
    expect(queries(text)).toEqual(["cat.main.a: SELECT ';' AS `x;y` /* ; */ FROM t", "cat.main.b: SELECT 2"]);
  });

  it("may be none", () => {
    expect(parse("-- nothing\n;").definitions).toEqual({ datasets: [], flows: [], externals: [], notices: [] });
    expect(queries("")).toEqual([]);
  });

  it("stand where an editor shows them, with a byte order mark and Windows line ends", () => {
    const text = "\ufeffCREATE VIEW a AS SELECT 1;\r\n  CREATE VIEW b\r\nAS SELECT\r\n 2;\r\n";
    const { datasets, flows } = parse(text).definitions;
    expect(datasets.map((d) => d.at)).toEqual([
      { file: "a.sql", line: 1, column: 1 },
      { file: "a.sql", line: 2, column: 3 },
    ]);
    const query = (flows[1] as QueryFlow).query;
    expect(positionAt(query, query.text.indexOf("2"))).toEqual({ file: "a.sql", line: 4, column: 2 });
  });

  it("are all checked, each up to its first fault", () => {
    const text = "CREATE VIEW;\nCREATE VIEW b AS SELECT 1;\nDROP TABLE x; SELECT 1;\nCREATE VIEW c AS SELECT 'x;";
    expect(faults(text)).toEqual([
      "1:12 PARSE_SYNTAX_ERROR",
      "3:1 PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR",
      "3:15 PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR",
      "4:25 PARSE_SYNTAX_ERROR",
    ]);
  });
});

describe("notebooks", () => {
  it("separate statements by cells and skip Markdown", () => {
    const text = `-- Databricks notebook source
-- MAGIC %md
-- MAGIC # Title; with %python in its text
-- MAGIC %not a magic

-- COMMAND ----------

-- DBTITLE 1,Orders
CREATE VIEW a AS SELECT 1

-- COMMAND ----------

CREATE VIEW b AS SELECT '
-- COMMAND ----------
'`;
    expect(queries(text)).toEqual(["cat.main.a: SELECT 1", "cat.main.b: SELECT '\n-- COMMAND ----------\n'"]);
  });

  it("refuse cells in other languages", () => {
    const text =
      "-- Databricks notebook source\n-- MAGIC %python\n-- MAGIC print(1)\n\n-- COMMAND ----------\n-- MAGIC %sh ls";
    expect(faults(text)).toEqual(["2:1 NOT_SUPPORTED", "6:1 NOT_SUPPORTED"]);
    expect(fault(text).message).toContain("%python");
  });
});

describe("parameters", () => {
  it("stand for text in names, strings and queries, and not in comments", () => {
    const text =
      "-- ${nothing}\nCREATE VIEW ${layer}_orders AS SELECT '${path}/x' /* ${no} */ FROM `${layer}`.t WHERE a > ${low};";
    expect(queries(text, { layer: "gold", path: "/data", low: "3 + 4" })).toEqual([
      "cat.main.gold_orders: SELECT '/data/x' /* ${no} */ FROM `gold`.t WHERE a > 3 + 4",
    ]);
  });

  it("leave the places behind them right", () => {
    const { flows } = parse("CREATE VIEW a AS\nSELECT ${long},\n${long} + b FROM t", { long: "x\n\n\n" }).definitions;
    const query = (flows[0] as QueryFlow).query;
    expect(query.text).toBe("SELECT x\n\n\n,\nx\n\n\n + b FROM t");
    expect(positionAt(query, query.text.indexOf(","))).toEqual({ file: "a.sql", line: 2, column: 15 });
    expect(positionAt(query, query.text.lastIndexOf("x"))).toEqual({ file: "a.sql", line: 3, column: 1 });
    expect(positionAt(query, query.text.indexOf("b"))).toEqual({ file: "a.sql", line: 3, column: 11 });
  });

  it("must be set", () => {
    const error = fault("CREATE VIEW a AS SELECT\n '${catalgo}'", { catalog: "c", constructor: "x" });
    expect([error.code, error.at, error.object, error.hint]).toEqual([
      "CONFIG_MISSING",
      { file: "a.sql", line: 2, column: 3 },
      "catalgo",
      "Did you mean `catalog`?",
    ]);
    expect(faults("CREATE VIEW a AS SELECT ${toString}")).toEqual(["1:25 CONFIG_MISSING"]);
  });

  it("are put in once", () => {
    expect(faults("CREATE VIEW a AS SELECT ${x}", { x: "${y}", y: "1" })).toEqual(["1:25 BAD_OPTION"]);
  });

  it("leave alone what is no key", () => {
    expect(queries("CREATE VIEW a AS SELECT '^${', '${a b}', '$x'")).toEqual([
      "cat.main.a: SELECT '^${', '${a b}', '$x'",
    ]);
  });

  it("cannot smuggle in a statement", () => {
    expect(faults("CREATE STREAMING TABLE a${x}", { x: "; DROP TABLE b" })).toEqual(["1:25 PARSE_SYNTAX_ERROR"]);
  });
});

describe("SET", () => {
  it("counts for later statements and wins over the configuration", () => {
    const text = "CREATE VIEW a AS SELECT ${x};\nSET x = 2;\nset `y z` = 'it''s'; CREATE VIEW b AS SELECT ${x};";
    const file = parse(text, { x: "1" });
    expect(file.settings).toEqual({ x: "2", "y z": "it's" });
    expect(queries(text, { x: "1" })).toEqual(["cat.main.a: SELECT 1", "cat.main.b: SELECT 2"]);
  });

  it("takes a value as it stands, parameters replaced", () => {
    const text = "SET path = /data/x-1 y -- c\n; SET my.key-2=; SET full.path = ${path}/z; SET e = ''";
    expect(faults(text)).toEqual(["2:16 PARSE_SYNTAX_ERROR"]);
    expect(parse(text.replace("my.key-2=", "my.key-2=true")).settings).toEqual({
      path: "/data/x-1 y",
      "my.key-2": "true",
      "full.path": "/data/x-1 y/z",
      e: "",
    });
  });

  it.each([
    ["SET spark.sql.ansi.enabled = false", "1:5 NOT_SUPPORTED"],
    ["SET pipelines.trigger.interval = 10 seconds", "1:5 NOT_SUPPORTED"],
    ["SET x", "1:6 PARSE_SYNTAX_ERROR"],
    ["SET", "1:4 PARSE_SYNTAX_ERROR"],
    ["SET VAR x = 1", "1:9 PARSE_SYNTAX_ERROR"],
    ["SET TIME ZONE 'UTC'", "1:10 PARSE_SYNTAX_ERROR"],
  ])("refuses %s", (text, expected) => {
    expect(faults(text)).toEqual([expected]);
  });
});

describe("USE", () => {
  it("completes the names after it, and the flows' queries", () => {
    const text = `CREATE VIEW a AS SELECT 1; USE s2; CREATE VIEW b AS SELECT 1; USE c3.s3; CREATE VIEW c AS SELECT 1;
      USE CATALOG c4; CREATE VIEW d AS SELECT 1; use schema s5; CREATE VIEW e AS SELECT 1; SET CATALOG 'c6';
      CREATE VIEW f AS SELECT 1; USE DATABASE \`schema\`; CREATE VIEW x.g AS SELECT 1; USE NAMESPACE n; CREATE VIEW h AS SELECT 1`;
    const { datasets, flows } = parse(text).definitions;
    expect(datasets.map((d) => Object.values(d.name).join("."))).toEqual(
      "cat.main.a cat.s2.b c3.s3.c c4.default.d c4.s5.e c6.default.f c6.x.g c6.n.h".split(" "),
    );
    expect(flows[6]?.defaults).toEqual({ catalog: "c6", schema: "schema" });
  });

  it.each([
    ["USE a.b.c", "1:5 INVALID_IDENTIFIER"],
    ["USE a b", "1:7 PARSE_SYNTAX_ERROR"],
    ["USE", "1:4 PARSE_SYNTAX_ERROR"],
    ["USE CATALOG a.b", "1:14 PARSE_SYNTAX_ERROR"],
    ["USE ``", "1:5 INVALID_IDENTIFIER"],
  ])("refuses %s", (text, expected) => {
    expect(faults(text)).toEqual([expected]);
  });
});

describe("hostile text", () => {
  const token = fc.constantFrom(
    ..."CREATE OR REPLACE REFRESH PRIVATE TEMPORARY STREAMING LIVE TABLE MATERIALIZED VIEW FLOW IF NOT EXISTS".split(
      " ",
    ),
    ..."AUTO CDC ONCE INTO FROM SNAPSHOT KEYS SEQUENCE BY APPLY AS DELETE WHEN COLUMNS EXCEPT STORED SCD TYPE".split(
      " ",
    ),
    ..."CONSTRAINT EXPECT ON VIOLATION DROP ROW COMMENT TBLPROPERTIES CLUSTER USING DELTA SET USE CATALOG".split(" "),
    ..."INSERT NAME SELECT STREAM WITH VERSION TRACK HISTORY DECIMAL STRUCT ARRAY PRIMARY KEY MASK DEFAULT".split(" "),
    ..."( ) < > , . ; = => * 1 2 a b 'x' \"y\" `z` ${k} ${m} : - / 'ingot.tags' 'ingot.drift.added' -- /* ' `".split(
      " ",
    ),
    "\n",
    "\n-- COMMAND ----------\n",
    "LIVE.",
  );

  it("is refused with an IngotError or understood, whatever it is", () => {
    const anyText = fc.oneof(
      fc.array(token, { maxLength: 30 }).map((t) => t.join(" ")),
      fc.string({ unit: "binary" }),
    );
    const start = fc.constantFrom("", "CREATE STREAMING TABLE t ", "CREATE FLOW f AS AUTO CDC INTO t FROM s ");
    fc.assert(
      fc.property(start, anyText, (beginning, text) => {
        try {
          parse(beginning + text, { k: "v" });
        } catch (error) {
          expect(error).toBeInstanceOf(IngotError);
          expect((error as IngotError).at?.line).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["deep brackets", `CREATE VIEW a AS SELECT ${"(".repeat(100_000)}`, 0],
    ["a deep condition", `CREATE VIEW a (CONSTRAINT c EXPECT ${"(".repeat(100_000)}`, 1],
    ["a deep type", `CREATE VIEW a (b ${"ARRAY<".repeat(100_000)}`, 1],
    ["many statements", "CREATE VIEW a AS SELECT ${k};\n".repeat(30_000), 0],
    ["many faults", "CREATE;".repeat(20_000), 20_000],
    [
      "many columns",
      `CREATE VIEW a (${Array.from({ length: 50_000 }, (_, i) => `c${i} INT`).join(",\n")}) AS SELECT 1`,
      0,
    ],
    ["one long line", `CREATE VIEW a AS SELECT ${"1         + ".repeat(80_000)}1`, 0],
    ["nested comments", "/*".repeat(500_000), 1],
  ])("of a megabyte is read in one go: %s", (_, text, count) => {
    expect(faults(text, { k: "1" })).toHaveLength(count);
  });
});
