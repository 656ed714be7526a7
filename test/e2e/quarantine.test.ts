import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ingot, projectMaker, refusal, rows, run } from "./cli.js";

const project = projectMaker();

// Case V13: the first rule forgets returns, whose quantity is negative.
const silver = (rule: string, kind = "STREAMING TABLE", from = "STREAM bronze") =>
  `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
  enforceSchema => false, schema => 'id BIGINT, qty INT');
CREATE ${kind} silver (CONSTRAINT quantity EXPECT (${rule}) ON VIOLATION QUARANTINE ROW) AS SELECT * FROM ${from};`;
const ORDERS = "id,qty\n1,5\n2,-1\n3,0\n4,2\n";

async function release(folder: string, ...args: string[]): Promise<object> {
  const { code, stdout, stderr } = await ingot(["quarantine", "release", ...args, "--json"], { cwd: folder });
  expect(code, stderr).toBe(0);
  const { run_id: _, dataset: __, ...told } = JSON.parse(stdout);
  return told;
}

const ids = async (folder: string) =>
  (await rows(folder, "SELECT id FROM silver ORDER BY id")).map((row) => Number(row["id"]));
const states = (folder: string) =>
  rows(folder, "SELECT id, qty, _attempt AS attempt, _state AS state FROM silver_quarantine ORDER BY id, _attempt");

describe("a rule that is corrected (V13)", () => {
  it("releases what passes now, once; what fails again stays as a later attempt", async () => {
    const folder = project({ "transformations/all.sql": silver("qty > 0"), "landing/1.csv": ORDERS });
    await run(folder);
    await run(folder);
    expect(await ids(folder)).toEqual([1, 4]);
    writeFileSync(`${folder}/transformations/all.sql`, silver("qty <> 0"));
    expect(await release(folder, "silver", "--all")).toEqual({ released: 2, passed: 1, dropped: 0, quarantined: 1 });
    expect(await ids(folder)).toEqual([1, 2, 4]);
    const after = [
      { id: "2", qty: -1, attempt: 1, state: "released" },
      { id: "3", qty: 0, attempt: 1, state: "released" },
      { id: "3", qty: 0, attempt: 2, state: "open" },
    ];
    expect(await states(folder)).toEqual(after);
    expect(await release(folder, "silver", "--where", "id = 2")).toEqual({
      released: 0,
      passed: 0,
      dropped: 0,
      quarantined: 0,
    });
    await run(folder);
    writeFileSync(`${folder}/landing/2.csv`, "id,qty\n5,1\n");
    await run(folder);
    expect(await ids(folder)).toEqual([1, 2, 4, 5]);
    expect(await states(folder)).toEqual(after);
  });

  it("of a view: the rows take the way of the flow that read it", async () => {
    const sql = (rule: string) =>
      `${silver("true").split("\nCREATE")[0]}
CREATE TEMPORARY VIEW checked (CONSTRAINT quantity EXPECT (${rule}) ON VIOLATION QUARANTINE ROW) AS SELECT * FROM STREAM bronze;
CREATE STREAMING TABLE silver AS SELECT id * 10 AS id, qty FROM STREAM checked;`;
    const folder = project({ "transformations/all.sql": sql("qty > 0"), "landing/1.csv": ORDERS });
    await run(folder);
    writeFileSync(`${folder}/transformations/all.sql`, sql("qty <> 0"));
    expect(await release(folder, "checked", "--all")).toMatchObject({ released: 2, passed: 1, quarantined: 1 });
    expect(await ids(folder)).toEqual([10, 20, 40]);
  });
});

describe("a row that is corrected", () => {
  it("is released with the value that is given for it, by key, rule or predicate", async () => {
    const folder = project({ "transformations/all.sql": silver("qty > 0"), "landing/1.csv": ORDERS });
    await run(folder);
    expect(await release(folder, "silver", "--key", "id=2", "--correct", "qty=abs(qty)")).toMatchObject({ passed: 1 });
    expect(await rows(folder, "SELECT qty FROM silver WHERE id = 2")).toEqual([{ qty: 1 }]);
    expect(await release(folder, "silver", "--rule", "quantity", "--correct", "qty=7")).toMatchObject({ passed: 1 });
    expect(await ids(folder)).toEqual([1, 2, 3, 4]);
    expect((await states(folder)).map((row) => row["state"])).toEqual(["released", "released"]);
  });
});

describe("events that were set aside", () => {
  const EVENTS = "key,seq,op,v\nA,1,U,old\nB,2,U,bad\nA,3,U,bad\nC,4,D,bad\n,5,U,nokey\nC,2,U,c\n";
  const events = (
    rule: string,
    kind: number,
  ) => `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM read_files('landing',
  format => 'csv', header => true, enforceSchema => false, schema => 'key STRING, seq INT, op STRING, v STRING');
CREATE STREAMING TABLE silver (CONSTRAINT sound EXPECT (${rule}) ON VIOLATION QUARANTINE ROW);
CREATE FLOW f AS AUTO CDC INTO silver FROM STREAM(bronze) KEYS (key) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq
  COLUMNS * EXCEPT (op, seq) STORED AS SCD TYPE ${kind} WITH (onInvalid => 'quarantine');`;
  const start = async (kind: number) => {
    const folder = project({ "transformations/all.sql": events("v <> 'bad'", kind), "landing/1.csv": EVENTS });
    await run(folder);
    writeFileSync(`${folder}/landing/2.csv`, "key,seq,op,v\nA,9,U,new\n");
    await run(folder);
    writeFileSync(`${folder}/transformations/all.sql`, events("v IS NOT NULL", kind));
    return folder;
  };

  it("by rules on the table of AUTO CDC are released as the events that they are: late ones lose, deletes delete", async () => {
    const folder = await start(1);
    const silver = () => rows(folder, "SELECT key, v FROM silver ORDER BY key");
    expect(await silver()).toEqual([
      { key: "A", v: "new" },
      { key: "C", v: "c" },
    ]);
    expect(await release(folder, "silver", "--all")).toEqual({ released: 4, passed: 3, dropped: 0, quarantined: 1 });
    expect(await silver()).toEqual([
      { key: "A", v: "new" },
      { key: "B", v: "bad" },
    ]);
    const told = await release(folder, "silver", "--where", "seq = 5", "--correct", "key='D'");
    expect(told).toMatchObject({ released: 1, passed: 1 });
    expect((await silver()).at(-1)).toEqual({ key: "D", v: "nokey" });
  });

  it("take their place in a history", async () => {
    const folder = await start(2);
    await release(folder, "silver", "--where", "key = 'A'");
    expect(
      await rows(folder, "SELECT v, __START_AT AS f, __END_AT AS t FROM silver WHERE key = 'A' ORDER BY f"),
    ).toEqual([
      { v: "old", f: 1, t: 3 },
      { v: "bad", f: 3, t: 9 },
      { v: "new", f: 9, t: null },
    ]);
  });

  it("below a change feed, which gives versions that rise, are late all the same", async () => {
    const sql = (rule: string) => `CREATE STREAMING TABLE bronze TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')
  AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true, enforceSchema => false, schema => 'id BIGINT, qty INT');
CREATE TEMPORARY VIEW checked (CONSTRAINT quantity EXPECT (${rule}) ON VIOLATION QUARANTINE ROW)
  AS SELECT id, qty, _commit_version FROM STREAM bronze WITH (readChangeFeed = true);
CREATE STREAMING TABLE silver;
CREATE FLOW f AS AUTO CDC INTO silver FROM STREAM(checked) KEYS (id) SEQUENCE BY _commit_version
  COLUMNS * EXCEPT (_commit_version);`;
    const folder = project({ "transformations/all.sql": sql("qty > 0"), "landing/1.csv": "id,qty\n1,-1\n" });
    await run(folder);
    writeFileSync(`${folder}/landing/2.csv`, "id,qty\n1,5\n");
    await run(folder);
    writeFileSync(`${folder}/transformations/all.sql`, sql("qty <> 0"));
    expect(await release(folder, "checked", "--all")).toMatchObject({ released: 1, passed: 1 });
    expect(await rows(folder, "SELECT id, qty FROM silver")).toEqual([{ id: "1", qty: 5 }]);
  });
});

describe("what is refused", () => {
  it.each([
    ["another dataset's table", "CREATE MATERIALIZED VIEW silver_quarantine AS SELECT 1 AS a;"],
    [
      "another dataset's quarantine",
      "CREATE MATERIALIZED VIEW c (CONSTRAINT r EXPECT (id > 0) ON VIOLATION QUARANTINE ROW) TBLPROPERTIES ('ingot.quarantine' = 'silver_quarantine') AS SELECT id FROM bronze;",
    ],
  ])("a quarantine that is %s", async (_, sql) => {
    const folder = project({ "transformations/all.sql": `${silver("qty > 0")}\n${sql}`, "landing/1.csv": ORDERS });
    expect((await refusal(folder, "dry-run")).errors).toMatchObject([{ code: "LOCATION_ALREADY_EXISTS" }]);
  });

  it("a table that is computed anew: its rows come by themselves", async () => {
    const folder = project({
      "transformations/all.sql": silver("qty > 0", "MATERIALIZED VIEW", "bronze"),
      "landing/1.csv": ORDERS,
    });
    await run(folder);
    const told = await refusal(folder, "quarantine", "release", "silver", "--all");
    expect(told.errors[0]).toMatchObject({
      code: "NOT_SUPPORTED",
      message: expect.stringContaining("materialized view"),
    });
    writeFileSync(`${folder}/transformations/all.sql`, silver("qty <> 0", "MATERIALIZED VIEW", "bronze"));
    await run(folder);
    expect(await ids(folder)).toEqual([1, 2, 4]);
    expect(await states(folder)).toEqual([{ id: "3", qty: 0, attempt: 1, state: "open" }]);
  });

  it.each([
    [["release", "silver"], "USAGE"],
    [["release", "bronze", "--all"], "USAGE"],
    [["release", "silver", "--all", "--correct", "nobody=1"], "USAGE"],
    [["release", "silver", "--where", "rand() > 0.5"], "INVALID_NON_DETERMINISTIC_EXPRESSIONS"],
    [["release", "silver", "--where", "nobody = 1"], "UNRESOLVED_COLUMN.WITH_SUGGESTION"],
  ])("%s", async (args, code) => {
    const folder = project({ "transformations/all.sql": silver("qty > 0"), "landing/1.csv": ORDERS });
    await run(folder);
    expect((await refusal(folder, "quarantine", ...args)).errors).toMatchObject([{ code }]);
    await run(folder);
    expect(await ids(folder)).toEqual([1, 4]);
  });

  it("a correction that fails releases nothing, and the next run goes on", async () => {
    const folder = project({ "transformations/all.sql": silver("qty > 0"), "landing/1.csv": ORDERS });
    await run(folder);
    const told = await refusal(folder, "quarantine", "release", "silver", "--all", "--correct", "qty=1 DIV qty");
    expect(told.errors).toMatchObject([{ code: "DIVIDE_BY_ZERO" }]);
    writeFileSync(`${folder}/landing/2.csv`, "id,qty\n5,1\n");
    await run(folder);
    expect(await ids(folder)).toEqual([1, 4, 5]);
    expect((await states(folder)).map((row) => row["state"])).toEqual(["open", "open"]);
  });
});

it("list groups by rule and cause, show gives the open rows, drop marks them", async () => {
  const folder = project({ "transformations/all.sql": silver("qty > 0"), "landing/1.csv": ORDERS });
  await run(folder);
  const listed = async () =>
    JSON.parse((await ingot(["quarantine", "list", "--json"], { cwd: folder })).stdout).quarantines[0];
  expect(await listed()).toMatchObject({
    dataset: "spark_catalog.default.silver",
    table: "spark_catalog.default.silver_quarantine",
    groups: [{ status: "quantity", rules: "quantity", state: "open", rows: "2" }],
  });
  const dropped = await ingot(["quarantine", "drop", "silver", "--where", "qty = 0"], { cwd: folder });
  expect(dropped.stdout).toBe("1 dropped\n");
  const shown = JSON.parse((await ingot(["quarantine", "show", "silver", "--json"], { cwd: folder })).stdout);
  expect(shown.rows).toMatchObject([{ id: "2", qty: -1 }]);
  expect((await listed()).groups).toMatchObject([
    { state: "dropped", rows: "1" },
    { state: "open", rows: "1" },
  ]);
});
