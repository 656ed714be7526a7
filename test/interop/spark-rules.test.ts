import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunEvent } from "../../packages/ingot/src/model/event.js";
import { ingot, SPEC, texts, writeProject } from "../e2e/cli.js";
import { describeWith } from "./peer.js";
import { type SparkServer, startSparkServer } from "./spark-server.js";

const describe = await describeWith("spark");

const READ = `read_files('landing', format => 'csv', header => true, enforceSchema => false,
  schema => 'id INT, name STRING, amount STRING, seq INT')`;
const FLOWS: Readonly<Record<string, string>> = {
  latest: "CREATE FLOW f1 AS AUTO CDC INTO latest FROM STREAM(checked) KEYS (id) SEQUENCE BY seq",
  filled: "CREATE FLOW f2 AS AUTO CDC INTO filled FROM STREAM(checked) KEYS (id) IGNORE NULL UPDATES SEQUENCE BY seq",
  history:
    "CREATE FLOW f3 AS AUTO CDC INTO history FROM STREAM(checked) KEYS (id) SEQUENCE BY seq STORED AS SCD TYPE 2",
  replaced:
    "CREATE STREAMING TABLE replaced FLOW REPLACE USING (id) SEQUENCE BY seq BY NAME SELECT * FROM STREAM(checked)",
  added: "CREATE STREAMING TABLE added AS SELECT id, name FROM STREAM(checked) WHERE id < 3",
};
const PROJECT = {
  // They set rows aside in one table, and who comes second there begins anew.
  "ingot.yml": `${SPEC}configuration: {spark.sql.pipelines.execution.maxConcurrentFlows: "1"}\n`,
  "transformations/all.sql": [
    `CREATE TEMPORARY VIEW checked (CONSTRAINT named EXPECT (name <> '?'),
      CONSTRAINT counted EXPECT (amount IS NOT NULL) ON VIOLATION DROP ROW,
      CONSTRAINT positive EXPECT (id > 0) ON VIOLATION QUARANTINE ROW) AS SELECT * FROM STREAM ${READ}`,
    ...Object.entries(FLOWS).flatMap(([table, flow]) =>
      flow.startsWith("CREATE STREAMING") ? [flow] : [`CREATE STREAMING TABLE ${table}`, flow],
    ),
  ]
    .map((statement) => `${statement};\n`)
    .join(""),
};
const GOOD = "id,name,amount,seq\n1,a,1,1\n2,?,2,2\n";
// A row that is kept and fails, one that is dropped, one that is set aside for all that it would be dropped too.
const MIXED = "id,name,amount,seq\n2,b,5,3\n3,?,6,4\n4,d,,5\n-5,?,,6\n";

describe("rules of a view that change flows read", () => {
  let root: string;
  let server: SparkServer;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "ingot-spark-rules-"));
    mkdirSync(join(root, "log"));
    server = await startSparkServer({
      "spark.eventLog.enabled": "true",
      "spark.eventLog.dir": `file://${root}/log`,
      "spark.eventLog.compress": "false",
      "spark.eventLog.rolling.enabled": "false",
    });
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(root, { recursive: true, force: true });
  }, 30_000);

  async function run(cwd: string): Promise<{ code: number; events: readonly RunEvent[] }> {
    const { code, stdout } = await ingot(["run", "--json-stream", "--engine", "spark", "--remote", server.remote], {
      cwd,
    });
    const lines = stdout.trim().split("\n");
    return { code, events: lines.map((line) => JSON.parse(line) as RunEvent) };
  }

  /** What each flow tells of the rules: dropped, set aside; of each rule the rows that passed and that failed. */
  function quality(events: readonly RunEvent[]): unknown {
    return Object.fromEntries(
      events.flatMap(({ origin, details }) => {
        if (!("flow_progress" in details) || details.flow_progress.data_quality === undefined) return [];
        const { dropped_records, quarantined_records, expectations = [] } = details.flow_progress.data_quality;
        const told = expectations.map((rule) => `${rule.passed_records}/${rule.failed_records}`);
        return [[origin.flow_name?.split(".").at(-1), [dropped_records, quarantined_records, told.join(" ")]]];
      }),
    );
  }

  /** Statements so far that read the files. */
  function scans(): number {
    const lines = readdirSync(join(root, "log")).flatMap((name) =>
      readFileSync(join(root, "log", name), "utf8").split("\n"),
    );
    const found = lines.filter(
      (line) => line.includes("SparkListenerSQLExecutionStart") && /"nodeName":"Scan csv/.test(line),
    );
    return new Set(found.map((line) => /"rootExecutionId":(\d+)/.exec(line)?.[1])).size;
  }

  it("counts rows in the pass that reads them, and sets rows aside once", async () => {
    const cwd = writeProject(join(root, "counted"), { ...PROJECT, "landing/1.csv": GOOD });
    const flows = Object.keys(FLOWS);
    const first = await run(cwd);
    expect(first.code).toBe(0);
    expect(scans()).toBe(flows.length);
    const told = (...all: unknown[]) =>
      Object.fromEntries(["f1", "f2", "f3", "replaced", "added"].map((flow) => [flow, all]));
    expect(quality(first.events)).toEqual(told(0, 0, "1/1 2/0 2/0"));
    writeProject(cwd, { "landing/2.csv": MIXED });
    const second = await run(cwd);
    expect(second.code).toBe(0);
    // Rows that are set aside are read once more, to be written.
    expect(scans()).toBe(3 * flows.length);
    expect(quality(second.events)).toEqual(told(1, 1, "2/2 2/2 3/1"));
    expect(await texts(cwd, "SELECT * FROM latest ORDER BY id")).toEqual(["1 a 1 1", "2 b 5 3", "3 ? 6 4"]);
    expect(await texts(cwd, "SELECT * FROM filled ORDER BY id")).toEqual(["1 a 1 1", "2 b 5 3", "3 ? 6 4"]);
    expect(await texts(cwd, "SELECT * FROM history ORDER BY ALL")).toEqual([
      "1 a 1 1 1 null",
      "2 ? 2 2 2 3",
      "2 b 5 3 3 null",
      "3 ? 6 4 4 null",
    ]);
    expect(await texts(cwd, "SELECT * FROM replaced ORDER BY id")).toEqual(["1 a 1 1", "2 b 5 3", "3 ? 6 4"]);
    expect(await texts(cwd, "SELECT * FROM added ORDER BY ALL")).toEqual(["1 a", "2 ?", "2 b"]);
    expect(await texts(cwd, "SELECT id, name, amount, seq, count(*) FROM checked_quarantine GROUP BY ALL")).toEqual([
      `-5 ? null 6 ${flows.length}`,
    ]);
  }, 300_000);

  it("stops before anything is committed, and tells of the rule though the row fails the query above too", async () => {
    const sql = PROJECT["transformations/all.sql"]
      .replace("amount IS NOT NULL) ON VIOLATION DROP ROW", "try_cast(amount AS INT) > 0) ON VIOLATION FAIL UPDATE")
      .replace("INTO latest FROM STREAM(checked)", "INTO latest FROM STREAM(typed)");
    const typed =
      "CREATE TEMPORARY VIEW typed AS SELECT * EXCEPT (amount), CAST(amount AS INT) AS n FROM STREAM(checked);";
    const cwd = writeProject(join(root, "failing"), {
      ...PROJECT,
      "transformations/all.sql": sql + typed,
      "landing/1.csv": GOOD,
    });
    expect((await run(cwd)).code).toBe(0);
    const tables = Object.keys(FLOWS);
    const state = () => Promise.all(tables.map((table) => texts(cwd, `SELECT * FROM ${table} ORDER BY ALL`)));
    const before = await state();
    writeProject(cwd, { "landing/2.csv": "id,name,amount,seq\n1,z,7,7\n2,z,many,8\n-3,z,1,9\n" });
    const failed = await run(cwd);
    expect(failed.code).toBe(4);
    const told = failed.events.flatMap(({ error }) => (error === undefined ? [] : [`${error.code} ${error.message}`]));
    expect(
      new Set(told.filter((text) => text.includes("of 3 rows some fail the expectation `counted` (1)"))).size,
    ).toBeGreaterThan(0);
    expect(told.filter((text) => !text.startsWith("EXPECTATION_VIOLATION"))).toEqual([]);
    expect(await state()).toEqual(before);
    expect(readdirSync(join(cwd, "storage/warehouse/default"))).not.toContain("checked_quarantine");
    writeProject(cwd, { "landing/2.csv": "id,name,amount,seq\n1,z,7,7\n2,z,8,8\n-3,z,1,9\n" });
    const mended = await run(cwd);
    expect(mended.code).toBe(0);
    expect(await texts(cwd, "SELECT id, name, n FROM latest ORDER BY id")).toEqual(["1 z 7", "2 z 8"]);
    expect(await texts(cwd, "SELECT id, count(*) FROM checked_quarantine GROUP BY id")).toEqual([
      `-3 ${tables.length}`,
    ]);
  }, 300_000);
});
