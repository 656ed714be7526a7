import { readdirSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { events, ingot, LANDING, projectMaker, refusal, rows } from "./cli.js";

const project = projectMaker();

/** `bronze` in TypeScript and the rest in SQL: a table that is protected, one with two flows, a stream of a stream, a view. */
const FILES = {
  "transformations/bronze.ts": `import { sql, table } from "ingot";
table("bronze", sql\`SELECT * FROM STREAM ${LANDING}\`);
`,
  "transformations/rest.sql": `CREATE STREAMING TABLE kept TBLPROPERTIES ('pipelines.reset.allowed' = 'false') AS SELECT * FROM STREAM ${LANDING};
CREATE STREAMING TABLE many;
CREATE FLOW files AS INSERT INTO many BY NAME SELECT id FROM STREAM ${LANDING};
CREATE FLOW past AS INSERT INTO ONCE many BY NAME SELECT CAST(100 AS BIGINT) AS id;
CREATE STREAMING TABLE silver AS SELECT * FROM STREAM bronze;
CREATE MATERIALIZED VIEW gold AS SELECT count(*) AS n FROM bronze;`,
  "landing/1.csv": "id,v\n1,a\n2,b\n",
};
const TABLES = ["bronze", "kept", "many", "silver", "gold"];

describe("a refresh of chosen tables", () => {
  let folder = "";
  beforeAll(async () => {
    folder = project(FILES);
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    writeFileSync(`${folder}/landing/2.csv`, "id,v\n3,c\n");
  });

  const run = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await ingot(["run", "--json", ...args], { cwd: folder });
    expect(code, stderr).toBe(0);
    const { tables } = JSON.parse(stdout) as { tables: { name: string; status: string; rows?: number }[] };
    return Object.fromEntries(tables.map((t) => [t.name, t.status === "EXCLUDED" ? "EXCLUDED" : t.rows]));
  };
  const counts = async () => {
    const query = TABLES.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(", ");
    return (await rows(folder, `SELECT ${query}`))[0];
  };
  const generations = (table: string, flow = table) =>
    readdirSync(`${folder}/storage/_checkpoints/spark_catalog/default/${table}/${flow}`).sort();

  it("--refresh runs the named tables only, neither what they read nor what reads them", async () => {
    const excluded = { bronze: 1, kept: "EXCLUDED", many: "EXCLUDED", silver: "EXCLUDED", gold: "EXCLUDED" };
    expect(await run("--refresh", "Bronze")).toEqual(excluded);
    expect(await rows(folder, "SELECT n FROM gold")).toEqual([{ n: "2" }]);
    const { events: told } = await events(folder, "--refresh", "silver");
    expect(told.filter((e) => e.message.endsWith("is EXCLUDED.")).map((e) => e.message)).toContain(
      "Flow 'spark_catalog.default.gold' is EXCLUDED.",
    );
    expect(await counts()).toEqual({ bronze: "3", kept: "2", many: "3", silver: "3", gold: "1" });
  });

  it("--full-refresh replaces the rows of all flows of a table in one commit, once flows too, and starts generation n+1", async () => {
    const { code, events: told } = await events(folder, "--full-refresh", "spark_catalog.default.many");
    expect(code).toBe(0);
    const done = told.filter((e) => e.message.endsWith("has COMPLETED."));
    expect(done.map((e) => ("flow_progress" in e.details ? e.details.flow_progress.metrics : undefined))).toMatchObject(
      [
        { num_input_records: 3, num_output_rows: 3, table_version: 2 },
        { num_output_rows: 1, table_version: 2 },
      ],
    );
    expect(await rows(folder, "SELECT id FROM many ORDER BY id")).toEqual(["1", "2", "3", "100"].map((id) => ({ id })));
    expect([generations("many", "files"), generations("many", "past"), generations("bronze")]).toEqual([
      ["0", "1"],
      ["0", "1"],
      ["0"],
    ]);
    expect(await run("--refresh", "many")).toMatchObject({ many: 0 });
  });

  it("takes both lists at once, and lists that are given twice", async () => {
    expect(await run("--full-refresh", "gold", "--refresh", "kept", "--refresh", "many,")).toEqual({
      bronze: "EXCLUDED",
      kept: 1,
      many: 0,
      silver: "EXCLUDED",
      gold: 1,
    });
    expect(await rows(folder, "SELECT n FROM gold")).toEqual([{ n: "3" }]);
  });

  it("says in a dry run what it would do, and changes nothing", async () => {
    const before = generations("bronze");
    const { stdout } = await ingot(["dry-run", "--full-refresh", "bronze"], { cwd: folder });
    expect(stdout).toMatch(/bronze +full refresh +full refresh: 2 new files, 3 records\n/);
    expect(stdout).toMatch(/gold +excluded/);
    expect(generations("bronze")).toEqual(before);
  });

  it("stops a stream whose source was started again, until the reader starts again too", async () => {
    expect(await run("--full-refresh", "bronze")).toMatchObject({ bronze: 3, silver: "EXCLUDED" });
    const { code, errors } = await refusal(folder, "run");
    expect(code).toBe(1);
    expect(errors).toMatchObject([
      {
        code: "DELTA_SOURCE_TABLE_IGNORE_CHANGES",
        at: "transformations/rest.sql:5:1",
        hint: expect.stringContaining("--full-refresh"),
      },
    ]);
    expect(await rows(folder, "SELECT count(*) AS n FROM silver")).toEqual([{ n: "3" }]);
    expect(await run("--full-refresh", "silver")).toMatchObject({ silver: 3 });
  });

  it("--full-refresh-all starts all again but the protected table, and says so", async () => {
    const { code, events: told } = await events(folder, "--full-refresh-all");
    expect(code).toBe(0);
    const warning = told.find((e) => e.level === "WARN");
    expect(warning?.message).toBe(
      "kept forbids a full refresh (pipelines.reset.allowed=false): it is refreshed as usual.",
    );
    expect(await counts()).toEqual({ bronze: "3", kept: "3", many: "4", silver: "3", gold: "1" });
    expect([generations("bronze"), generations("kept")]).toEqual([["0", "1", "2"], ["0"]]);
  });
});

describe("refresh options that are refused", () => {
  const folder = project(FILES);

  it.each([
    ["an unknown name", ["--refresh", "bronce"], "UNKNOWN_SELECTION", "Did you mean bronze?"],
    ["a view or a flow", ["--full-refresh", "files"], "UNKNOWN_SELECTION", "Tables: "],
    ["an empty list", ["--full-refresh", ""], "USAGE", "--help"],
    [
      "a table in both lists",
      ["--refresh", "gold,bronze", "--full-refresh", "BRONZE"],
      "CONFLICTING_PIPELINE_REFRESH_OPTIONS",
      "one",
    ],
    ["all and a list", ["--full-refresh-all", "--refresh", "bronze"], "CONFLICTING_PIPELINE_REFRESH_OPTIONS", "one"],
    ["a protected table", ["--full-refresh", "gold,kept"], "TABLE_NOT_RESETTABLE", "source is gone"],
  ])("%s", async (_, args, code, hint) => {
    for (const command of ["run", "dry-run"]) {
      expect(await refusal(folder, command, ...args)).toMatchObject({
        code: 2,
        errors: [{ code, hint: expect.stringContaining(hint) }],
      });
    }
    expect(readdirSync(folder)).not.toContain("warehouse");
  });

  it("each unknown name", async () => {
    const { errors } = await refusal(folder, "run", "--refresh", "bronce,gold", "--full-refresh", "zebra");
    expect(errors.map((error) => error.code)).toEqual(["UNKNOWN_SELECTION", "UNKNOWN_SELECTION"]);
  });
});
