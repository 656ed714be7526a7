import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../packages/ingot/src/model/event.js";
import { events, filesBelow, ingot, projectMaker, refusal, rows } from "./cli.js";

const project = projectMaker();

/** The rows of W13, and bronze over them. */
const AMOUNTS = "id,amount\n1,10\n2,-1\n3,\n4,5\n5,-3\n";
const BRONZE = `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
  enforceSchema => false, schema => 'id BIGINT, amount DECIMAL(10,2)');`;

function shop(silver: string, landing = AMOUNTS): string {
  return project({ "transformations/all.sql": `${BRONZE}\n${silver}`, "landing/1.csv": landing });
}

const ids = async (folder: string, from = "silver") =>
  (await rows(folder, `SELECT id FROM ${from} ORDER BY id`)).map((row) => Number(row["id"]));

/** `data_quality` of the completed flows that have some, by flow. */
function quality(heard: readonly RunEvent[]): Record<string, unknown> {
  return Object.fromEntries(
    heard.flatMap(({ details, origin }) => {
      const found = "flow_progress" in details ? details.flow_progress.data_quality : undefined;
      return found === undefined ? [] : [[origin.flow_name?.split(".").at(-1), found]];
    }),
  );
}

const DATASET = "spark_catalog.default.silver";
const counts = (name: string, passed: number, failed: number, dataset = DATASET) => ({
  name,
  dataset,
  passed_records: passed,
  failed_records: failed,
});

describe("the worked example W13", () => {
  it.each([
    ["STREAMING TABLE", "STREAM bronze"],
    ["MATERIALIZED VIEW", "bronze"],
  ])("warn on a %s: all rows are written, NULL counts as failed", async (kind, from) => {
    const folder = shop(`CREATE ${kind} silver (CONSTRAINT pos EXPECT (amount >= 0)) AS SELECT * FROM ${from};`);
    const run = await events(folder);
    expect(run.code).toBe(0);
    expect(await ids(folder)).toEqual([1, 2, 3, 4, 5]);
    expect(quality(run.events)).toEqual({
      silver: { dropped_records: 0, quarantined_records: 0, expectations: [counts("pos", 2, 3)] },
    });
  });

  it("drop: rows 1 and 4 are written", async () => {
    const folder = shop(
      "CREATE STREAMING TABLE silver (CONSTRAINT pos EXPECT (amount >= 0) ON VIOLATION DROP ROW) AS SELECT * FROM STREAM bronze;",
    );
    const run = await events(folder);
    expect(await ids(folder)).toEqual([1, 4]);
    expect(quality(run.events)).toEqual({
      silver: { dropped_records: 3, quarantined_records: 0, expectations: [counts("pos", 2, 3)] },
    });
  });

  it("fail: the table is unchanged, no figure is told, the exit code is 4", async () => {
    const folder = shop(
      "CREATE STREAMING TABLE silver (CONSTRAINT pos EXPECT (amount >= 0) ON VIOLATION FAIL UPDATE) AS SELECT * FROM STREAM bronze;\nCREATE MATERIALIZED VIEW other AS SELECT id FROM bronze;\nCREATE MATERIALIZED VIEW below AS SELECT id FROM silver;",
    );
    const run = await events(folder);
    expect(run.code).toBe(4);
    expect(quality(run.events)).toEqual({});
    expect(filesBelow(`${folder}/storage/warehouse/default/silver`)).toEqual([]);
    const ended = run.events.filter((e) => "flow_progress" in e.details).map((e) => e.message);
    expect(ended).toContain("Flow spark_catalog.default.other has COMPLETED.");
    expect(ended).toContain("Flow 'spark_catalog.default.below' SKIPPED due to upstream failure(s).");
    const failed = run.events.find((e) => e.error !== undefined && e.event_type === "flow_progress");
    expect(failed?.error).toMatchObject({
      code: "EXPECTATION_VIOLATION",
      message: expect.stringContaining(
        'of 5 rows some fail the expectation `pos` (3), such as {"id":"2","amount":"-1.00"}',
      ),
    });
  });

  it("fail on files: the file is corrected, and the next run reads what is there then", async () => {
    const folder = project({
      "transformations/all.sql": BRONZE.replace(
        "bronze AS",
        "bronze (CONSTRAINT pos EXPECT (amount >= 0) ON VIOLATION FAIL UPDATE) AS",
      ),
      "landing/1.csv": "id,amount\n1,1\n",
    });
    const run = async () => (await ingot(["run"], { cwd: folder })).code;
    expect(await run()).toBe(0);
    writeFileSync(`${folder}/landing/2.csv`, "id,amount\n2,-2\n");
    expect(await run()).toBe(4);
    expect(await run()).toBe(4);
    writeFileSync(`${folder}/landing/2.csv`, "id,amount\n2,22\n");
    expect(await run()).toBe(0);
    expect(await ids(folder, "bronze")).toEqual([1, 2]);
  });

  it("two rules that drop: each counts for itself, a row goes once", async () => {
    const folder = shop(
      "CREATE STREAMING TABLE silver (CONSTRAINT r1 EXPECT (amount >= 0) ON VIOLATION DROP ROW, CONSTRAINT r2 EXPECT (id < 4) ON VIOLATION DROP ROW) AS SELECT * FROM STREAM bronze;",
    );
    const run = await events(folder);
    expect(await ids(folder)).toEqual([1]);
    expect(quality(run.events)).toEqual({
      silver: { dropped_records: 4, quarantined_records: 0, expectations: [counts("r1", 2, 3), counts("r2", 3, 2)] },
    });
  });
});

describe("a quarantine", () => {
  const QUARANTINED =
    "CREATE STREAMING TABLE silver (CONSTRAINT pos EXPECT (amount >= 0) ON VIOLATION QUARANTINE ROW, CONSTRAINT small EXPECT (id < 5)) TBLPROPERTIES ('ingot.expectation.pos.status' = 'MALFORMED_AMOUNT') AS SELECT * FROM STREAM bronze;";

  it("keeps the row with every rule that it fails, and adds nothing when nothing is new", async () => {
    const folder = shop(QUARANTINED);
    const run = await events(folder);
    expect(quality(run.events)).toEqual({
      silver: {
        dropped_records: 0,
        quarantined_records: 3,
        expectations: [counts("pos", 2, 3), counts("small", 4, 1)],
      },
    });
    expect(await ids(folder)).toEqual([1, 4]);
    const held = await rows(
      folder,
      "SELECT id, amount, _status, transform(_failed_rules, r -> r.name) AS rules, _flow, _batch, _attempt, _state FROM silver_quarantine ORDER BY id",
    );
    const about = { _status: "MALFORMED_AMOUNT", _flow: DATASET, _batch: "0", _attempt: 1, _state: "open" };
    expect(held).toEqual([
      { id: "2", amount: "-1.00", rules: ["pos"], ...about },
      { id: "3", amount: null, rules: ["pos"], ...about },
      { id: "5", amount: "-3.00", rules: ["pos", "small"], ...about },
    ]);
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    expect(await ids(folder, "silver_quarantine")).toEqual([2, 3, 5]);
    writeFileSync(`${folder}/landing/2.csv`, "id,amount\n6,-6\n7,7\n");
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    expect(await ids(folder)).toEqual([1, 4, 7]);
    expect(await ids(folder, "silver_quarantine")).toEqual([2, 3, 5, 6]);
    expect((await ingot(["run", "--full-refresh", "silver"], { cwd: folder })).code).toBe(0);
    expect(await ids(folder)).toEqual([1, 4, 7]);
    expect(await ids(folder, "silver_quarantine")).toEqual([2, 3, 5, 6]);
  });

  it("of a view takes the rows of each flow that reads it, those of a materialized view anew", async () => {
    const folder = shop(`CREATE TEMPORARY VIEW checked (CONSTRAINT pos EXPECT (amount >= 0) ON VIOLATION QUARANTINE ROW)
  TBLPROPERTIES ('ingot.quarantine' = 'aside.bad') AS SELECT * FROM bronze;
CREATE MATERIALIZED VIEW silver AS SELECT a.id FROM checked a JOIN checked b ON a.id = b.id;
CREATE MATERIALIZED VIEW twin AS SELECT id FROM checked;`);
    const run = await events(folder);
    const view = "spark_catalog.default.checked";
    const seen = { dropped_records: 0, quarantined_records: 3, expectations: [counts("pos", 2, 3, view)] };
    expect(quality(run.events)).toEqual({ silver: seen, twin: seen });
    expect(await ids(folder)).toEqual([1, 4]);
    const held = "SELECT count(*) AS n, count(DISTINCT _flow) AS flows FROM aside.bad";
    expect(await rows(folder, held)).toEqual([{ n: "6", flows: "2" }]);
    writeFileSync(`${folder}/landing/2.csv`, "id,amount\n6,-6\n7,7\n");
    await ingot(["run"], { cwd: folder });
    expect(await rows(folder, held)).toEqual([{ n: "8", flows: "2" }]);
  });
});

describe("a gate", () => {
  const gated = (gate: string) =>
    shop(`CREATE STREAMING TABLE silver (CONSTRAINT pos EXPECT (amount >= 0) ON VIOLATION DROP ROW)
  TBLPROPERTIES (${gate}) AS SELECT * FROM STREAM bronze;
CREATE MATERIALIZED VIEW below AS SELECT id FROM silver;`);

  it.each(["'ingot.gate.maxFailedRows' = '2'", "'ingot.gate.maxFailedShare' = '0.59'"])(
    "%s: more failed rows publish nothing, and what depends on it is skipped",
    async (gate) => {
      const folder = gated(gate);
      const { code, stderr } = await ingot(["run"], { cwd: folder });
      expect(code).toBe(4);
      expect(stderr).toContain("QUALITY_GATE_CLOSED");
      expect(stderr).toContain("3 of 5 rows fail `pos` (3)");
      expect(stderr).toContain("Flow 'spark_catalog.default.below' SKIPPED");
      expect(filesBelow(`${folder}/storage/warehouse/default/silver`)).toEqual([]);
    },
  );

  it.each(["'ingot.gate.maxFailedRows' = '3'", "'ingot.gate.maxFailedShare' = '0.6'"])(
    "%s: as many are let through",
    async (gate) => {
      const folder = gated(gate);
      expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
      expect(await ids(folder, "below")).toEqual([1, 4]);
    },
  );
});

describe("a rule is refused when it is declared", () => {
  const declare = (rule: string) =>
    refusal(
      shop(`CREATE MATERIALIZED VIEW silver (CONSTRAINT r EXPECT (${rule})) AS SELECT * FROM bronze;`),
      "dry-run",
    );

  it.each([
    ["nobody > 0", "UNRESOLVED_COLUMN.WITH_SUGGESTION"],
    ["amount + 1", "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE"],
    ["rand() > 0.5", "INVALID_NON_DETERMINISTIC_EXPRESSIONS"],
    ["id < unix_timestamp()", "INVALID_NON_DETERMINISTIC_EXPRESSIONS"],
    ["id IN (SELECT id FROM bronze)", "UNSUPPORTED_CLAUSE"],
    ["sum(amount) > 0", "UNSUPPORTED_CLAUSE"],
    ["row_number() OVER (ORDER BY id) > 0", "UNSUPPORTED_CLAUSE"],
  ])("%s", async (rule, code) => {
    const { code: exit, errors } = await declare(rule);
    expect(exit).toBe(3);
    expect(errors).toMatchObject([{ code, at: expect.stringMatching(/^transformations\/all.sql:3:\d+$/) }]);
  });
});

describe("a key that is to be unique (V14)", () => {
  const table = (action: string, kind = "STREAMING TABLE", from = "STREAM bronze") =>
    shop(
      `CREATE ${kind} silver (CONSTRAINT one EXPECT UNIQUE (id)${action}) AS SELECT * FROM ${from};`,
      "id,amount\n1,1\n2,1\n2,2\n",
    );
  const more = (folder: string) => writeFileSync(`${folder}/landing/2.csv`, "id,amount\n1,9\n");

  it("warn: all rows are in, each row that has a twin counts", async () => {
    const folder = table("");
    const first = await events(folder);
    more(folder);
    const second = await events(folder);
    expect(await ids(folder)).toEqual([1, 1, 2, 2]);
    expect(quality(first.events)).toMatchObject({ silver: { expectations: [counts("one", 1, 2)] } });
    expect(quality(second.events)).toMatchObject({ silver: { expectations: [counts("one", 0, 1)] } });
  });

  it("quarantine: of equal rows none is chosen; what is there stays", async () => {
    const folder = table(" ON VIOLATION QUARANTINE ROW");
    await events(folder);
    expect(await ids(folder)).toEqual([1]);
    expect(await ids(folder, "silver_quarantine")).toEqual([2, 2]);
    more(folder);
    await events(folder);
    expect(await ids(folder)).toEqual([1]);
    expect(await ids(folder, "silver_quarantine")).toEqual([1, 2, 2]);
    const { stdout } = await ingot(["quarantine", "release", "silver", "--where", "amount = 2", "--json"], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toMatchObject({ released: 1, passed: 1 });
    expect(await ids(folder)).toEqual([1, 2]);
  });

  it.each([
    ["STREAMING TABLE", "STREAM bronze"],
    ["MATERIALIZED VIEW", "bronze"],
  ])("fail on a %s: nothing is written", async (kind, from) => {
    const folder = table(" ON VIOLATION FAIL UPDATE", kind, from);
    const { code, stderr } = await ingot(["run"], { cwd: folder });
    expect(code).toBe(4);
    expect(stderr).toContain("of 3 rows some fail the expectation `one` (2)");
    expect(filesBelow(`${folder}/storage/warehouse/default/silver`)).toEqual([]);
  });

  it("sees no twin in a row that another rule drops, and takes NULL for a value", async () => {
    const folder = shop(
      "CREATE MATERIALIZED VIEW silver (CONSTRAINT big EXPECT (amount > 1) ON VIOLATION DROP ROW, CONSTRAINT one EXPECT UNIQUE (id, amount)) AS SELECT CAST(NULL AS STRING) AS id, amount FROM bronze;",
      "id,amount\n1,1\n2,2\n3,3\n4,3\n5,1\n",
    );
    const run = await events(folder);
    expect(quality(run.events)).toMatchObject({
      silver: {
        dropped_records: 2,
        expectations: [
          { name: "big", failed_records: 2 },
          { name: "one", failed_records: 2 },
        ],
      },
    });
  });

  it.each([
    [
      "CREATE MATERIALIZED VIEW silver (CONSTRAINT u EXPECT UNIQUE (nobody)) AS SELECT * FROM bronze",
      "UNRESOLVED_COLUMN.WITH_SUGGESTION",
    ],
    [
      "CREATE MATERIALIZED VIEW silver (CONSTRAINT u EXPECT UNIQUE (id) ON VIOLATION DROP ROW) AS SELECT * FROM bronze",
      "NOT_SUPPORTED",
    ],
    ["CREATE TEMPORARY VIEW silver (CONSTRAINT u EXPECT UNIQUE (id)) AS SELECT * FROM bronze", "NOT_SUPPORTED"],
    [
      "CREATE STREAMING TABLE silver (CONSTRAINT u EXPECT UNIQUE (id)); CREATE FLOW f AS INSERT INTO silver BY NAME SELECT * FROM STREAM bronze; CREATE FLOW g AS INSERT INTO silver BY NAME SELECT * FROM STREAM bronze",
      "NOT_SUPPORTED",
    ],
  ])("is refused: %s", async (sql, code) => {
    expect((await refusal(shop(`${sql};`), "dry-run")).errors).toMatchObject([{ code }]);
  });
});

describe("rules over changes", () => {
  const EVENTS = "key,seq,v\nA,1,x\nA,,bad\nB,,bad\n,2,nokey\nC,3,ok\n";
  const SOURCE = `CREATE TEMPORARY VIEW events RULES AS SELECT * FROM STREAM read_files('landing', format => 'csv',
  header => true, enforceSchema => false, schema => 'key STRING, seq INT, v STRING');
CREATE STREAMING TABLE silver;
CREATE FLOW f AS AUTO CDC INTO silver FROM STREAM(events) KEYS (key) SEQUENCE BY seq OPTIONS;`;
  const changes = (rules: string, options: string) =>
    project({
      "transformations/all.sql": SOURCE.replace("RULES", rules).replace("OPTIONS", options),
      "landing/1.csv": EVENTS,
    });
  const silver = (folder: string) => rows(folder, "SELECT key, v FROM silver ORDER BY key");
  const RIGHT = [
    { key: "A", v: "x" },
    { key: "C", v: "ok" },
  ];

  it("sets events without a key or a sequence aside where the flow says so (V02)", async () => {
    const folder = changes("", "WITH (onInvalid => 'quarantine')");
    const { code, stderr } = await ingot(["run"], { cwd: folder });
    expect(code, stderr).toBe(0);
    expect(await silver(folder)).toEqual(RIGHT);
    expect(await rows(folder, "SELECT key, seq, v, _status FROM silver_quarantine ORDER BY v, key NULLS LAST")).toEqual(
      [
        { key: "A", seq: null, v: "bad", _status: "INVALID_SEQUENCE" },
        { key: "B", seq: null, v: "bad", _status: "INVALID_SEQUENCE" },
        { key: null, seq: 2, v: "nokey", _status: "INVALID_PRIMARY_KEY" },
      ],
    );
    const again = await ingot(["quarantine", "release", "silver", "--all", "--json"], { cwd: folder });
    expect(JSON.parse(again.stdout)).toMatchObject({ released: 3, passed: 0, quarantined: 3 });
  });

  it("of a view: what is released is applied in its old sequence", async () => {
    const folder = changes(
      "(CONSTRAINT whole EXPECT (key IS NOT NULL AND seq IS NOT NULL) ON VIOLATION QUARANTINE ROW)",
      "",
    );
    const run = await events(folder);
    expect(run.code).toBe(0);
    expect(quality(run.events)).toMatchObject({
      f: { quarantined_records: 3, expectations: [counts("whole", 2, 3, "spark_catalog.default.events")] },
    });
    expect(await silver(folder)).toEqual(RIGHT);
    const release = async (...args: string[]) =>
      (await ingot(["quarantine", "release", "events", ...args], { cwd: folder })).stdout;
    expect(await release("--key", "key=B", "--correct", "seq=4")).toBe(
      "1 released: 1 passed, 0 dropped, 0 quarantined again\n",
    );
    expect(await release("--key", "key=A", "--correct", "seq=0")).toBe(
      "1 released: 1 passed, 0 dropped, 0 quarantined again\n",
    );
    // The event is older than the one that the table has.
    expect(await silver(folder)).toEqual([RIGHT[0], { key: "B", v: "bad" }, RIGHT[1]]);
  });
});
