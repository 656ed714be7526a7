import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { events, filesBelow, ingot, projectMaker, refusal, rows, run, texts, writeProject } from "./cli.js";
import { dieIn } from "./die-after.js";

const project = projectMaker();

/** Documents by company code and year; the stream brings changes with the producer's sequence, the history has none. */
const DEFINITIONS = `
import { createAutoCdcFlow, createStreamingTable, materializedView, readFiles, sql, table } from "ingot";
const DOCUMENT = "belnr STRING, gjahr STRING, dmbtr DECIMAL(15,2)";
const csv = { format: "csv", header: true, enforceSchema: false } as const;
const bronze = table("bronze", {
  schema: \`\${DOCUMENT}, op STRING, txn BIGINT, record INT\`,
  backfill: { source: readFiles("history", { ...csv, schema: DOCUMENT }), chunkBy: "gjahr" },
  query: sql\`SELECT * FROM STREAM \${readFiles("landing", { ...csv, schema: \`\${DOCUMENT}, op STRING, txn BIGINT, record INT\` })}\`,
});
export const silver = createAutoCdcFlow({
  target: createStreamingTable("silver", { clusterBy: ["gjahr", "belnr"] }),
  source: bronze,
  keys: ["belnr", "gjahr"],
  sequenceBy: ["txn", "record"],
  applyAsDeletes: "op = 'D'",
  exceptColumnList: ["op", "txn", "record"],
}).target;
materializedView("gold", sql\`SELECT gjahr, sum(dmbtr) AS total FROM \${silver} GROUP BY gjahr\`);
`;
const DOCUMENTS = "belnr,gjahr,dmbtr";
const CHANGES = `${DOCUMENTS},op,txn,record`;
const HISTORY = {
  "history/a.csv": `${DOCUMENTS}\n1,2018,10.00\n2,2018,20.00\n1,2019,30.00\n`,
  "history/b.csv": `${DOCUMENTS}\n1,2020,40.00\n2,2020,50.00\n9,2017,1.00\n`,
};
const LANDED = {
  "landing/1.csv": `${CHANGES}\n2,2018,25.00,U,7,1\n1,2020,40.00,D,8,1\n1,2021,60.00,I,9,1\n`,
};
const FILES = { "transformations/all.ts": DEFINITIONS, ...HISTORY, ...LANDED };
const make = (more: Readonly<Record<string, string>> = {}) => project({ ...FILES, ...more });
const backfill = (cwd: string, chunks: string, ...args: string[]) =>
  ingot(["backfill", "bronze", "--chunks", chunks, ...args], { cwd });
const silver = (cwd: string) => texts(cwd, "SELECT gjahr, belnr, dmbtr FROM silver ORDER BY gjahr, belnr");
/** 2 of 2018 was changed and 1 of 2020 was deleted by the stream; 2017 is in no chunk. */
const LOADED = ["2018 1 10.00", "2018 2 25.00", "2019 1 30.00", "2020 2 50.00", "2021 1 60.00"];
const commits = (cwd: string, table: string) =>
  filesBelow(join(cwd, "storage/warehouse/default", table, "_delta_log")).filter((f) => f.endsWith(".json")).length;

describe("ingot backfill", () => {
  it("loads an empty table: chunks side by side, then one commit a flow", async () => {
    const cwd = make();
    const { code, stdout, stderr } = await backfill(cwd, "GJAHR 2018..2020");
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/bronze: rows of the source that are in no chunk: 1, of gjahr 2017 \(1\)/);
    expect(stdout).toMatch(/bronze backfill 2018 +COMPLETED +\+2 rows/);
    expect(stdout).toMatch(/bronze +COMPLETED +\+8 rows/);
    expect(await silver(cwd)).toEqual(LOADED);
    expect(await texts(cwd, "SELECT * FROM gold ORDER BY gjahr")).toEqual([
      "2018 35.00",
      "2019 30.00",
      "2020 50.00",
      "2021 60.00",
    ]);
    expect(commits(cwd, "bronze")).toBe(2);
    expect(commits(cwd, "silver")).toBe(1);
  });

  it("loads behind a stream: what the stream brought, early or late, is newer", async () => {
    const cwd = make();
    await run(cwd);
    expect((await backfill(cwd, "gjahr 2018..2020")).code).toBe(0);
    expect(await silver(cwd)).toEqual(LOADED);
    // Out of order, late, and of documents of the history.
    writeFileSync(
      join(cwd, "landing/2.csv"),
      `${CHANGES}\n2,2018,24.00,U,6,1\n1,2019,31.00,U,3,2\n1,2019,32.00,U,3,1\n1,2020,41.00,U,8,0\n`,
    );
    await run(cwd);
    expect(await silver(cwd)).toEqual(LOADED.with(2, "2019 1 31.00"));
  });

  it("does nothing when it is done again, and takes more chunks later", async () => {
    const cwd = make();
    expect((await backfill(cwd, "GJAHR 2018")).code).toBe(0);
    const before = commits(cwd, "bronze");
    expect((await backfill(cwd, "GJAHR 2018")).code).toBe(0);
    expect(commits(cwd, "bronze")).toBe(before);
    expect((await backfill(cwd, "GJAHR 2018..2020")).code).toBe(0);
    expect(commits(cwd, "bronze")).toBe(before + 1);
    expect(await silver(cwd)).toEqual(LOADED);
    expect(await rows(cwd, "SELECT count(*) AS n FROM bronze")).toEqual([{ n: "8" }]);
  });

  it("is there again after a full refresh, its source gone", async () => {
    const cwd = make();
    expect((await backfill(cwd, "GJAHR 2018..2020")).code).toBe(0);
    rmSync(join(cwd, "history"), { recursive: true });
    await run(cwd, "--full-refresh-all");
    expect(await silver(cwd)).toEqual(LOADED);
    expect(await run(cwd)).not.toContain("no longer defined");
  });

  it("with --again stages chunks anew and starts what has them again", async () => {
    const cwd = make();
    expect((await backfill(cwd, "GJAHR 2018..2020")).code).toBe(0);
    writeFileSync(join(cwd, "history/a.csv"), `${DOCUMENTS}\n1,2018,11.00\n2,2018,20.00\n1,2019,30.00\n`);
    const { code, errors } = await refusal(cwd, "backfill", "bronze", "--chunks", "GJAHR 2018..2020");
    expect({ code, errors }).toMatchObject({ code: 1, errors: [{ code: "BACKFILL_SOURCE_CHANGED" }] });
    const again = await backfill(cwd, "GJAHR 2018", "--again");
    expect(again.code, again.stderr).toBe(0);
    expect(await silver(cwd)).toEqual(LOADED.with(0, "2018 1 11.00"));
  });

  it("of a table that must not start again is loaded once", async () => {
    const locked = DEFINITIONS.replace(
      "query: sql",
      'tableProperties: { "pipelines.reset.allowed": "false" }, query: sql',
    );
    const cwd = make({ "transformations/all.ts": locked });
    expect((await backfill(cwd, "GJAHR 2018")).code).toBe(0);
    const { errors } = await refusal(cwd, "backfill", "bronze", "--chunks", "GJAHR 2018", "--again");
    expect(errors).toMatchObject([{ code: "TABLE_NOT_RESETTABLE" }]);
    expect((await backfill(cwd, "GJAHR 2018..2020")).code).toBe(0);
    expect(await silver(cwd)).toEqual(LOADED);
  });

  it("whose chunks are gone says so, until it is declared no more", async () => {
    const cwd = make();
    expect((await backfill(cwd, "GJAHR 2018..2020")).code).toBe(0);
    rmSync(join(cwd, "storage/_backfill"), { recursive: true });
    expect((await refusal(cwd, "run")).errors).toMatchObject([
      {
        code: "CHECKPOINT_DAMAGED",
        message: expect.stringContaining("The chunk 2018 of spark_catalog.default.bronze"),
      },
    ]);
    writeProject(cwd, { "transformations/all.ts": DEFINITIONS.replace(/ {2}backfill: .*\n/, "") });
    await run(cwd);
    expect(await silver(cwd)).toEqual(LOADED);
  });

  it("tells files that have come since a chunk was staged", async () => {
    const cwd = make();
    expect((await backfill(cwd, "GJAHR 2018")).code).toBe(0);
    writeFileSync(join(cwd, "history/c.csv"), `${DOCUMENTS}\n3,2018,70.00\n`);
    const { code, stderr } = await backfill(cwd, "GJAHR 2018");
    expect(code).toBe(0);
    expect(stderr).toMatch(/history\/c\.csv has come since the chunk 2018 was staged, and is not in it/);
  });

  it("joins chunks that were staged with other columns by name", async () => {
    const read = (folder: string) => `read_files('${folder}', format => 'csv', header => true)`;
    const cwd = project({
      "history/b.csv": "belnr,gjahr,text\n1,2018,one\n",
      "landing/1.csv": "gjahr,belnr\n2021,9\n",
      "transformations/all.sql": `
        CREATE STREAMING TABLE bronze TBLPROPERTIES (
          'ingot.backfill.source' = "${read("history")}", 'ingot.backfill.chunkBy' = 'gjahr')
        AS SELECT * FROM STREAM ${read("landing")};`,
    });
    expect((await backfill(cwd, "gjahr 2018")).code).toBe(0);
    writeFileSync(join(cwd, "history/a.csv"), "text,more,gjahr,belnr\ntwo,x,2019,2\n");
    expect((await backfill(cwd, "gjahr 2019")).code).toBe(0);
    await run(cwd, "--full-refresh-all");
    expect(await texts(cwd, "SELECT gjahr, belnr, text, more FROM bronze ORDER BY gjahr")).toEqual([
      "2018 1 one null",
      "2019 2 two x",
      "2021 9 null null",
    ]);
  });

  it("begins a table whose stream has brought nothing yet", async () => {
    const cwd = make({
      "transformations/all.ts": DEFINITIONS.replace("record INT` })", 'record INT`, onMissing: "skip" })'),
    });
    rmSync(join(cwd, "landing"), { recursive: true });
    const { code, stderr } = await backfill(cwd, "GJAHR 2018..2020");
    expect(code, stderr).toBe(0);
    expect(await silver(cwd)).toEqual(["2018 1 10.00", "2018 2 20.00", "2019 1 30.00", "2020 1 40.00", "2020 2 50.00"]);
    writeProject(cwd, LANDED);
    await run(cwd);
    expect(await silver(cwd)).toEqual(LOADED);
  });

  it("leaves out what also needs a table that no run has made", async () => {
    const cwd = make({
      "transformations/both.sql": `
        CREATE STREAMING TABLE other AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true);
        CREATE MATERIALIZED VIEW both AS SELECT count(*) AS n FROM silver CROSS JOIN other;`,
    });
    const { code, stdout } = await backfill(cwd, "GJAHR 2018");
    expect(code).toBe(0);
    expect(stdout).toMatch(/both +EXCLUDED/);
  });

  it("of a sapTable comes before all deliveries", async () => {
    const cwd = project({
      "history/bkpf.csv": "MANDT,BUKRS,BELNR,GJAHR,BKTXT\n100,1000,1,2018,old\n100,1000,2,2018,old\n",
      "landing/1.csv": "MANDT,BUKRS,BELNR,GJAHR,BKTXT,ODQ_CHANGEMODE,ODQ_ENTITYCNTR\n100,1000,2,2018,new,U,1\n",
      "transformations/all.ts": `
        import { readFiles } from "ingot";
        import { sapTable } from "ingot/sap";
        sapTable("BKPF", {
          from: readFiles("landing", { format: "csv", header: true }),
          changeFormat: "odq",
          backfill: { source: readFiles("history", { format: "csv", header: true }), chunkBy: "GJAHR" },
        });`,
    });
    await run(cwd);
    const { code, stderr } = await ingot(["backfill", "bronze.bkpf", "--chunks", "GJAHR 2018"], { cwd });
    expect(code, stderr).toBe(0);
    expect(await texts(cwd, "SELECT belnr, bktxt, event_ts IS NULL FROM bkpf_cur ORDER BY belnr")).toEqual([
      "1 old true",
      "2 new false",
    ]);
  });

  it("is declared in SQL too", async () => {
    const schema = "belnr STRING, gjahr INT, dmbtr DECIMAL(15,2)";
    const read = (folder: string, columns: string) =>
      `read_files('${folder}', format => 'csv', header => true, enforceSchema => false, schema => '${columns}')`;
    const cwd = project({
      ...HISTORY,
      "landing/1.csv": `${DOCUMENTS}\n1,2021,60.00\n`,
      "transformations/all.sql": `
        CREATE STREAMING TABLE bronze TBLPROPERTIES (
          'ingot.backfill.source' = "${read("history", schema)}", 'ingot.backfill.chunkBy' = 'gjahr')
        AS SELECT * FROM STREAM ${read("landing", schema)};`,
    });
    expect((await backfill(cwd, "gjahr 2018,2020")).code).toBe(0);
    expect(await texts(cwd, "SELECT gjahr, belnr FROM bronze ORDER BY gjahr, belnr")).toEqual([
      "2018 1",
      "2018 2",
      "2020 1",
      "2020 2",
      "2021 1",
    ]);
  });
});

/** Where a process may die: right after a path that matches got its final name, or was opened. */
const POINTS = [
  ["the manifest of a chunk", "_checkpoints/.*/bronze%20backfill%20\\d+/bronze%20backfill%20\\d+/0$", 2],
  ["the commit of a chunk", "/_backfill/.*/_delta_log/0+\\.json$", 2],
  ["the manifest of the load", "_checkpoints/.*/bronze/bronze_backfill/0$", 1],
  ["the commit of the load", "/default/bronze/_delta_log/\\d+\\.json$", 2],
  ["the commit of silver", "/default/silver/_delta_log/\\d+\\.json$", 1],
] as const;

describe("a backfill that dies", () => {
  it.each(POINTS)("after %s goes on where it was", async (_, point, count) => {
    const cwd = make();
    await dieIn(["backfill", "bronze", "--chunks", "GJAHR 2018..2020"], point, cwd, count);
    const { code, stderr } = await backfill(cwd, "GJAHR 2018..2020");
    expect(code, stderr).toBe(0);
    expect(await silver(cwd)).toEqual(LOADED);
    expect(await rows(cwd, "SELECT count(*) AS n FROM bronze")).toEqual([{ n: "8" }]);
  });

  it("once the load is planned, is ended by any run", async () => {
    const cwd = make();
    await dieIn(["backfill", "bronze", "--chunks", "GJAHR 2018..2020"], POINTS[2][1], cwd);
    await run(cwd);
    expect(await silver(cwd)).toEqual(LOADED);
  });

  it("with --again, stops the table until the command is done", async () => {
    const cwd = make();
    expect((await backfill(cwd, "GJAHR 2018..2020")).code).toBe(0);
    const before = commits(cwd, "bronze");
    const again = ["backfill", "bronze", "--chunks", "GJAHR 2018", "--again"];
    await dieIn(again, "/_backfill/.*/2018/_delta_log/0+1\\.json$", cwd);
    expect((await refusal(cwd, "run")).errors).toMatchObject([{ code: "DELTA_SOURCE_TABLE_IGNORE_CHANGES" }]);
    expect(commits(cwd, "bronze")).toBe(before);
    expect((await ingot(again, { cwd })).code).toBe(0);
    expect(await silver(cwd)).toEqual(LOADED);
  });

  it("before that leaves the table to the stream", async () => {
    const cwd = make();
    await dieIn(["backfill", "bronze", "--chunks", "GJAHR 2018..2020"], POINTS[1][1], cwd, 2);
    await run(cwd);
    expect(await rows(cwd, "SELECT count(*) AS n FROM bronze")).toEqual([{ n: "3" }]);
    const { events: told } = await events(cwd);
    expect(told.filter(({ level }) => level === "WARN")).toEqual([]);
  });
});

describe("what cannot be loaded is refused before anything is written", () => {
  it.each([
    ["GJAHR 2018...2020", "2018...2020 is neither a number nor a range a..b"],
    ["GJAHR 2020..2018", "2020..2018 counts down"],
    ["GJAHR 2018,2017..2019", "2018 is there twice"],
    ["GJAHR 1..100000", "1..100000 is more than 1000 chunks"],
    ["BELNR 1..2", "spark_catalog.default.bronze is loaded by gjahr, not by BELNR"],
    ["2018..2020", "a column and a range are wanted"],
  ])("--chunks %s", async (chunks, why) => {
    const { code, errors } = await refusal(make(), "backfill", "bronze", "--chunks", chunks);
    expect({ code, errors }).toMatchObject({
      code: 2,
      errors: [{ code: "BAD_CHUNKS", message: `--chunks '${chunks}': ${why}` }],
    });
  });

  it("a table without a backfill, and a name that nothing has", async () => {
    const cwd = make();
    const of = async (name: string) => (await refusal(cwd, "backfill", name, "--chunks", "GJAHR 2018")).errors;
    expect(await of("silver")).toMatchObject([
      {
        code: "NO_BACKFILL",
        message: "spark_catalog.default.silver declares no backfill: nobody says where its history is",
        hint: "Declare it: backfill: { source, chunkBy }. There are bronze.",
      },
    ]);
    expect(await of("bronce")).toMatchObject([{ code: "NO_BACKFILL", hint: "Did you mean bronze?" }]);
  });

  it("a source that is not there", async () => {
    const cwd = make();
    rmSync(join(cwd, "history"), { recursive: true });
    const { code, stderr } = await backfill(cwd, "GJAHR 2018");
    expect(code).toBe(6);
    expect(stderr).toContain("PATH_NOT_FOUND");
    expect(filesBelow(join(cwd, "storage/warehouse"))).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      "a column that the rows do not have",
      { '["txn", "record"]': '"txn"' },
      "orders changes by txn, which the rows of spark_catalog.default.bronze's backfill do not have",
    ],
    [
      "the order of commits",
      {
        "query: sql": 'tableProperties: { "delta.enableChangeDataFeed": true }, query: sql',
        "source: bronze": "source: changeFeed(bronze)",
        '["txn", "record"]': '"_commit_version"',
        'exceptColumnList: ["op", "txn", "record"]': 'columnList: ["belnr", "gjahr", "dmbtr"]',
        "import { ": "import { changeFeed, ",
      },
      "orders changes by the versions of spark_catalog.default.bronze, by which what is loaded later is newer",
    ],
  ])("a sequence that is %s", async (_, edits, why) => {
    const text = Object.entries(edits).reduce((all, [from, to]) => all.replace(from, () => to), DEFINITIONS);
    const cwd = make({ "transformations/all.ts": text });
    await run(cwd);
    const { code, errors } = await refusal(cwd, "backfill", "bronze", "--chunks", "GJAHR 2018");
    expect({ code, errors }).toMatchObject({
      code: 3,
      errors: [{ code: "BACKFILL_UNORDERED", message: `The flow silver ${why}` }],
    });
    expect(filesBelow(join(cwd, "storage/_backfill"))).toEqual([]);
  });

  it("a table that changes fill", async () => {
    const moved = DEFINITIONS.replace(/ {2}backfill: (.*),\n/, "").replace(
      'createStreamingTable("silver", {',
      'createStreamingTable("silver", { backfill: { source: bronze, chunkBy: "gjahr" },',
    );
    const { errors } = await refusal(make({ "transformations/all.ts": moved }), "dry-run");
    expect(errors).toMatchObject([
      {
        code: "NOT_SUPPORTED",
        message:
          "spark_catalog.default.silver: the option `backfill` of a table that changes fill has no implementation yet",
      },
    ]);
  });
});
