import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { events, filesBelow, ingot, LANDING, projectMaker, refusal, rows, writeProject } from "./cli.js";

const project = projectMaker();

async function run(cwd: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await ingot(["run", ...args], { cwd });
  expect(code, stderr).toBe(0);
  return stdout;
}

describe("a project of .sql files with Spark's spec, written as people write them", () => {
  const NOTEBOOK = `-- Databricks notebook source
-- MAGIC %md
-- MAGIC # Not SQL; nor this: CREATE TABLE x
-- COMMAND ----------
create or refresh streaming table Raw
comment "every ""line"" there is"
as select *, "x;y" as lit, '\${least}' as least from stream read_files("\${folder}", format => "csv", header => "true", schema => "id BIGINT, v STRING");
-- COMMAND ----------
USE SCHEMA other;
CREATE MATERIALIZED VIEW \`\${least}_and_more\` AS SELECT id FROM shop.RAW WHERE id >= \${least}; -- ;
CREATE MATERIALIZED VIEW spark_catalog.third.counted AS SELECT count(*) AS n FROM \`2_and_more\`;
`;
  let folder = "";
  beforeAll(async () => {
    folder = project({
      "transformations/notebook.sql": NOTEBOOK,
      "transformations/deep/er/more.sql": "CREATE VIEW doubled AS SELECT id * 2 AS id FROM shop.raw",
      "landing/1.csv": "id,v\n1,a\n2,b\n3,c\n",
    });
    const spec = `name: shop
storage: file://${folder}/state
catalog: spark_catalog
database: shop
configuration: {folder: landing, least: "2"}
libraries:
  - glob:
      include: transformations/**
`;
    writeProject(folder, { "spark-pipeline.yml": spec });
    await run(folder, "--spec", "spark-pipeline.yml");
  });

  it("runs as it is: letter case, double quotes, parameters, notebook markers, several schemas", async () => {
    expect(readdirSync(`${folder}/state/warehouse`).sort()).toEqual(["other", "shop", "third"]);
    const query = async (sql: string) => {
      const { stdout } = await ingot(["query", sql, "--json", "--spec", "spark-pipeline.yml"], { cwd: folder });
      return (JSON.parse(stdout) as { rows: unknown[] }).rows;
    };
    expect(await query("SELECT * FROM raw WHERE id = 1")).toEqual([{ id: "1", v: "a", lit: "x;y", least: "2" }]);
    expect(await query("SELECT id FROM other.`2_and_more` ORDER BY id")).toEqual([{ id: "2" }, { id: "3" }]);
    expect(await query("SELECT n FROM third.counted")).toEqual([{ n: "2" }]);
    expect(await query("SELECT max(id) AS id FROM doubled")).toEqual([{ id: "6" }]);
  });

  it("takes --set before the spec's configuration, and asks for a parameter that nobody sets", async () => {
    const dry = await ingot(["dry-run", "--spec", "spark-pipeline.yml", "--set", "least=3"], { cwd: folder });
    expect(dry.stdout).toMatch(/other\.3_and_more +recompute +first run/);
    writeProject(folder, { "transformations/z.sql": `CREATE MATERIALIZED VIEW z AS SELECT '\${leest}' AS x;` });
    const { code, errors } = await refusal(folder, "dry-run", "--spec", "spark-pipeline.yml");
    expect(code).toBe(3);
    expect(errors).toMatchObject([
      { code: "CONFIG_MISSING", at: "transformations/z.sql:1:39", hint: expect.stringContaining("least") },
    ]);
  });
});

describe("TypeScript and SQL in one project", () => {
  const FILES = {
    "ingot.yml":
      "name: x\nstorage: storage\nconfiguration: {word: hello}\nlibraries: [{glob: {include: transformations/**}}]\n",
    "tables.json": '["eu", "us"]',
    "landing/eu/1.csv": "id,v\n1,a\n2,b\n",
    "landing/us/1.csv": "id,v\n7,z\n",
    "transformations/bronze.ts": `import { appendFlow, config, createStreamingTable, materializedView, readFiles, readJson, sql, table, temporaryView, view } from "ingot";
for (const name of await readJson<string[]>("tables.json")) {
  table(\`bronze_\${name}\`, sql\`SELECT * FROM STREAM \${readFiles(\`landing/\${name}\`, { format: "csv", header: true, schema: "id BIGINT, v STRING" })}\`);
}
const all = createStreamingTable("all_rows");
appendFlow({ target: all, name: "eu", query: sql\`SELECT * FROM STREAM bronze_eu\` });
appendFlow({ target: all, name: "us", query: sql\`SELECT * FROM STREAM bronze_us\` });
appendFlow({ target: all, name: "past", once: true, query: sql\`SELECT CAST(0 AS BIGINT) AS id, \${config("word")} AS v\` });
const doubled = temporaryView("doubled", sql\`SELECT id * 2 AS id FROM all_rows\`);
view("halves", sql\`SELECT id, v FROM all_rows WHERE id > 1\`);
materializedView("secret", { private: true, query: sql\`SELECT max(id) AS highest FROM \${doubled}\` });
`,
    "transformations/gold.sql":
      "CREATE MATERIALIZED VIEW gold AS SELECT s.highest, count(*) AS n FROM halves CROSS JOIN secret s GROUP BY s.highest;",
  };
  let folder = "";
  beforeAll(async () => {
    folder = project(FILES);
    await run(folder);
  });

  it("declares a table a name of a list, flows into one table, views that are looked through", async () => {
    expect(await rows(folder, "SELECT id, v FROM all_rows ORDER BY id")).toEqual([
      { id: "0", v: "hello" },
      { id: "1", v: "a" },
      { id: "2", v: "b" },
      { id: "7", v: "z" },
    ]);
    expect(await rows(folder, "SELECT highest, n FROM gold")).toEqual([{ highest: "14", n: "2" }]);
  });

  it("keeps a private table out of the warehouse, and views out of the storage", () => {
    const tables = ["all_rows", "bronze_eu", "bronze_us", "gold"];
    expect(readdirSync(`${folder}/storage/warehouse/default`).sort()).toEqual(tables);
    expect(readdirSync(`${folder}/storage/_private/spark_catalog/default`)).toEqual(["secret"]);
    expect(filesBelow(`${folder}/storage`).join()).not.toMatch(/halves|doubled/);
  });

  it("reads on only what is new: of files, and of the versions of a table; a once flow has run", async () => {
    writeFileSync(`${folder}/landing/us/2.csv`, "id,v\n8,y\n");
    const { events: told } = await events(folder);
    const done = Object.fromEntries(
      told.flatMap((e) => {
        const progress = "flow_progress" in e.details ? e.details.flow_progress : undefined;
        if (progress?.status !== "COMPLETED") return [];
        return [[e.origin.flow_name?.split(".").at(-1), [progress.metrics?.num_output_rows, progress.reason]]];
      }),
    );
    expect(done).toMatchObject({
      bronze_eu: [0, "nothing new"],
      bronze_us: [1, "1 new file, 1 record"],
      eu: [0, "nothing new"],
      us: [1, "spark_catalog.default.bronze_us version 1"],
      past: [0, "a once flow that has run"],
      gold: [1, "inputs changed"],
    });
    expect(await rows(folder, "SELECT highest, n FROM gold")).toEqual([{ highest: "16", n: "3" }]);
  });
});

describe("tables of another project", () => {
  const sap = project({
    "transformations/all.sql": `USE SCHEMA silver;\nCREATE STREAMING TABLE orders AS SELECT * FROM STREAM ${LANDING};`,
    "landing/1.csv": "id,v\n1,a\n",
  });
  const gold = project({
    "ingot.yml": `name: gold\nstorage: storage\ncatalogs: {SAP: "${sap}/storage/warehouse"}\nlibraries: [{glob: {include: transformations/**}}]\n`,
    "transformations/all.sql": `CREATE MATERIALIZED VIEW n AS SELECT count(*) AS n FROM sap.silver.Orders;
CREATE STREAMING TABLE copy AS SELECT * FROM STREAM sap.silver.orders;`,
    "transformations/more.ts": `import { externalTable, materializedView, sql } from "ingot";
materializedView("marts.newest", sql\`SELECT max(id) AS id FROM \${externalTable("sap.silver.orders")}\`);
`,
  });

  it("say what to run when they are not there yet", async () => {
    const { code, errors } = await refusal(gold, "run");
    expect(code).toBe(3);
    expect(errors[0]).toMatchObject({ code: "UNKNOWN_TABLE", at: expect.stringMatching(/^transformations\//) });
  });

  it("are read by their three-part names, and never written", async () => {
    await run(sap);
    const before = filesBelow(`${sap}/storage`);
    await run(gold);
    expect(await rows(gold, "SELECT n.n, m.id FROM n CROSS JOIN marts.newest m")).toEqual([{ n: "1", id: "1" }]);
    expect(filesBelow(`${sap}/storage`)).toEqual(before);
    writeFileSync(`${sap}/landing/2.csv`, "id,v\n2,b\n");
    await run(sap);
    expect(await run(gold)).toMatch(/copy +COMPLETED +\+1 row /);
    expect(await rows(gold, "SELECT id FROM copy ORDER BY id")).toEqual([{ id: "1" }, { id: "2" }]);
    expect(await rows(gold, "SELECT count(*) AS n FROM sap.silver.orders")).toEqual([{ n: "2" }]);
  });

  it("are another table when they were dropped and made again (V08)", async () => {
    const copy = await rows(gold, "SELECT id FROM copy ORDER BY id");
    await run(sap, "--full-refresh-all");
    expect(await refusal(gold, "run")).toMatchObject({
      code: 1,
      errors: [{ code: "DELTA_SOURCE_TABLE_IGNORE_CHANGES" }],
    });
    rmSync(`${sap}/storage`, { recursive: true });
    await run(sap);
    const { code, errors } = await refusal(gold, "run");
    expect(code).toBe(1);
    expect(errors).toMatchObject([{ code: "CHECKPOINT_DAMAGED", hint: expect.stringContaining("--full-refresh") }]);
    expect(errors[0]?.message).toMatch(/another table now \(id .*, before .*; read up to version 1\)/);
    expect(await rows(gold, "SELECT id FROM copy ORDER BY id")).toEqual(copy);
    expect(await run(gold, "--full-refresh", "copy")).toMatch(/copy +COMPLETED +\+2 rows/);
  });
});
