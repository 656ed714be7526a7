import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { start } from "./child.js";
import { events, ingot, rows, temporaryFolder } from "./cli.js";

const EXAMPLE = fileURLToPath(new URL("../../examples/shop", import.meta.url));
const BRONZE =
  "SELECT order_id, customer_id, status, amount, updated_at, _bad, source_file FROM bronze_orders ORDER BY source_file, order_id";
const ORDERS = "SELECT * FROM orders ORDER BY order_id";
const SPEND = "SELECT * FROM customer_spend ORDER BY customer_id";

/** Expected rows are those of the tutorial, computed by hand. */
describe("the shop, day by day", () => {
  const folder = temporaryFolder();
  const deliver = (day: string) =>
    cpSync(join(EXAMPLE, "landing", `${day}.csv`), join(folder, "landing", `${day}.csv`));

  beforeAll(() => {
    cpSync(EXAMPLE, folder, { recursive: true });
    rmSync(join(folder, "storage"), { recursive: true, force: true });
    rmSync(join(folder, "landing"), { recursive: true });
    mkdirSync(join(folder, "landing"));
    deliver("2026-10-01");
    deliver("2026-10-02");
  });

  it("has three orders and two customers after two days, and keeps the line that does not fit", async () => {
    const { code, stdout, stderr } = await ingot(["run"], { cwd: folder });
    expect(stderr).toContain("Run is COMPLETED.");
    expect(code).toBe(0);
    expect(stdout).toMatch(/bronze_orders +COMPLETED +\+5 rows/);
    expect(await rows(folder, BRONZE)).toEqual([
      {
        order_id: "1001",
        customer_id: "C01",
        status: "placed",
        amount: "25.50",
        updated_at: "2026-10-01 09:15:00",
        _bad: null,
        source_file: "2026-10-01.csv",
      },
      {
        order_id: "1002",
        customer_id: "C02",
        status: "placed",
        amount: "12.00",
        updated_at: "2026-10-01 10:02:00",
        _bad: null,
        source_file: "2026-10-01.csv",
      },
      {
        order_id: "1003",
        customer_id: "C03",
        status: "placed",
        amount: null,
        updated_at: "2026-10-01 11:30:00",
        _bad: "1003,C03,placed,abc,2026-10-01 11:30:00",
        source_file: "2026-10-01.csv",
      },
      {
        order_id: "1001",
        customer_id: "C01",
        status: "shipped",
        amount: "25.50",
        updated_at: "2026-10-02 08:00:00",
        _bad: null,
        source_file: "2026-10-02.csv",
      },
      {
        order_id: "1004",
        customer_id: "C01",
        status: "placed",
        amount: "40.00",
        updated_at: "2026-10-02 12:45:00",
        _bad: null,
        source_file: "2026-10-02.csv",
      },
    ]);
    expect(await rows(folder, ORDERS)).toEqual([
      { order_id: "1001", customer_id: "C01", status: "shipped", amount: "25.50", updated_at: "2026-10-02 08:00:00" },
      { order_id: "1002", customer_id: "C02", status: "placed", amount: "12.00", updated_at: "2026-10-01 10:02:00" },
      { order_id: "1004", customer_id: "C01", status: "placed", amount: "40.00", updated_at: "2026-10-02 12:45:00" },
    ]);
    expect(await rows(folder, SPEND)).toEqual([
      { customer_id: "C01", orders: "2", spend: "65.50" },
      { customer_id: "C02", orders: "1", spend: "12.00" },
    ]);
  });

  it("tells types by Spark's names", async () => {
    const { stdout } = await ingot(["query", SPEND, "--json"], { cwd: folder });
    expect((JSON.parse(stdout) as { columns: unknown }).columns).toEqual([
      { name: "customer_id", type: "string" },
      { name: "orders", type: "bigint" },
      { name: "spend", type: "decimal(20,2)" },
    ]);
  });

  it("commits nothing when nothing is new", async () => {
    const before = commits(folder);
    const run = await events(folder);
    expect(run.code).toBe(0);
    expect(commits(folder)).toEqual(before);
    expect(run.events.at(-1)?.message).toBe("Run is COMPLETED.");
  });

  const afterThreeDays = async () => {
    expect(await rows(folder, "SELECT count(*) AS n FROM bronze_orders")).toEqual([{ n: "8" }]);
    expect(await rows(folder, "SELECT count(*) AS n FROM orders")).toEqual([{ n: "4" }]);
    expect(await rows(folder, SPEND)).toEqual([
      { customer_id: "C01", orders: "1", spend: "25.50" },
      { customer_id: "C02", orders: "1", spend: "12.00" },
      { customer_id: "C03", orders: "1", spend: "99.90" },
    ]);
  };

  it("reads only the third day's file, in Spark's order of events", async () => {
    deliver("2026-10-03");
    const run = await events(folder);
    const of = (table: string) =>
      run.events
        .filter((e) => e.event_type === "flow_progress" && e.origin.flow_name?.endsWith(`.${table}`))
        .map((e) => e.message.replace(/^Flow '?spark_catalog\.default\.\w+'? /, ""));
    expect(of("bronze_orders")).toEqual(["is QUEUED.", "is STARTING.", "is RUNNING.", "has COMPLETED."]);
    expect(of("orders")).toEqual(["is QUEUED.", "is PLANNING.", "is STARTING.", "is RUNNING.", "has COMPLETED."]);
    const done = run.events.find((e) => e.message === "Flow spark_catalog.default.bronze_orders has COMPLETED.");
    expect(done?.details).toMatchObject({
      flow_progress: {
        metrics: { num_input_files: 1, num_input_records: 3, num_output_rows: 3, num_corrupt_records: 0 },
      },
    });
    await afterThreeDays();
  });

  it("has the same rows after a full refresh, which starts the next checkpoint generation", async () => {
    expect((await ingot(["run", "--full-refresh-all"], { cwd: folder })).code).toBe(0);
    await afterThreeDays();
    expect(
      readdirSync(join(folder, "storage/_checkpoints/spark_catalog/default/bronze_orders/bronze_orders")).sort(),
    ).toEqual(["0", "1"]);
  });

  it("shows tables in Spark's boxes", async () => {
    const { stdout } = await ingot(["show", "customer_spend"], { cwd: folder });
    const box = stdout.slice(stdout.indexOf("+"));
    expect(box.trim().split("\n").sort()).toEqual(
      [
        "+-----------+------+-----+",
        "|customer_id|orders|spend|",
        "+-----------+------+-----+",
        "|        C01|     1|25.50|",
        "|        C02|     1|12.00|",
        "|        C03|     1|99.90|",
        "+-----------+------+-----+",
      ].sort(),
    );
  });

  it("reads an older version of a table by its folder, without a project", async () => {
    const path = join(folder, "storage/warehouse/default/customer_spend");
    const query = (asOf: string) => `SELECT customer_id FROM delta.\`${path}\` ${asOf} ORDER BY 1`;
    expect(await rows("/", query("VERSION AS OF 0"))).toEqual([{ customer_id: "C01" }, { customer_id: "C02" }]);
    expect(await rows("/", query(""))).toHaveLength(3);
  });
});

it("is built, and checked as a user would check it", async () => {
  const folder = temporaryFolder();
  cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !path.includes("/storage") });
  expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
  const check = () => start(process.execPath, [join(EXAMPLE, "check.mjs"), folder], folder).done;
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringMatching(/built, and checked\n$/) });
  rmSync(join(folder, "storage/warehouse/default/orders_quarantine"), { recursive: true });
  expect(await check()).not.toMatchObject({ code: 0 });
});

/** Commit files of all tables. */
function commits(folder: string): string[] {
  const warehouse = join(folder, "storage/warehouse");
  return readdirSync(warehouse, { recursive: true, encoding: "utf8" })
    .filter((path) => /_delta_log.*\.json$/.test(path))
    .sort();
}
