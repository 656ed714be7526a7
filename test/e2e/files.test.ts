import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { events, filesBelow, ingot, projectMaker, refusal, rows, SPEC, storedFiles } from "./cli.js";

// Files whose columns nobody declared, and files that are not as they should be.

const project = projectMaker();

/** A project whose table `b` streams `landing/` by some options of `read_files`. */
function bronze(options: string, files: Readonly<Record<string, string | Uint8Array>> = {}, more = ""): string {
  const read = `STREAM read_files('landing', ${options})`;
  return project({
    "transformations/all.sql": `CREATE STREAMING TABLE b AS SELECT * FROM ${read};\n${more}`,
    ...files,
  });
}
const CSV = "format => 'csv', header => true";
const land = (folder: string, name: string, content: string | Uint8Array) =>
  writeFileSync(join(folder, "landing", name), content);

async function run(folder: string) {
  const { code, events: told } = await events(folder);
  const notices = told.flatMap(({ details }) => ("notice" in details ? [details.notice] : []));
  const error = told.find((event) => event.error !== undefined)?.error;
  return { code, notices, ...(error === undefined ? {} : { error }) };
}
const commits = (folder: string) =>
  readdirSync(join(folder, "storage/warehouse/default/b/_delta_log")).filter((name) => name.endsWith(".json"));

describe("columns that are found in the files", () => {
  it("new ones are added and told; old rows read NULL; one that goes stays", async () => {
    const folder = bronze(CSV, { "landing/1.csv": "id,a\n1,x\n" });
    await run(folder);
    land(folder, "2.csv", "b,id\ny,2\n");
    const { code, notices } = await run(folder);
    expect(code).toBe(0);
    expect(notices).toMatchObject([
      { kind: "new-column", column: "b", path: `${folder}/landing/2.csv` },
      { kind: "absent", column: "a" },
    ]);
    expect(await rows(folder, "SELECT * FROM b ORDER BY id")).toEqual([
      { id: "1", a: "x", b: null },
      { id: "2", a: null, b: "y" },
    ]);
    expect(commits(folder)).toHaveLength(2);
    land(folder, "3.csv", "id\n3\n");
    await run(folder);
    expect(await rows(folder, "SELECT * FROM b WHERE id = 3")).toEqual([{ id: "3", a: null, b: null }]);
  });

  it("stay the same when nothing is new, and when the first files have gone", async () => {
    const folder = bronze(CSV, { "landing/1.csv": "id,a\n1,x\n" });
    await run(folder);
    rmSync(join(folder, "landing/1.csv"));
    expect(await run(folder)).toEqual({ code: 0, notices: [] });
    land(folder, "2.csv", "id\n2\n");
    await run(folder);
    expect(await rows(folder, "SELECT * FROM b ORDER BY id")).toEqual([
      { id: "1", a: "x" },
      { id: "2", a: null },
    ]);
  });

  it("failOnNewColumns stops, names file and column, and writes nothing", async () => {
    const folder = bronze(`${CSV}, schemaEvolutionMode => 'failOnNewColumns'`, { "landing/1.csv": "id\n1\n" });
    await run(folder);
    land(folder, "2.csv", "id,b\n2,y\n");
    const { code, error } = await run(folder);
    expect([code, error?.code]).toEqual([1, "UNKNOWN_FIELD_EXCEPTION"]);
    expect(error?.message).toMatch(/landing\/2\.csv .*: b\./);
    expect(commits(folder)).toHaveLength(1);
  });

  it("rescue keeps the columns and the values", async () => {
    const folder = bronze(`${CSV}, schemaEvolutionMode => 'rescue'`, { "landing/1.csv": "id\n1\n" });
    await run(folder);
    land(folder, "2.csv", "id,b\n2,y\n");
    expect((await run(folder)).notices).toMatchObject([{ kind: "not-read", column: "b" }]);
    const [first, second] = await rows(folder, "SELECT * FROM b ORDER BY id");
    expect(first).toEqual({ id: "1", _rescued_data: null });
    expect(JSON.parse(String(second?.["_rescued_data"]))).toMatchObject({ b: "y" });
  });

  it("take their types from hints", async () => {
    const folder = bronze(`${CSV}, schemaHints => 'amount DECIMAL(10,2), later DATE'`, {
      "landing/1.csv": "id,amount\n007,12.50\n",
    });
    await run(folder);
    expect(await rows(folder, "SELECT * FROM b")).toEqual([{ id: "007", amount: "12.50", later: null }]);
  });

  it("take the types of all their values where that is asked for, and the run says which", async () => {
    const header = "n,plz,amount,day,at,flag,e,none";
    const folder = bronze(`${CSV}, inferColumnTypes => true`, {
      "landing/1.csv": `${header}\n1,0421,12.5,2026-01-31,2026-01-31 10:00:00,true,1e5,\n`,
      "landing/2.csv": `${header}\n3000000000,1010,-7.125,2024-02-29,2026-01-31T10:00:00.5,FALSE,2,\n`,
    });
    const { notices } = await run(folder);
    const assumed = ["bigint", "string", "decimal(5,3)", "date", "timestamp", "boolean", "string", "string"];
    expect(notices.map((notice) => /taken as (.*), which/.exec(String(notice["detail"]))?.[1])).toEqual(assumed);
    expect(await rows(folder, "SELECT n, plz, amount, day, flag, e FROM b ORDER BY n")).toEqual([
      { n: "1", plz: "0421", amount: "12.500", day: "2026-01-31", flag: true, e: "1e5" },
      { n: "3000000000", plz: "1010", amount: "-7.125", day: "2024-02-29", flag: false, e: "2" },
    ]);
    // Types stay as the first batch made them.
    land(folder, "3.csv", `${header}\n4,1,1,2026-01-01,,,,7\n`);
    expect(await run(folder)).toEqual({ code: 0, notices: [] });
  });

  it("take the types that the values of JSON have", async () => {
    const folder = bronze("format => 'json', inferColumnTypes => true", {
      "landing/1.json": `{"n":1,"text":"12","amount":12.5,"flag":true,"e":1e5,"mixed":1,"late":null,"list":[1],"zero":-0}\n`,
      "landing/2.json": `{"n":9223372036854775808,"text":"x","amount":100,"flag":null,"e":2,"mixed":"1","late":7,"zero":0}\n`,
    });
    const { notices } = await run(folder);
    const assumed = {
      n: "decimal(19,0)",
      text: "string",
      amount: "decimal(20,1)",
      flag: "boolean",
      e: "string",
      mixed: "string",
      late: "bigint",
      list: "string",
      zero: "string",
    };
    const told = notices.map((notice) => /^(\w+) is taken as (.*), which/.exec(String(notice["detail"]))?.slice(1));
    expect(Object.fromEntries(told as [string, string][])).toEqual(assumed);
    expect(await rows(folder, "SELECT n, text, amount, flag, e, mixed, late, list, zero FROM b ORDER BY n")).toEqual([
      { n: "1", text: "12", amount: "12.5", flag: true, e: "1e5", mixed: "1", late: null, list: "[1]", zero: "-0" },
      {
        n: "9223372036854775808",
        text: "x",
        amount: "100.0",
        flag: null,
        e: "2",
        mixed: "1",
        late: "7",
        list: null,
        zero: "0",
      },
    ]);
    // Types stay as the first batch made them.
    land(folder, "3.json", `{"n":3,"text":4,"late":8}\n`);
    expect(await run(folder)).toMatchObject({ code: 0 });
    land(folder, "4.json", `{"n":4,"late":8.5}\n`);
    expect(await run(folder)).toMatchObject({ code: 1 });
  });

  it("come from key=value folders too", async () => {
    const folder = bronze(CSV, { "landing/region=EU/day=1/a.csv": "id\n1\n", "landing/region=US/a.csv": "id\n2\n" });
    await run(folder);
    expect(await rows(folder, "SELECT * FROM b ORDER BY id")).toEqual([
      { id: "1", region: "EU", day: "1" },
      { id: "2", region: "US", day: null },
    ]);
  });

  it("flow through a view, and a dry run writes nothing", async () => {
    const folder = project({
      "transformations/all.sql": `CREATE TEMPORARY VIEW v AS SELECT * FROM STREAM read_files('landing', ${CSV});
CREATE STREAMING TABLE b AS SELECT * FROM STREAM v;`,
      "landing/1.csv": "id\n1\n",
    });
    await run(folder);
    land(folder, "2.csv", "id,x\n2,y\n");
    const before = storedFiles(folder);
    const { code, stderr } = await ingot(["dry-run"], { cwd: folder });
    expect([code, stderr]).toEqual([0, expect.stringContaining("The column x is new")]);
    expect(storedFiles(folder)).toEqual(before);
    await run(folder);
    expect(await rows(folder, "SELECT * FROM b ORDER BY id")).toEqual([
      { id: "1", x: null },
      { id: "2", x: "y" },
    ]);
  });

  it("of a batch that died before its commit are those that it was planned with", async () => {
    const folder = bronze(CSV, { "landing/1.csv": "id\n1\n" });
    await run(folder);
    // As after a crash: the manifest is there, its rows are not.
    rmSync(join(folder, "storage/warehouse/default/b"), { recursive: true });
    land(folder, "2.csv", "x,id\ny,2\n");
    expect(await run(folder)).toMatchObject({ code: 0, notices: [{}, { kind: "new-column", column: "x" }] });
    expect(await rows(folder, "SELECT id, x FROM b ORDER BY id")).toEqual([
      { id: "1", x: null },
      { id: "2", x: "y" },
    ]);
  });

  it("of JSON are the keys of all records, each value as its text", async () => {
    const folder = bronze("format => 'json'", { "landing/1.json": '{"id": 1, "v": 1.50}\n' });
    await run(folder);
    land(folder, "2.json", '{"v": "x", "deep": {"a": [1, 2.0]}}\n{"id": 12345678901234567890}\n');
    await run(folder);
    expect(await rows(folder, "SELECT * FROM b ORDER BY id NULLS FIRST")).toEqual([
      { id: null, v: "x", deep: '{"a": [1, 2.0]}' },
      { id: "1", v: "1.50", deep: null },
      { id: "12345678901234567890", v: null, deep: null },
    ]);
  });

  it("of Parquet have its types; a file of other columns is taken by name", async () => {
    const folder = project({
      "transformations/all.sql": `CREATE STREAMING TABLE b AS SELECT * FROM STREAM read_files('landing', format => 'parquet');`,
      "other/transformations/all.sql": `CREATE MATERIALIZED VIEW x AS SELECT 1 AS id, CAST(2.50 AS DECIMAL(10,2)) AS amount;
CREATE MATERIALIZED VIEW y AS SELECT DATE'2026-01-31' AS day, 2 AS id;`,
      "other/ingot.yml": SPEC,
    });
    const other = join(folder, "other");
    expect((await ingot(["run"], { cwd: other })).code).toBe(0);
    mkdirSync(join(folder, "landing"));
    for (const name of ["x", "y"]) {
      const table = join(other, "storage/warehouse/default", name);
      const data = readdirSync(table).find((file) => file.endsWith(".parquet")) ?? "";
      copyFileSync(join(table, data), join(folder, "landing", `${name}.parquet`));
      await run(folder);
    }
    expect(await rows(folder, "SELECT * FROM b ORDER BY id")).toEqual([
      { id: 1, amount: "2.50", day: null },
      { id: 2, amount: null, day: "2026-01-31" },
    ]);
  });

  it("of a whole read are those of its files now", async () => {
    const folder = project({
      "transformations/all.sql": `CREATE MATERIALIZED VIEW m AS SELECT * FROM read_files('landing', ${CSV}, cleanColumnNames => true);`,
      "landing/1.csv": "Plant Exclusion (X),/BIC/ZREGION\nX,EU\n",
    });
    await run(folder);
    expect(await rows(folder, "SELECT * FROM m")).toEqual([{ plant_exclusion_x: "X", bic_zregion: "EU" }]);
    land(folder, "1.csv", "Qty\n007\n");
    await run(folder);
    expect(await rows(folder, "SELECT * FROM m")).toEqual([{ qty: "007" }]);
  });
});

describe("which files, and how many", () => {
  it("a run takes batch after batch until nothing is left", async () => {
    const files = Object.fromEntries(["1", "2", "3", "4", "5"].map((n) => [`landing/${n}.csv`, `id\n${n}\n`]));
    const folder = bronze(`${CSV}, maxFilesPerTrigger => 2`, files);
    const { events: told } = await events(folder);
    const done = told.find(({ message }) => message.endsWith("has COMPLETED."));
    expect(done?.details).toMatchObject({ flow_progress: { metrics: { num_output_rows: 5, num_input_files: 5 } } });
    expect(commits(folder)).toHaveLength(3);
    expect(await rows(folder, "SELECT count(*) AS n, count(DISTINCT id) AS d FROM b")).toEqual([{ n: "5", d: "5" }]);
  });

  it("leaves out what was there before, where that is asked for", async () => {
    const folder = bronze(`${CSV}, includeExistingFiles => false`, { "landing/1.csv": "id\n1\n" });
    await run(folder);
    land(folder, "2.csv", "id\n2\n");
    await run(folder);
    expect(await rows(folder, "SELECT * FROM b")).toEqual([{ id: "2" }]);
  });

  it("leaves out a flow whose path may be missing, with all that needs it, and runs the rest", async () => {
    const more = "CREATE MATERIALIZED VIEW m AS SELECT * FROM b;\nCREATE MATERIALIZED VIEW other AS SELECT 1 AS x;";
    const folder = bronze(`${CSV}, onMissing => 'skip'`, {}, more);
    const { code, events: told } = await events(folder);
    expect(code).toBe(0);
    const warnings = told.filter(({ level }) => level === "WARN").map(({ message }) => message);
    expect(warnings).toEqual([
      "spark_catalog.default.b is left out of the run: landing is not there yet, and its columns are not known.",
      expect.stringContaining("spark_catalog.default.m is left out of the run"),
    ]);
    expect(await rows(folder, "SELECT * FROM other")).toEqual([{ x: 1 }]);
  });

  it("leaves out one flow of a table, and names it", async () => {
    const more =
      "CREATE FLOW more AS INSERT INTO b BY NAME SELECT * FROM STREAM read_files('late', format => 'csv', header => true, onMissing => 'skip');";
    const folder = bronze(CSV, { "landing/1.csv": "id\n1\n" }, more);
    const { events: told } = await events(folder);
    expect(told.filter(({ level }) => level === "WARN").map(({ message }) => message)).toEqual([
      "The flow more of spark_catalog.default.b is left out of the run: late is not there yet, and its columns are not known.",
    ]);
    expect(await rows(folder, "SELECT * FROM b")).toEqual([{ id: "1" }]);
  });

  it("has no run to be left out of in a query that stands alone", async () => {
    const query = "SELECT * FROM read_files('late', format => 'csv', header => true, onMissing => 'skip')";
    const { errors } = await refusal(bronze(CSV, { "landing/1.csv": "id\n1\n" }), "query", query);
    expect(errors).toMatchObject([{ code: "PATH_NOT_FOUND", at: "<query>:1:15" }]);
  });

  it("says that no columns are known, with what to do", async () => {
    const folder = bronze(CSV, { "landing/_unfinished.csv": "id\n" });
    const { errors } = await refusal(folder, "run");
    expect(errors).toMatchObject([
      {
        code: "UNABLE_TO_INFER_SCHEMA",
        at: "transformations/all.sql:1:50",
        hint: expect.stringContaining("onMissing"),
      },
    ]);
    expect(filesBelow(join(folder, "storage/warehouse"))).toEqual([]);
  });
});

describe("files that are not there at first", () => {
  const LATE = `read_files('late', ${CSV})`;
  const MORE = `CREATE TEMPORARY VIEW v AS SELECT * FROM STREAM ${LATE};
CREATE STREAMING TABLE c AS SELECT id FROM STREAM v;
CREATE MATERIALIZED VIEW above AS SELECT count(id) AS n FROM c;
CREATE MATERIALIZED VIEW beside AS SELECT count(id) AS n FROM b;`;

  it("fail the table that reads them; what reads it is skipped, and the others go on", async () => {
    const folder = bronze(CSV, { "landing/1.csv": "id\n1\n" }, MORE);
    expect((await refusal(folder, "dry-run")).errors).toMatchObject([{ code: "PATH_NOT_FOUND" }]);
    const { code, stdout } = await ingot(["run", "--json"], { cwd: folder });
    const { state, tables, errors } = JSON.parse(stdout);
    expect([code === 0, state]).toEqual([false, "FAILED"]);
    expect(errors).toMatchObject([{ code: "PATH_NOT_FOUND", at: { line: 2, column: 49 } }]);
    expect(Object.fromEntries(tables.map((t: { name: string; status: string }) => [t.name, t.status]))).toEqual({
      b: "COMPLETED",
      beside: "COMPLETED",
      c: "FAILED",
      above: "SKIPPED",
    });
    expect(await rows(folder, "SELECT * FROM beside")).toEqual([{ n: "1" }]);
    expect((await refusal(folder, "query", "SELECT * FROM c")).errors).toMatchObject([{ code: "PATH_NOT_FOUND" }]);

    mkdirSync(join(folder, "late"));
    writeFileSync(join(folder, "late/1.csv"), "id\n7\n");
    expect((await run(folder)).code).toBe(0);
    expect(await rows(folder, "SELECT * FROM above")).toEqual([{ n: "1" }]);
  });

  it("fail one flow of a table, and a full refresh of the table as a whole", async () => {
    const folder = bronze(
      CSV,
      { "landing/1.csv": "id\n1\n" },
      `CREATE FLOW more AS INSERT INTO b BY NAME SELECT * FROM STREAM ${LATE};`,
    );
    expect((await run(folder)).error?.code).toBe("PATH_NOT_FOUND");
    expect(await rows(folder, "SELECT * FROM b")).toEqual([{ id: "1" }]);
    rmSync(join(folder, "landing/1.csv"));
    land(folder, "2.csv", "id\n2\n");
    expect((await refusal(folder, "run", "--full-refresh", "b")).errors).toMatchObject([{ code: "PATH_NOT_FOUND" }]);
    expect(await rows(folder, "SELECT * FROM b")).toEqual([{ id: "1" }]);
  });
});

describe("files that are damaged", () => {
  const text = `id\n${"0123456789\n".repeat(2000)}`;
  const cut = gzipSync(text).subarray(0, 60);

  it.each([
    ["a truncated gz", CSV, "x.csv.gz", cut],
    ["a broken footer", "format => 'parquet'", "x.parquet", Buffer.from("PAR1 no footer PAR1")],
  ])("%s stops the flow with its name, unless corrupt files are to be ignored", async (_, options, name, content) => {
    const strict = bronze(options, { [`landing/${name}`]: content });
    const { code, errors } = await refusal(strict, "run");
    expect([code === 0, errors[0]?.code]).toEqual([false, "FILE_CORRUPT"]);
    expect(errors[0]?.message).toContain(`landing/${name}`);
    expect(filesBelow(join(strict, "storage/warehouse"))).toEqual([]);
  });

  it("the others are loaded where corrupt files are ignored, and the damaged one is told", async () => {
    const folder = bronze(`${CSV}, ignoreCorruptFiles => true`, {
      "landing/a.csv": "id\n1\n",
      "landing/b.csv.gz": cut,
    });
    expect((await run(folder)).notices).toMatchObject([{ reason: "corrupt", path: `${folder}/landing/b.csv.gz` }]);
    expect(await rows(folder, "SELECT * FROM b")).toEqual([{ id: "1" }]);
    land(folder, "b.csv.gz", gzipSync("id\n2\n"));
    await run(folder);
    expect(await rows(folder, "SELECT * FROM b ORDER BY id")).toEqual([{ id: "1" }, { id: "2" }]);
  });
});

describe("files and folders without the right to read them", () => {
  /** Everything may be read by root: the run then has the rights of nobody, who owns the project. */
  async function asNobody<T>(folder: string, run: () => Promise<T>): Promise<T> {
    if (process.geteuid?.() !== 0) return run();
    const parent = dirname(folder);
    chmodSync(parent, 0o755);
    for (const path of [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))])
      chownSync(path, NOBODY, NOBODY);
    process.seteuid?.(NOBODY);
    try {
      return await run();
    } finally {
      process.seteuid?.(0);
    }
  }
  const NOBODY = 65534;

  it.each(["landing", "landing/secret.csv"])("are told by name, and nothing is loaded: %s", async (name) => {
    const folder = bronze(CSV, { "landing/1.csv": "id\n1\n", "landing/secret.csv": "id\n2\n" });
    chmodSync(join(folder, name), 0);
    const { errors } = await asNobody(folder, () => refusal(folder, "run"));
    expect(errors).toMatchObject([{ code: "FILE_NOT_READABLE", message: expect.stringContaining(join(folder, name)) }]);
    chmodSync(join(folder, name), 0o755);
    expect((await run(folder)).code).toBe(0);
    expect(await rows(folder, "SELECT * FROM b ORDER BY id")).toEqual([{ id: "1" }, { id: "2" }]);
  });
});
