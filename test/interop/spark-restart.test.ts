import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ingot, rows } from "../e2e/cli.js";
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
        const watch = (text: string) => {
          if (killed === undefined && isRunning(text, table)) killed = setTimeout(delay).then(() => server.kill());
        };
        const stdout = { write: watch, isTTY: false, columns: 120, rows: 40 };
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
