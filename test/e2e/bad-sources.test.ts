import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { events, filesBelow, ingot, LANDING, projectMaker, refusal, rows } from "./cli.js";

const project = projectMaker();
const BRONZE = { "transformations/all.sql": `CREATE STREAMING TABLE b AS SELECT * FROM STREAM ${LANDING};` };
const IDS = "SELECT id FROM b ORDER BY id";

describe("files that cannot be taken as they are", () => {
  it("holds a file with a byte that is not UTF-8, tells line and byte in every run, and loads the others", async () => {
    const folder = project({ ...BRONZE, "landing/1.csv": "id,v\n1,a\n" });
    const bad = Buffer.concat([Buffer.from("id,v\n2,b\n3,M"), Buffer.from([0xfc]), Buffer.from("ller\n")]);
    writeFileSync(`${folder}/landing/2.csv`, bad);
    for (const newRows of [1, 0]) {
      const { code, events: told } = await events(folder);
      expect(code).toBe(0);
      const notice = told.find((event) => event.event_type === "notice");
      expect(notice).toMatchObject({ level: "WARN", details: { notice: { reason: "bad-encoding" } } });
      expect(notice?.message).toMatch(/2\.csv .*line 3, column 4, byte offset 12 holds 0xFC/);
      const done = told.find((event) => event.message.endsWith("has COMPLETED."));
      expect(done?.details).toMatchObject({ flow_progress: { metrics: { num_output_rows: newRows } } });
    }
    expect(await rows(folder, IDS)).toEqual([{ id: "1" }]);
    writeFileSync(`${folder}/landing/2.csv`, "id,v\n2,b\n3,Müller\n");
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    expect(await rows(folder, "SELECT v FROM b WHERE id = 3")).toEqual([{ v: "Müller" }]);
  });

  it("stops at a header that differs from the schema: nothing is written, and the next run has every row", async () => {
    const folder = project({ ...BRONZE, "landing/1.csv": "id,v\n1,a\n", "landing/2.csv": "id,vv\n2,b\n" });
    const { code, errors } = await refusal(folder, "run");
    expect(code).toBe(1);
    expect(errors).toMatchObject([{ code: "FILE_HEADER_MISMATCH", at: "landing/2.csv:1:1" }]);
    expect(errors[0]?.message).toContain('column 2 is "vv" where the schema has "v"');
    expect(errors[0]?.hint).toContain('Did you mean "v"?');
    expect(filesBelow(`${folder}/storage/warehouse`)).toEqual([]);
    expect(filesBelow(`${folder}/storage/_checkpoints`)).toEqual([]);
    writeFileSync(`${folder}/landing/2.csv`, "id,v\n2,b\n");
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    expect(await rows(folder, IDS)).toEqual([{ id: "1" }, { id: "2" }]);
  });

  it("tells an empty file and a copy under another name, and takes the file when it has grown (V12, V22)", async () => {
    const folder = project({
      ...BRONZE,
      "landing/1.csv": "id,v\n1,a\n",
      "landing/2.csv": "",
      "landing/3.csv": "id,v\n1,a\n",
    });
    const reasons = async () =>
      (await events(folder)).events.flatMap((e) => ("notice" in e.details ? [e.details.notice["reason"]] : []));
    expect(await reasons()).toEqual(["empty", "copy"]);
    expect(await rows(folder, IDS)).toEqual([{ id: "1" }]);
    writeFileSync(`${folder}/landing/2.csv`, "id,v\n2,b\n");
    expect(await reasons()).toEqual(["copy"]);
    expect(await rows(folder, IDS)).toEqual([{ id: "1" }, { id: "2" }]);
    writeFileSync(`${folder}/landing/1.csv`, "id,v\n1,a\n9,z\n");
    expect(await reasons()).toEqual(["changed", "copy"]);
    expect(await rows(folder, IDS)).toEqual([{ id: "1" }, { id: "2" }]);
  });

  it("says where a folder is missing, in a dry run too", async () => {
    const folder = project(BRONZE);
    for (const command of ["dry-run", "run"]) {
      const { code, errors } = await refusal(folder, command);
      expect(code).toBe(6);
      expect(errors).toMatchObject([{ code: "PATH_NOT_FOUND", at: "transformations/all.sql:1:1" }]);
      expect(errors[0]?.message).toContain(`${folder}/landing`);
    }
  });
});

describe("tables that cannot be read", () => {
  const VIEWS = {
    "transformations/all.sql":
      "CREATE MATERIALIZED VIEW a AS SELECT 1 AS x;\nCREATE MATERIALIZED VIEW b AS SELECT x FROM a;",
  };

  it.each(["storage", "storage/warehouse", "storage/warehouse/default"])("says that %s is a file", async (path) => {
    const { code, errors } = await refusal(project({ ...VIEWS, [path]: "a file" }), "run");
    expect(code).toBe(6);
    expect(errors).toMatchObject([
      { code: "STORAGE_FAILED", hint: expect.stringContaining("where a folder should be") },
    ]);
  });

  it("refuses a table's folder that holds something else, before anything runs", async () => {
    const folder = project({ ...VIEWS, "storage/warehouse/default/b/notes.txt": "mine" });
    const { code, errors } = await refusal(folder, "run");
    expect(code).toBe(3);
    expect(errors).toMatchObject([{ code: "NO_DELTA_TABLE", at: "transformations/all.sql:2:1" }]);
    expect(errors[0]?.message).toContain("storage/warehouse/default/b is no Delta table: it holds notes.txt");
    expect(filesBelow(`${folder}/storage/warehouse`)).toEqual(["default/b/notes.txt"]);
  });

  it("refuses a path in a query that is no Delta table", async () => {
    const sql =
      "CREATE MATERIALIZED VIEW a AS\n  SELECT * FROM delta.`landing`;\nCREATE VIEW b AS SELECT * FROM delta.`nowhere`;";
    const folder = project({ "transformations/all.sql": sql, "landing/1.csv": "id,v\n" });
    const { code, errors } = await refusal(folder, "run");
    expect(code).toBe(3);
    expect(errors).toMatchObject([
      { code: "NO_DELTA_TABLE", at: "transformations/all.sql:2:17", hint: expect.stringContaining("_delta_log") },
      { code: "NO_DELTA_TABLE", at: "transformations/all.sql:3:32", hint: expect.stringContaining("_delta_log") },
    ]);
  });

  it("names a reader feature that nobody knows here, for each table that needs it", async () => {
    const folder = project(VIEWS);
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    const features = ["deletionVectors", "teleport"];
    const protocol = { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: features, writerFeatures: features };
    for (const table of ["a", "b"]) {
      const log = `${folder}/storage/warehouse/default/${table}/_delta_log`;
      writeFileSync(`${log}/00000000000000000001.json`, `${JSON.stringify({ protocol })}\n`);
    }
    for (const command of [["run"], ["query", "SELECT 1"]]) {
      const { code, errors } = await refusal(folder, ...command);
      expect(code).toBe(1);
      expect(errors).toMatchObject([
        { code: "DELTA_UNSUPPORTED_FEATURES_FOR_READ", at: "transformations/all.sql:1:1" },
        { code: "DELTA_UNSUPPORTED_FEATURES_FOR_READ", at: "transformations/all.sql:2:1" },
      ]);
      expect(errors[0]?.message).toMatch(/version 1 .*needs teleport/i);
    }
    const byPath = `SELECT * FROM delta.\`${folder}/storage/warehouse/default/a\``;
    expect(await refusal("/", "query", byPath)).toMatchObject({ errors: [{ at: "<query>:1:15" }] });
    const log = readdirSync(`${folder}/storage/warehouse/default/a/_delta_log`);
    expect(log.filter((name) => name.endsWith(".json"))).toHaveLength(2);
  });

  it("tells a log with a gap, and a data file that has gone", async () => {
    const folder = project(VIEWS);
    for (let i = 0; i < 2; i++) expect((await ingot(["run", "--full-refresh-all"], { cwd: folder })).code).toBe(0);
    const table = `${folder}/storage/warehouse/default/a`;
    const parquet = readdirSync(table).filter((name) => name.endsWith(".parquet"));
    mkdirSync(`${folder}/away`);
    for (const name of parquet) renameSync(`${table}/${name}`, `${folder}/away/${name}`);
    const gone = await refusal(folder, "query", "SELECT * FROM a");
    expect(gone.code).not.toBe(0);
    expect(gone.errors[0]?.message).toMatch(/part-.*\.parquet/);
    renameSync(`${table}/_delta_log/00000000000000000000.json`, `${folder}/away/0.json`);
    expect(await refusal(folder, "query", "SELECT * FROM b")).toMatchObject({
      code: 6,
      errors: [{ code: "DELTA_TABLE_UNREADABLE", at: "transformations/all.sql:1:1" }],
    });
  });
});
