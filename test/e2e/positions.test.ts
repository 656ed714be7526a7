import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DuckdbEngine } from "../../packages/ingot/src/engine/duckdb/duckdb-engine.js";
import { events, ingot, projectMaker, rows, writeProject } from "./cli.js";

const project = projectMaker();
const read = (path: string, options = "header => true, schema => 'id BIGINT, v STRING'") =>
  `STREAM read_files('${path}', format => 'csv', ${options})`;
const run = (folder: string) => ingot(["run"], { cwd: folder });
const ids = async (folder: string) => (await rows(folder, "SELECT id FROM t ORDER BY id")).map((row) => row["id"]);

describe("positions belong to sources", () => {
  it("reads a source that is added from its beginning, files that another one gave included", async () => {
    const folder = project({
      "transformations/t.sql": `CREATE STREAMING TABLE t AS SELECT id FROM ${read("landing")};`,
      "landing/a.csv": "id,v\n1,x\n",
    });
    await run(folder);
    const both = `SELECT id FROM ${read("landing")} UNION ALL SELECT id + 100 AS id FROM ${read("landing/a.csv")}`;
    writeProject(folder, { "transformations/t.sql": `CREATE STREAMING TABLE t AS ${both};` });
    await run(folder);
    expect(await ids(folder)).toEqual(["1", "101"]);
  });

  it("gives the same rows in one batch and in two, for sources of equal content", async () => {
    const both = `CREATE STREAMING TABLE t AS SELECT id FROM ${read("eu")} UNION ALL SELECT id + 100 AS id FROM ${read("us")};`;
    const folder = project({ "transformations/t.sql": both, "eu/a.csv": "id,v\n1,x\n", "us/.keep": "" });
    await run(folder);
    writeProject(folder, { "us/a.csv": "id,v\n1,x\n" });
    await run(folder);
    expect(await ids(folder)).toEqual(["1", "101"]);
  });

  it("reads no file again when a path is only written otherwise", async () => {
    const folder = project({
      "transformations/t.sql": `CREATE STREAMING TABLE t AS SELECT id FROM ${read("landing")};`,
      "landing/a.csv": "id,v\n1,x\n",
    });
    await run(folder);
    writeProject(folder, {
      "transformations/t.sql": `CREATE STREAMING TABLE t AS SELECT id FROM ${read("landing/*.csv")};`,
    });
    await run(folder);
    expect(await ids(folder)).toEqual(["1"]);
  });

  it("begins anew where the first batch never came through and its source was corrected", async () => {
    const folder = project({
      "transformations/t.sql": `CREATE STREAMING TABLE t AS SELECT id FROM ${read("landing", "schema => 'id BIGINT, v STRING'")};`,
      "landing/a.csv": "id,v\n1,x\n",
    });
    expect((await run(folder)).stderr).toContain("MALFORMED_RECORD");
    writeProject(folder, { "transformations/t.sql": `CREATE STREAMING TABLE t AS SELECT id FROM ${read("landing")};` });
    expect((await run(folder)).code).toBe(0);
    expect(await ids(folder)).toEqual(["1"]);
  });
});

describe("a batch that was left behind", () => {
  const die = async (folder: string) => {
    const write = DuckdbEngine.prototype.write;
    DuckdbEngine.prototype.write = async () => {
      throw new Error("died");
    };
    await run(folder).finally(() => {
      DuckdbEngine.prototype.write = write;
    });
  };

  it("counts in the figures of the run that finishes it, new rows with it", async () => {
    const folder = project({
      "transformations/t.sql": `CREATE STREAMING TABLE t AS SELECT id FROM ${read("landing")};`,
      "landing/a.csv": "id,v\n1,x\n",
    });
    await die(folder);
    writeFileSync(`${folder}/landing/b.csv`, "id,v\n2,y\n3,z\n");
    const { events: told } = await events(folder);
    expect(told.find((e) => e.message.endsWith(".t has COMPLETED."))?.details).toMatchObject({
      flow_progress: { metrics: { num_output_rows: 3, num_input_files: 2, num_input_records: 3 } },
    });
    expect(await ids(folder)).toEqual(["1", "2", "3"]);
  });

  it("does not hold up another flow of its table when it fails again", async () => {
    const folder = project({
      "transformations/t.sql": `CREATE STREAMING TABLE t;
CREATE FLOW good AS INSERT INTO t BY NAME SELECT id FROM ${read("good")};
CREATE FLOW bad AS INSERT INTO t BY NAME SELECT id FROM ${read("bad")};`,
      "good/a.csv": "id,v\n1,x\n",
      "bad/a.csv": "id,v\nnone,x\n",
    });
    await run(folder);
    writeProject(folder, { "good/b.csv": "id,v\n2,x\n" });
    expect((await run(folder)).code).toBe(1);
    expect(await ids(folder)).toEqual(["1", "2"]);
  });

  it("is done over an input that has gained a column since", async () => {
    const source = (columns: string) => `CREATE STREAMING TABLE b AS SELECT ${columns} FROM ${read("landing")};`;
    const folder = project({
      "transformations/b.sql": source("id, v"),
      "transformations/t.sql": "CREATE STREAMING TABLE t AS SELECT id, CAST(v AS INT) AS v FROM STREAM b;",
      "landing/a.csv": "id,v\n1,7\n",
    });
    await die(folder);
    await run(folder);
    writeProject(folder, { "landing/b.csv": "id,v\n2,x\n" });
    expect((await run(folder)).code).toBe(1);
    writeProject(folder, {
      "transformations/b.sql": source("id, v, upper(v) AS n"),
      "transformations/t.sql": "CREATE STREAMING TABLE t AS SELECT id, try_cast(v AS INT) AS v, n FROM STREAM b;",
    });
    const { code, stderr } = await run(folder);
    expect([code, stderr.includes("INTERNAL_ERROR")]).toEqual([0, false]);
    expect(await rows(folder, "SELECT id, v, n FROM t ORDER BY id")).toEqual([
      { id: "1", v: 7, n: null },
      { id: "2", v: null, n: null },
    ]);
  });
});

it("refuses a column without a type before anything runs", async () => {
  const folder = project({ "transformations/m.sql": "CREATE MATERIALIZED VIEW m AS SELECT 1 AS a, NULL AS x;" });
  const { code, stderr } = await run(folder);
  expect(code).toBe(3);
  expect(stderr).toContain("CAST(NULL AS STRING) AS x");
});
