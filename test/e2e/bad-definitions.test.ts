import { describe, expect, it } from "vitest";
import { LANDING, projectMaker, type Refusal, refusal, storedFiles } from "./cli.js";

const project = projectMaker();

/** A project with one `.sql` file (and others), run; nothing may have been written but caches. */
async function run(sql: string, files: Readonly<Record<string, string>> = {}): Promise<Refusal> {
  const folder = project({ "transformations/all.sql": sql, "landing/1.csv": "id,v\n1,a\n", ...files });
  const refused = await refusal(folder, "run");
  expect(storedFiles(folder)).toEqual([]);
  return refused;
}

describe("definitions that are refused before anything runs", () => {
  it("names all members of a cycle", async () => {
    const { code, errors } = await run(
      "CREATE MATERIALIZED VIEW a AS SELECT * FROM b;\nCREATE TEMPORARY VIEW b AS SELECT * FROM c;\nCREATE MATERIALIZED VIEW c AS SELECT * FROM a;",
    );
    expect(code).toBe(3);
    expect(errors).toMatchObject([{ code: "CYCLE", at: "transformations/all.sql:1:1" }]);
    for (const name of ["a", "b", "c"]) expect(errors[0]?.message).toContain(`spark_catalog.default.${name} reads`);
  });

  it("tells both places of a dataset that is declared twice, whatever the case and the language", async () => {
    const { code, errors } = await run("CREATE MATERIALIZED VIEW orders AS SELECT 1 AS a;", {
      "transformations/b.ts":
        'import { materializedView, sql } from "ingot";\n\nmaterializedView("Orders", sql`SELECT 2 AS a`);\n',
    });
    expect(code).toBe(3);
    expect(errors).toMatchObject([
      {
        code: "PIPELINE_DUPLICATE_IDENTIFIERS.DATASET",
        at: "transformations/b.ts:3:1",
        hint: expect.stringContaining("transformations/all.sql:1:1"),
      },
    ]);
  });

  it("proposes the nearest name for each table that is not there", async () => {
    const { code, errors } = await run(
      "CREATE MATERIALIZED VIEW orders AS SELECT 1 AS a;\nCREATE MATERIALIZED VIEW x AS\n  SELECT * FROM order_s;\nCREATE VIEW y AS SELECT * FROM default.Ordres;",
    );
    expect(code).toBe(3);
    expect(errors).toMatchObject([
      { code: "UNKNOWN_TABLE", at: "transformations/all.sql:3:17", hint: "Did you mean `orders`?" },
      { code: "UNKNOWN_TABLE", at: "transformations/all.sql:4:32", hint: "Did you mean `orders`?" },
    ]);
  });

  it("proposes the nearest catalog, and how to map one", async () => {
    const { code, errors } = await run("CREATE MATERIALIZED VIEW y AS SELECT * FROM spak_catalog.default.orders;");
    expect(code).toBe(3);
    expect(errors).toMatchObject([{ code: "UNKNOWN_CATALOG", at: "transformations/all.sql:1:45" }]);
    expect(errors[0]?.hint).toMatch(/Did you mean `spark_catalog`\?.*catalogs:/);
  });

  it("refuses STREAM over what is not streaming", async () => {
    const { code, errors } = await run(
      "CREATE MATERIALIZED VIEW m AS SELECT 1 AS a;\nCREATE TEMPORARY VIEW v AS SELECT * FROM m;\nCREATE STREAMING TABLE b AS SELECT * FROM STREAM v;\nCREATE STREAMING TABLE c AS SELECT * FROM STREAM(m);",
    );
    expect(code).toBe(3);
    expect(errors).toMatchObject([
      { code: "INCOMPATIBLE_STREAMING_VIEW_READ", at: "transformations/all.sql:3:50" },
      { code: "INCOMPATIBLE_STREAMING_VIEW_READ", at: "transformations/all.sql:4:50" },
    ]);
    expect(errors[0]?.hint).toContain("Leave STREAM out");
  });

  it("refuses a protected table below one that may be started again", async () => {
    const { code, errors } = await run(
      `CREATE STREAMING TABLE b AS SELECT * FROM STREAM ${LANDING};
CREATE TEMPORARY VIEW v AS SELECT * FROM STREAM b;
CREATE STREAMING TABLE c TBLPROPERTIES ('pipelines.reset.allowed' = 'false') AS SELECT * FROM STREAM v;`,
    );
    expect(code).toBe(3);
    expect(errors).toMatchObject([{ code: "INVALID_RESETTABLE_DEPENDENCY", at: "transformations/all.sql:3:1" }]);
    expect(errors[0]?.message).toContain("streams from may be: spark_catalog.default.b");
  });

  it("refuses a batch query for a streaming table", async () => {
    const { code, errors } = await run(`CREATE STREAMING TABLE b AS\nSELECT * FROM ${LANDING};`);
    expect(code).toBe(3);
    expect(errors).toMatchObject([
      {
        code: "INVALID_FLOW_QUERY_TYPE.BATCH_RELATION_FOR_STREAMING_TABLE",
        at: "transformations/all.sql:2:1",
        hint: expect.stringContaining("FROM STREAM"),
      },
    ]);
  });

  it("refuses a second query for a view of either kind", async () => {
    const { code, errors } = await run(
      "CREATE MATERIALIZED VIEW m AS SELECT 1 AS a;\nCREATE FLOW f AS INSERT INTO m BY NAME SELECT 2 AS a;\nCREATE VIEW v AS SELECT 1 AS a;\nCREATE FLOW g AS INSERT INTO v BY NAME SELECT 2 AS a;",
    );
    expect(code).toBe(3);
    expect(errors).toMatchObject([
      { code: "MATERIALIZED_VIEW_WITH_MULTIPLE_QUERIES", at: "transformations/all.sql:2:1" },
      { code: "MATERIALIZED_VIEW_WITH_MULTIPLE_QUERIES", at: "transformations/all.sql:4:1" },
    ]);
  });

  it("shows the line of a definitions file that throws, not ours", async () => {
    const { code, errors } = await run("CREATE MATERIALIZED VIEW m AS SELECT 1 AS a;", {
      "transformations/b.ts":
        'import { sql, table } from "ingot";\nimport { first } from "../lib/names.js";\n\ntable(first([]), sql`SELECT 1`);\n',
      "lib/names.ts": "export function first(names: string[]): string {\n  return names[0]!.toUpperCase();\n}\n",
    });
    expect(code).toBe(3);
    expect(errors).toMatchObject([{ code: "DEFINITIONS_FILE_FAILED", at: "lib/names.ts:2:20" }]);
    expect(errors[0]?.message).toContain("TypeError");
  });

  it("refuses a .py file by name, and says what to do", async () => {
    const { code, errors } = await run("CREATE MATERIALIZED VIEW m AS SELECT 1 AS a;", {
      "transformations/deep/silver.py": "import dlt\n",
    });
    expect(code).toBe(3);
    expect(errors).toMatchObject([{ code: "PIPELINE_UNSUPPORTED_DEFINITIONS_FILE_EXTENSION", at: "ingot.yml:4:5" }]);
    expect(errors[0]?.message).toContain("transformations/deep/silver.py");
    expect(errors[0]?.hint).toMatch(/SQL or TypeScript/);
  });

  it("refuses what it cannot do yet by name, instead of ignoring it", async () => {
    const { code, errors } = await run(
      "CREATE STREAMING TABLE t (CONSTRAINT ok EXPECT UNIQUE (a) ON VIOLATION DROP ROW) CLUSTER BY AUTO AS SELECT id AS a FROM STREAM " +
        `${LANDING};`,
    );
    expect(code).toBe(3);
    expect(errors.map((error) => error.code)).toEqual(["NOT_SUPPORTED", "NOT_SUPPORTED"]);
    expect(errors.map((error) => error.message).join()).toMatch(/unique expectation `ok`.*CLUSTER BY/);
  });
});
