import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { FlowMetrics, RunEvent } from "../../packages/ingot/src/model/event.js";
import { ingot, SPEC, texts, writeProject } from "../e2e/cli.js";
import { describeWith } from "./peer.js";
import { type SparkServer, startSparkServer } from "./spark-server.js";
import { deliverWorked, makeWorkedProject, WORKED_COLUMNS, WORKED_ROWS } from "./worked-changes.js";

type Engine = "spark" | "duckdb";
type Row = readonly (string | number | null)[];

const describeSpark = await describeWith("spark");

describeSpark("AUTO CDC on Spark", () => {
  let root: string;
  let server: SparkServer;
  let projects = 0;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "ingot-spark-cdc-"));
    server = await startSparkServer();
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await rm(root, { recursive: true, force: true });
  }, 30_000);

  /** A project whose table `target` takes the changes of `landing/`. */
  function makeProject(schema: string, flow: string): string {
    const sql = `CREATE STREAMING TABLE changes AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
        schema => '${schema}');
      CREATE STREAMING TABLE target;
      CREATE FLOW f AS AUTO CDC INTO target FROM STREAM changes ${flow};`;
    return writeProject(join(root, String(projects++)), {
      "ingot.yml": SPEC,
      "transformations/all.sql": sql,
      "landing/.keep": "",
    });
  }

  /** Delivers a file and runs; gives what became of its changes. */
  async function run(
    project: string,
    engine: Engine,
    name: string,
    header: string,
    lines: readonly string[],
  ): Promise<FlowMetrics> {
    await writeFile(join(project, "landing", `${name}.csv`), `${[header, ...lines].join("\n")}\n`);
    return again(project, engine);
  }

  async function again(project: string, engine: Engine, ...options: string[]): Promise<FlowMetrics> {
    const remote = engine === "spark" ? ["--engine", "spark", "--remote", server.remote] : [];
    const { code, stdout, stderr } = await ingot(["run", "--json-stream", ...remote, ...options], { cwd: project });
    expect(code, `${stderr}${stdout}`).toBe(0);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as RunEvent);
    const progress = events.flatMap(({ origin, details }) =>
      origin.flow_name?.endsWith("f") === true && "flow_progress" in details ? [details.flow_progress] : [],
    );
    const {
      duration_ms: _,
      table_version: __,
      ...metrics
    } = progress.find(({ status }) => status === "COMPLETED")?.metrics ?? {};
    return metrics;
  }

  async function rows(project: string, query = "SELECT * FROM target ORDER BY ALL"): Promise<readonly Row[]> {
    const { code, stdout, stderr } = await ingot(["query", query, "--json"], { cwd: project });
    expect(code, stderr).toBe(0);
    const answer = JSON.parse(stdout) as {
      columns: { name: string }[];
      rows: Record<string, string | number | null>[];
    };
    return answer.rows.map((row) => answer.columns.map(({ name }) => row[name] ?? null));
  }

  it("gives the rows of the published examples, each engine going on where the other stopped", async () => {
    const project = join(root, String(projects++));
    makeWorkedProject(project);
    for (const [i, engine] of (["duckdb", "spark", "duckdb"] as const).entries()) {
      deliverWorked(project, i);
      const remote = engine === "spark" ? ["--engine", "spark", "--remote", server.remote] : [];
      const { code, stdout, stderr } = await ingot(["run", ...remote], { cwd: project });
      expect(code, `${stderr}${stdout}`).toBe(0);
      if (engine === "spark") expect(stdout + stderr).toMatch(/version 2023-12-31 12:00:00 is skipped/);
    }
    const found = await Promise.all(
      Object.keys(WORKED_ROWS).map(async (table) => {
        const columns = WORKED_COLUMNS[table] ?? "*";
        return [table, (await texts(project, `SELECT ${columns} FROM ${table}`)).sort()] as const;
      }),
    );
    expect(Object.fromEntries(found)).toEqual(WORKED_ROWS);
  }, 600_000);

  it("goes on with a table that the other engine wrote: Spark's guide over three runs", async () => {
    const project = makeProject(
      "id INT, name STRING, version INT, op STRING",
      "KEYS (id) APPLY AS DELETE WHEN op = 'DELETE' SEQUENCE BY version COLUMNS * EXCEPT (op)",
    );
    const header = "id,name,version,op";
    await run(project, "spark", "1", header, ["1,alice,1,UPSERT", "2,bob,1,UPSERT"]);
    expect(await rows(project)).toEqual([
      [1, "alice", 1],
      [2, "bob", 1],
    ]);
    await run(project, "duckdb", "2", header, [
      "1,alicia,2,UPSERT",
      "1,alice,1,UPSERT",
      "2,bob,2,DELETE",
      "3,carol,1,UPSERT",
    ]);
    expect(await rows(project)).toEqual([
      [1, "alicia", 2],
      [3, "carol", 1],
    ]);
    // The last line is as old as the row, the one before as the tombstone that DuckDB has written.
    const metrics = await run(project, "spark", "3", header, [
      "1,alice,1,UPSERT",
      "2,bob,1,UPSERT",
      "3,carol,1,UPSERT",
    ]);
    expect(await rows(project)).toEqual([
      [1, "alicia", 2],
      [3, "carol", 1],
    ]);
    expect(metrics).toMatchObject({ num_changes: 3, num_late: 2, num_duplicates: 1, num_upserted_rows: 0 });
  }, 180_000);

  it("orders deletes and upserts of one sequence, within a batch and between batches", async () => {
    const project = makeProject(
      "k INT, up INT, op STRING, v STRING",
      "KEYS (k) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY up COLUMNS (k, v)",
    );
    const header = "k,up,op,v";
    await run(project, "spark", "1", header, ["1,5,U,a", "2,4,D,", "2,5,U,b"]);
    await run(project, "spark", "2", header, ["1,5,D,", "9,3,D,"]);
    expect(await rows(project)).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
    await run(project, "spark", "3", header, ["1,6,D,", "9,2,U,late"]);
    expect(await rows(project)).toEqual([[2, "b"]]);
    await run(project, "spark", "4", header, ["1,5,U,gone", "9,3,U,back"]);
    expect(await rows(project)).toEqual([
      [2, "b"],
      [9, "back"],
    ]);
    await run(project, "spark", "5", header, ["1,6,U,again"]);
    expect(await rows(project)).toEqual([
      [1, "again"],
      [2, "b"],
      [9, "back"],
    ]);
  }, 240_000);

  it("comes to the same as DuckDB, row for row and count for count, whatever comes late or twice", async () => {
    const schema = "k INT, up INT, op STRING, v STRING";
    const flow = "KEYS (k) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY up COLUMNS (k, v)";
    const [spark, duckdb] = [makeProject(schema, flow), makeProject(schema, flow)];
    let seed = 7;
    const next = (bound: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % bound;
    };
    const model = new Map<number, readonly [up: number, isUpsert: number, v: string]>();
    for (const batch of ["1", "2", "3"]) {
      const events = Array.from({ length: 60 }, () => [next(12), next(40), next(10) < 2 ? "D" : "U"] as const);
      // Of one key and sequence all upserts have one value, so that the model needs no digest.
      const lines = events.map(([k, up, op]) => `${k},${up},${op},${op === "D" ? "" : `v${k}-${up}`}`);
      for (const [k, up, op] of events) {
        const event = [up, op === "U" ? 1 : 0, `v${k}-${up}`] as const;
        const last = model.get(k);
        if (last === undefined || event[0] > last[0] || (event[0] === last[0] && event[1] > last[1]))
          model.set(k, event);
      }
      const header = "k,up,op,v";
      const told = await run(spark, "spark", batch, header, lines);
      expect(told).toEqual(await run(duckdb, "duckdb", batch, header, lines));
      const wanted = [...model].filter(([, [, isUpsert]]) => isUpsert === 1).map(([k, [, , v]]) => [k, v]);
      expect(await rows(spark)).toEqual(wanted.sort(([a], [b]) => Number(a) - Number(b)));
    }
    const state = (project: string) =>
      rows(
        project,
        `SELECT k, __ingot_sequence, __ingot_deleted FROM delta.\`${join(project, "storage/_cdc/spark_catalog/default/target/0")}\` ORDER BY k`,
      );
    expect(await state(spark)).toEqual(await state(duckdb));
  }, 240_000);

  it("starts again from all changes with a full refresh, and refuses an event without a key", async () => {
    const project = makeProject(
      "k INT, up INT, op STRING, v STRING",
      "KEYS (k) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY up",
    );
    const header = "k,up,op,v";
    await run(project, "spark", "1", header, ["1,1,U,a", "2,1,U,b"]);
    await run(project, "spark", "2", header, ["1,2,D,", "3,1,U,c"]);
    await again(project, "spark", "--full-refresh-all");
    expect(await rows(project)).toEqual([
      [2, 1, "U", "b"],
      [3, 1, "U", "c"],
    ]);
    await writeFile(join(project, "landing", "3.csv"), `${header}\n,9,U,x\n`);
    const { code, stderr } = await ingot(["run", "--engine", "spark", "--remote", server.remote], { cwd: project });
    expect(stderr).toContain("AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY");
    expect(code).not.toBe(0);
    expect(await rows(project)).toEqual([
      [2, 1, "U", "b"],
      [3, 1, "U", "c"],
    ]);
  }, 240_000);
});
