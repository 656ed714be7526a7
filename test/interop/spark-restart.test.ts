import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ingot, rows, run, SPEC, texts, writeProject } from "../e2e/cli.js";
import { describeWith } from "./peer.js";
import { type SparkServer, startSparkServer } from "./spark-server.js";

const describe = await describeWith("spark");
const SHOP = fileURLToPath(new URL("../../examples/shop", import.meta.url));

describe("a Spark server that is killed while it writes", () => {
  it.each([
    ["bronze_orders", 0],
    ["bronze_orders", 3_000],
    ["orders", 1_000],
  ])(
    "%s, %i ms after the flow began: the next run makes the right tables",
    async (table, delay) => {
      const cwd = mkdtempSync(join(tmpdir(), "ingot-restart-"));
      let server: SparkServer = await startSparkServer();
      try {
        for (const part of ["transformations", "landing", "ingot.yml"]) {
          cpSync(join(SHOP, part), join(cwd, part), { recursive: true });
        }
        let killed: Promise<void> | undefined;
        const kill = (text: string) => {
          if (killed === undefined && isRunning(text, table)) killed = setTimeout(delay).then(() => server.kill());
        };
        const stdout = { write: kill, isTTY: false, columns: 120, rows: 40 };
        const args = ["run", "--engine", "spark", "--remote", server.remote];
        const { code, stderr } = await ingot([...args, "--json-stream"], { cwd, stdout });
        expect(killed).toBeDefined();
        await killed;
        expect(code, stderr).toBe(6);
        const left = join(cwd, "storage/_tmp/spark/rows-of-a-killed-run");
        mkdirSync(left, { recursive: true });
        server = await startSparkServer({}, server.port);
        const again = await ingot(args, { cwd });
        expect(again.code, again.stderr).toBe(0);
        expect(existsSync(left)).toBe(false);
        // The tutorial's rows after its third day.
        expect(await rows(cwd, "SELECT count(*) AS n, count(_bad) AS bad FROM bronze_orders")).toEqual([
          { n: "8", bad: "1" },
        ]);
        expect(await rows(cwd, "SELECT count(*) AS n FROM orders_quarantine")).toEqual([{ n: "1" }]);
        expect(await rows(cwd, "SELECT * FROM customer_spend ORDER BY customer_id")).toEqual([
          { customer_id: "C01", orders: "1", spend: "25.50" },
          { customer_id: "C02", orders: "1", spend: "12.00" },
          { customer_id: "C03", orders: "1", spend: "99.90" },
        ]);
      } finally {
        await server.kill();
        rmSync(cwd, { recursive: true, force: true });
      }
    },
    400_000,
  );

  it("between the commits of a state table and of its target: the next run applies the batch once", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "ingot-restart-"));
    const header = "id,name,op,seq\n";
    writeProject(cwd, {
      "ingot.yml": SPEC,
      "transformations/a.sql": `
        CREATE STREAMING TABLE changes AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
          schema => 'id INT, name STRING, op STRING, seq INT');
        CREATE STREAMING TABLE target;
        CREATE FLOW f AS AUTO CDC INTO target FROM STREAM(changes) KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq
          COLUMNS (id, name);`,
      "landing/1.csv": `${header}1,a,U,1\n2,b,U,1\n3,c,U,1\n`,
    });
    await run(cwd);
    writeProject(cwd, { "landing/2.csv": `${header}1,d,U,2\n2,,D,2\n3,late,U,0\n4,e,U,2\n` });
    const commits = (folder: string) =>
      readdirSync(join(cwd, folder, "_delta_log")).filter((name) => /^\d{20}\.json$/.test(name)).length;
    const [state, target] = ["storage/_cdc/spark_catalog/default/target/0", "storage/warehouse/default/target"];
    expect([commits(state), commits(target)]).toEqual([1, 1]);
    let server = await startSparkServer();
    const args = ["run", "--engine", "spark", "--remote", server.remote];
    try {
      let again: Promise<SparkServer> | undefined;
      // The server tells the commit only once it is there, and the target's is seconds behind it.
      const watcher = watch(join(cwd, state, "_delta_log"), (_, name) => {
        if (name === `${"1".padStart(20, "0")}.json`)
          again ??= server.kill().then(() => startSparkServer({}, server.port));
      });
      // The server that is there again knows nothing of the run.
      const { code, stderr } = await ingot(args, { cwd });
      watcher.close();
      expect(again).toBeDefined();
      server = (await again) ?? server;
      expect([code, commits(state), commits(target)], stderr).toEqual([6, 2, 1]);
      expect(stderr).toContain("INVALID_HANDLE.SESSION_CHANGED");
      writeProject(cwd, { "landing/3.csv": `${header}2,late,U,1\n4,f,U,3\n` });
      await run(cwd, ...args.slice(1));
      expect(await texts(cwd, "SELECT * FROM target ORDER BY id")).toEqual(["1 d", "3 c", "4 f"]);
    } finally {
      await server.kill();
      rmSync(cwd, { recursive: true, force: true });
    }
  }, 400_000);
});

/** Whether events say that a flow of a table is being run. */
function isRunning(text: string, table: string): boolean {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .some(
      ({ origin, details }) => origin?.dataset_name?.endsWith(table) && details?.flow_progress?.status === "RUNNING",
    );
}
