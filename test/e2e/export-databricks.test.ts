import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { filesBelow, ingot, projectMaker, refusal, run, SPEC, temporaryFolder, writeProject } from "./cli.js";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const project = projectMaker();

async function exportProject(cwd: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await ingot(["export", "databricks", "--out", "bundle", "--json", ...args], { cwd });
  expect(code, stderr + stdout).toBe(0);
  const told: { not_native: { object: string; construct: string }[] } = JSON.parse(stdout);
  return {
    gaps: told.not_native.map(({ object, construct }) => `${object}: ${construct}`),
    read: (path: string) => readFileSync(join(cwd, "bundle", path), "utf8"),
  };
}

// The clauses are those of Lakeflow's SQL reference: CREATE STREAMING TABLE, CREATE MATERIALIZED VIEW, CREATE FLOW.
describe("ingot export databricks", () => {
  it("writes a bundle with one pipeline, and a statement for each table", async () => {
    const cwd = join(temporaryFolder(), "shop");
    cpSync(join(EXAMPLES, "shop"), cwd, { recursive: true });
    const { gaps, read } = await exportProject(cwd, "--catalog", "sales", "--files", "/Volumes/sales/raw/shop/");
    expect(read("databricks.yml")).toBe(`bundle:
  name: shop
variables:
  catalog:
    description: Unity Catalog that holds the tables
    default: sales
resources:
  pipelines:
    shop:
      name: shop
      catalog: \${var.catalog}
      schema: default
      serverless: true
      libraries:
        - glob:
            include: transformations/**
targets:
  dev:
    mode: development
    default: true
`);
    expect(filesBelow(join(cwd, "bundle/transformations"))).toEqual([
      "default/bronze_orders.sql",
      "default/checked_orders.sql",
      "default/customer_spend.sql",
      "default/orders.sql",
    ]);
    expect(read("transformations/default/bronze_orders.sql")).toContain(
      "FROM STREAM read_files('/Volumes/sales/raw/shop/landing', format => 'csv', header => true,",
    );
    expect(read("transformations/default/checked_orders.sql")).toBe(
      `CREATE TEMPORARY VIEW checked_orders (
  CONSTRAINT readable EXPECT (_bad IS NULL) ON VIOLATION DROP ROW,
  CONSTRAINT known_status EXPECT (status IN ('placed', 'shipped', 'cancelled'))
)
AS SELECT * FROM bronze_orders;
`,
    );
    expect(gaps).toEqual([
      "checked_orders: quarantine",
      "checked_orders: gate",
      "checked_orders: ON VIOLATION QUARANTINE ROW of readable",
    ]);
    expect(read("NOT-NATIVE.md")).toContain("transformations/silver.ts:5");
    expect(read("NOT-NATIVE.md")).toContain("It was not run on Databricks.");
  });

  it("says in Spark's words what Ingot's functions say, and names what has no word", async () => {
    const cwd = project({
      "ingot.yml": `${SPEC}sources: {ECC: {release: ecc}}\n`,
      "transformations/a.sql": `
CREATE STREAMING TABLE changes LOCATION 'lake/changes'
TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true') AS
SELECT *, _metadata.content_hash AS hash
FROM STREAM read_files('./landing/*.csv', format => 'csv', header => true, onMissing => 'skip', cleanColumnNames => true);
CREATE STREAMING TABLE state (CONSTRAINT keyed EXPECT (sap_alpha(id, 4) IS NOT NULL) ON VIOLATION FAIL UPDATE);
CREATE FLOW apply AS AUTO CDC INTO state FROM STREAM(spark_catalog.default.changes)
KEYS (id) APPLY AS DELETE WHEN sap_flag(op) SEQUENCE BY CAST(seq AS BIGINT)
COLUMNS * EXCEPT (op, hash) STORED AS SCD TYPE 1 WITH (ties => 'delete', max_delete_share => 0.5);
CREATE TEMPORARY VIEW days TBLPROPERTIES ('ingot.drift' = 'notify') AS SELECT id, sap_date(day) AS day FROM changes;
CREATE MATERIALIZED VIEW report (CONSTRAINT one EXPECT UNIQUE (id))
AS SELECT d.id, d.day FROM spark_catalog.default.days d;
CREATE MATERIALIZED VIEW odd TBLPROPERTIES ('ingot.dialect' = 'duckdb') AS SELECT 1 AS one;
CREATE MATERIALIZED VIEW fed AS SELECT id, _change_type FROM table_changes('spark_catalog.default.changes', 0);
`,
      "landing/a.csv": "id,v,op,seq,day\n1,a,,1,20240131\n",
    });
    await run(cwd);
    const { gaps, read } = await exportProject(cwd);
    expect(gaps).toEqual([
      "changes: location",
      "changes: read_files option onMissing",
      "changes: read_files option cleanColumnNames",
      "changes: read_files without a schema",
      "changes: _metadata.content_hash",
      "state apply: ties delete",
      "state apply: maxDeleteShare 0.5",
      "days: drift",
      "report: expectation one: UNIQUE (id)",
      "odd: dialect duckdb",
    ]);
    expect(read("transformations/default/changes.sql")).toContain(
      `FROM STREAM read_files('/Volumes/main/default/test/landing/*.csv', format => 'csv', header => true, inferColumnTypes => false, escape => '"')`,
    );
    expect(read("transformations/default/changes.sql")).not.toContain("ingot.");
    const state = read("transformations/default/state.sql");
    expect(state).toContain("AS AUTO CDC INTO state\nFROM STREAM(changes)\nKEYS (id)\nAPPLY AS DELETE WHEN ");
    expect(state).toContain("STORED AS SCD TYPE 1;");
    expect(read("transformations/default/report.sql")).toContain("FROM days d;");
    expect(read("transformations/default/fed.sql")).toContain("FROM table_changes('changes', 0)");
    for (const path of filesBelow(join(cwd, "bundle/transformations"))) {
      expect(read(`transformations/${path}`)).not.toMatch(/sap_\w+\(|spark_catalog/);
    }
    expect(read("NOT-NATIVE.md")).toContain("| `odd` | `dialect duckdb` | The dataset is not exported. |");
  });

  it("writes what Ingot's own grammar reads, with the same columns", async () => {
    for (const name of ["shop", "order-to-cash"]) {
      const cwd = join(temporaryFolder(), name);
      cpSync(join(EXAMPLES, name), cwd, { recursive: true });
      await exportProject(cwd, "--files", cwd);
      const again = writeProject(join(cwd, "again"), { "ingot.yml": SPEC });
      cpSync(join(cwd, "bundle/transformations"), join(again, "transformations"), { recursive: true });
      const { code, stdout, stderr } = await ingot(["dry-run", "--json"], { cwd: again });
      expect(code, `${name}: ${stderr}${stdout}`).toBe(0);
    }
  });

  it("tells relations apart that one place of a TypeScript file writes", async () => {
    const cwd = project({
      "transformations/a.sql": `CREATE MATERIALIZED VIEW a AS SELECT 1 AS one;
CREATE MATERIALIZED VIEW b AS SELECT 2 AS two;`,
      "transformations/both.ts": `import { materializedView, sql } from "ingot";
const arms = [["a", "one"], ["b", "two"]].map(([table = "", column = ""]) => sql\`SELECT \${sql.id(column)} AS n FROM \${sql.id(table)}\`);
materializedView("both", { query: sql.join(arms, sql\` UNION \`) });`,
    });
    const { read } = await exportProject(cwd);
    expect(read("transformations/default/both.sql")).toContain(
      "SELECT `one` AS n FROM a UNION SELECT `two` AS n FROM b",
    );
  });

  it("writes into a new folder only", async () => {
    const cwd = project({ "transformations/a.sql": "CREATE MATERIALIZED VIEW a AS SELECT 1 AS one;" });
    writeFileSync(join(cwd, "bundle"), "");
    const { code, errors } = await refusal(cwd, "export", "databricks", "--out", "bundle");
    expect([code, errors[0]?.code]).toEqual([2, "EXPORT_EXISTS"]);
  });
});
