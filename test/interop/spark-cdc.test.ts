import { readFileSync } from "node:fs";
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

  /** Delivers a file, which a run on Spark refuses: the errors with their tables, sorted, without what follows a comma. */
  async function refused(project: string, name: string, header: string, lines: readonly string[]): Promise<string[]> {
    await writeFile(join(project, "landing", `${name}.csv`), `${[header, ...lines].join("\n")}\n`);
    const remote = ["--engine", "spark", "--remote", server.remote];
    const { code, stdout } = await ingot(["run", "--json", ...remote], { cwd: project });
    expect(code, stdout).toBe(1);
    const { errors } = JSON.parse(stdout) as { errors: readonly Record<"code" | "message", string>[] };
    return errors
      .map(
        ({ code, message }) => `${code} ${message.replace("spark_catalog.default.", "").replace(/, such as .*/, "")}`,
      )
      .sort();
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

  it("adds tombstones, takes them away when their keys come back, and forgets those that the table keeps no longer", async () => {
    const project = makeProject(
      "k INT, up INT, op STRING",
      "KEYS (k) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY up COLUMNS (k, up)",
    );
    const kept = (seconds: string) =>
      writeProject(project, {
        "transformations/kept.sql": `CREATE STREAMING TABLE target TBLPROPERTIES ('pipelines.cdc.tombstoneGCThresholdInSeconds' = '${seconds}');`,
        "transformations/all.sql": readFileSync(join(project, "transformations/all.sql"), "utf8").replace(
          "CREATE STREAMING TABLE target;",
          "",
        ),
      });
    const path = join(project, "storage/_cdc/spark_catalog/default/target/0");
    const buried = async () => (await rows(project, `SELECT k FROM delta.\`${path}\` ORDER BY k`)).flat();
    const header = "k,up,op";
    kept("86400");
    await run(project, "spark", "1", header, ["1,1,U", "2,1,U", "3,1,U", "4,1,D"]);
    expect(await buried()).toEqual([4]);
    await run(project, "spark", "2", header, ["1,2,D", "2,2,D", "3,0,D"]);
    expect(await buried()).toEqual([1, 2, 4]);
    // One key comes back, one is deleted again, one goes for the first time.
    const told = await run(project, "spark", "3", header, ["1,3,U", "2,3,D", "3,3,D", "4,0,U"]);
    expect(told).toMatchObject({ num_upserted_rows: 1, num_deleted_rows: 1 });
    expect(await buried()).toEqual([2, 3, 4]);
    expect(await rows(project)).toEqual([[1, 3]]);
    // Those of this batch are not older than it.
    kept("0");
    await run(project, "spark", "4", header, ["1,4,D"]);
    expect(await buried()).toEqual([1]);
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

  it("writes what a change lists, NULLs too, and keeps the rest, each engine going on where the other stopped", async () => {
    const feed = (
      without: number,
    ) => `SELECT * EXCEPT (written), CASE WHEN written <> '' THEN split(written, ' ') END AS written
      FROM STREAM(changes) WHERE id <> ${without}`;
    const flow = `KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS * EXCEPT (written, op, seq) COLUMNS TO UPDATE written`;
    const project = writeProject(join(root, String(projects++)), {
      "ingot.yml": SPEC,
      "transformations/all.sql": `CREATE STREAMING TABLE changes AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
          schema => 'id INT, email STRING, city STRING, written STRING, op STRING, seq BIGINT');
        CREATE TEMPORARY VIEW a AS ${feed(9)};
        CREATE TEMPORARY VIEW b AS ${feed(8)};
        CREATE STREAMING TABLE target;
        CREATE FLOW f AS AUTO CDC INTO target FROM STREAM(a) ${flow};
        CREATE STREAMING TABLE history;
        CREATE FLOW h AS AUTO CDC INTO history FROM STREAM(b) ${flow} STORED AS SCD TYPE 2;`,
      "landing/.keep": "",
    });
    const header = "id,email,city,written,op,seq";
    // A NULL that is listed is written, what is not listed stays.
    await run(project, "spark", "1", header, [
      "1,a@x,Ankara,email city,U,1",
      "1,,Istanbul,city,U,3",
      "1,,Izmir,EMAIL,U,4",
    ]);
    expect(await rows(project)).toEqual([[1, null, "Istanbul"]]);
    // Late: the newest change that lists the email is the one of before.
    await run(project, "duckdb", "2", header, ["1,b@x,Bursa,email city,U,2", "1,,,,D,5"]);
    expect(await rows(project)).toEqual([]);
    await run(project, "spark", "3", header, ["1,c@x,Bursa,city,U,6", "1,d@x,Late,email,U,2"]);
    expect(await rows(project)).toEqual([[1, null, "Bursa"]]);
    expect(await texts(project, "SELECT * FROM history ORDER BY __START_AT")).toEqual([
      "1 a@x Ankara 1 2",
      "1 d@x Bursa 2 3",
      "1 d@x Istanbul 3 4",
      "1 null Istanbul 4 5",
      "1 null Bursa 6 null",
    ]);
    const errors = await refused(project, "4", header, ["8,a,b,email citty,U,9", "9,a,b,,U,9"]);
    expect(errors).toEqual([
      "AUTOCDC_MICROBATCH_VALIDATION.NULL_COLUMNS_TO_UPDATE history: 1 change has no list of columns to update",
      "AUTOCDC_MICROBATCH_VALIDATION.UNKNOWN_COLUMN_TO_UPDATE target: 1 change has a column to update that the source lacks",
    ]);
  }, 240_000);

  it("stops at the brakes before it writes: mass deletes, snapshots with no row or few; keeps what was archived", async () => {
    const read = (folder: string, schema: string) =>
      `read_files('${folder}', format => 'csv', header => true, schema => '${schema}')`;
    const flow = (table: string, clauses: string) =>
      `CREATE STREAMING TABLE ${table}; CREATE FLOW f_${table} AS AUTO CDC INTO ${table} FROM ${clauses};`;
    const feed = (option: string) =>
      `STREAM(changes) KEYS (k) APPLY AS DELETE WHEN _change_type LIKE '%delete' WITH (${option}) SEQUENCE BY seq COLUMNS (k, v)`;
    const snapshot = (extract: string) => `SNAPSHOT (SELECT * FROM ${extract}) KEYS (k) WITH (min_row_share => 0.5)`;
    const project = writeProject(join(root, String(projects++)), {
      "ingot.yml": SPEC,
      "transformations/all.sql": [
        `CREATE STREAMING TABLE changes AS SELECT * FROM STREAM ${read("landing", "k INT, seq INT, v STRING, _change_type STRING")};`,
        ...["few", "none"].map(
          (name) => `CREATE MATERIALIZED VIEW ${name} AS SELECT * FROM ${read(name, "k INT, v STRING")};`,
        ),
        flow("current", feed("max_delete_share => 0.5")),
        flow("history", `${feed("max_delete_share => 0.5")} STORED AS SCD TYPE 2`),
        flow("kept", feed("on_archive_delete => 'keep'")),
        flow("mirrored", `${snapshot("few")} STORED AS SCD TYPE 1`),
        flow("counted", `${snapshot("none")} STORED AS SCD TYPE 2`),
      ].join("\n"),
      "few/1.csv": "k,v\n1,a\n2,b\n3,c\n",
      "none/1.csv": "k,v\n1,a\n2,b\n3,c\n",
      "landing/.keep": "",
    });
    const tables = async () =>
      Object.fromEntries(
        await Promise.all(
          ["current", "history", "kept", "mirrored", "counted"].map(async (table) => [
            table,
            (await texts(project, `SELECT * FROM ${table} ORDER BY ALL`)).join(),
          ]),
        ),
      );
    const header = "k,seq,v,_change_type";
    await run(project, "duckdb", "1", header, ["1,1,a,insert", "2,1,b,insert", "3,1,c,insert"]);
    const before = await tables();
    expect(before).toEqual({
      current: "1 a,2 b,3 c",
      history: "1 a 1 null,2 b 1 null,3 c 1 null",
      kept: "1 a,2 b,3 c",
      mirrored: "1 a,2 b,3 c",
      counted: "1 a 0 null,2 b 0 null,3 c 0 null",
    });
    writeProject(project, { "few/1.csv": "k,v\n1,a\n", "none/1.csv": "k,v\n" });
    const mass = "the batch would delete 2 of 3 rows (66.7 %), and maxDeleteShare is 50 %";
    expect(await refused(project, "2", header, ["1,2,,archive_delete", "2,2,,delete"])).toEqual([
      "EMPTY_SNAPSHOT counted: the snapshot has no row, which would take away all that are there",
      `MASS_DELETE current: ${mass}`,
      `MASS_DELETE history: ${mass}`,
      "SMALL_SNAPSHOT mirrored: the snapshot has 1 rows where 3 are there, and minRowShare is 0.5",
    ]);
    expect(await tables()).toEqual({ ...before, kept: "1 a,3 c" });
    writeProject(project, { "none/1.csv": "k,v\n1,a\n" });
    const all = ["current", "history", "mirrored", "counted"].flatMap((table) => ["--allow-mass-delete", table]);
    await again(project, "spark", ...all);
    expect(await tables()).toEqual({
      current: "3 c",
      history: "1 a 1 2,2 b 1 2,3 c 1 null",
      kept: "1 a,3 c",
      mirrored: "1 a",
      counted: "1 a 0 null,2 b 0 1,3 c 0 1",
    });
  }, 400_000);
});
