import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { appendDelta, readDelta } from "./deltalake.js";
import { findDeltaTables, ingot } from "./ingot.js";
import { describeWith } from "./peer.js";
import { type Relation, sortRows, type Value } from "./relation.js";
import { writeDay } from "./shop-files.js";
import { type Spark, startSpark } from "./spark.js";
import { declareLanding, runShop, SHOP } from "./spark-tutorial.js";

const EXAMPLE = fileURLToPath(new URL("../../examples/shop", import.meta.url));
const TABLES = ["bronze_orders", "orders", "customer_spend"] as const;
type Shop = Record<(typeof TABLES)[number], Relation>;

/** Stands for every time of loading: no two runs share it. */
const LOADED = "a time";

function comparable(relation: Relation | undefined): Relation {
  if (relation === undefined) throw new Error("no such relation");
  const at = relation.columns.findIndex((column) => column.name === "loaded_at");
  const mask = (value: Value, i: number) => (i === at && value !== null ? LOADED : value);
  return { columns: relation.columns, rows: sortRows(relation.rows.map((row) => row.map(mask))) };
}

function columnsOf(relation: Relation): string[] {
  return relation.columns.map(({ name, type }) => `${name} ${type}`);
}

function deltaPath(folder: string | undefined): string {
  return `delta.\`${folder}\``;
}

const describeShop = await describeWith("spark", "deltalake");

describeShop("the tutorial's shop on Ingot and on Spark", () => {
  let folder: string;
  let project: string;
  let landing: string;
  let spark: Spark;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ingot-shop-"));
    project = join(folder, "shop");
    landing = join(project, "landing");
    await cp(EXAMPLE, project, { recursive: true });
    for (const made of ["landing", "storage"]) await rm(join(project, made), { recursive: true, force: true });
    await mkdir(landing);
    spark = await startSpark();
    await declareLanding(spark, landing);
  }, 120_000);

  afterAll(async () => {
    await spark?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 30_000);

  /** Runs both, compares all three tables by all readers, and answers with their content. */
  async function runBoth(fullRefresh: boolean): Promise<Shop> {
    await ingot("run", "--project", project, ...(fullRefresh ? ["--full-refresh-all"] : []));
    await runShop(spark, { fullRefresh });
    const folders = await ourTables();
    const byDeltaRs = await readDelta(...folders);
    const shop: Partial<Shop> = {};
    for (const [i, table] of TABLES.entries()) {
      const ofSpark = comparable(await spark.sql(`SELECT * FROM ${SHOP}.${table}`));
      const ours = comparable(await spark.sql(`SELECT * FROM ${deltaPath(folders[i])}`));
      expect(ours, `${table}, read by Spark`).toEqual(ofSpark);
      expect(comparable(byDeltaRs[i]), `${table}, read by delta-rs`).toEqual(ofSpark);
      shop[table] = ofSpark;
    }
    return shop as Shop;
  }

  async function ourTables(): Promise<string[]> {
    const found = await findDeltaTables(project);
    return TABLES.map((table) => {
      const path = found.get(table);
      if (path === undefined) throw new Error(`no Delta table ${table} below ${project}: ${[...found.keys()]}`);
      return path;
    });
  }

  /** A table folder as the product's command line gives it. */
  async function readByIngot(path: string): Promise<Relation> {
    const output = await ingot("query", `SELECT * FROM ${deltaPath(path)}`, "--project", project, "--json");
    const { columns, rows } = JSON.parse(output) as Pick<Relation, "columns"> & { rows: Record<string, Value>[] };
    return { columns, rows: sortRows(rows.map((row) => columns.map(({ name }) => row[name] ?? null))) };
  }

  it("has the tutorial's rows and types after two days", async () => {
    await writeDay(landing, "2026-10-01");
    await writeDay(landing, "2026-10-02");
    const shop = await runBoth(false);
    expect(columnsOf(shop.bronze_orders)).toEqual([
      "order_id bigint",
      "customer_id string",
      "status string",
      "amount decimal(10,2)",
      "updated_at timestamp",
      "_bad string",
      "source_file string",
      "loaded_at timestamp",
    ]);
    expect(shop.bronze_orders.rows).toHaveLength(5);
    expect(shop.bronze_orders.rows).toContainEqual([
      "1003",
      "C03",
      "placed",
      null,
      "2026-10-01 11:30:00",
      "1003,C03,placed,abc,2026-10-01 11:30:00",
      "2026-10-01.csv",
      LOADED,
    ]);
    expect(columnsOf(shop.orders)).toEqual([
      "order_id bigint",
      "customer_id string",
      "status string",
      "amount decimal(10,2)",
      "updated_at timestamp",
    ]);
    expect(shop.orders.rows).toEqual([
      ["1001", "C01", "shipped", "25.50", "2026-10-02 08:00:00"],
      ["1002", "C02", "placed", "12.00", "2026-10-01 10:02:00"],
      ["1004", "C01", "placed", "40.00", "2026-10-02 12:45:00"],
    ]);
    expect(columnsOf(shop.customer_spend)).toEqual(["customer_id string", "orders bigint", "spend decimal(20,2)"]);
    expect(shop.customer_spend.rows).toEqual([
      ["C01", "2", "65.50"],
      ["C02", "1", "12.00"],
    ]);
  }, 120_000);

  const THIRD_DAY = [
    ["C01", "1", "25.50"],
    ["C02", "1", "12.00"],
    ["C03", "1", "99.90"],
  ];

  it("takes the third day in", async () => {
    await writeDay(landing, "2026-10-03");
    const shop = await runBoth(false);
    expect(shop.bronze_orders.rows).toHaveLength(8);
    expect(shop.customer_spend.rows).toEqual(THIRD_DAY);
  }, 60_000);

  it("has the same after a full refresh of all", async () => {
    const shop = await runBoth(true);
    expect(shop.bronze_orders.rows).toHaveLength(8);
    expect(shop.customer_spend.rows).toEqual(THIRD_DAY);
  }, 60_000);

  it("keeps what rules set aside, and the event log, where Spark reads them", async () => {
    const found = await findDeltaTables(project);
    const aside = await spark.sql(
      `SELECT order_id, _bad, _status, _attempt, _state FROM ${deltaPath(found.get("orders_quarantine"))}`,
    );
    expect(aside.rows).toEqual([["1003", "1003,C03,placed,abc,2026-10-01 11:30:00", "MALFORMED_AMOUNT", 1, "open"]]);
    const results = "array<struct<name:string,passed_records:bigint,failed_records:bigint>>";
    const counted = await spark.sql(
      `SELECT e.name, max(e.passed_records), max(e.failed_records) FROM (
        SELECT explode(from_json(get_json_object(details, '$.flow_progress.data_quality.expectations'), '${results}')) e
        FROM ${deltaPath(found.get("event_log"))} WHERE event_type = 'flow_progress') GROUP BY 1 ORDER BY 1`,
    );
    expect(counted.rows).toEqual([
      ["known_status", "8", "0"],
      ["readable", "7", "1"],
    ]);
  }, 60_000);

  it("reads on after Spark and delta-rs appended to its table", async () => {
    const [, orders] = await ourTables();
    const copy = join(folder, "orders");
    await cp(orders ?? "", copy, { recursive: true });
    const { columns, rows } = await spark.sql(`SELECT * FROM ${deltaPath(copy)}`);
    await spark.sql(
      `INSERT INTO ${deltaPath(copy)} VALUES (2001, 'C21', 'é', 0.05, TIMESTAMP '2026-10-04 00:00:00.5')`,
    );
    const ofDeltaRs = ["2002", "C22", null, "-99999999.99", "1969-12-31 23:59:59.999999"];
    await appendDelta(copy, [ofDeltaRs]);
    const ofSpark = ["2001", "C21", "é", "0.05", "2026-10-04 00:00:00.5"];
    expect(await readByIngot(copy)).toEqual({ columns, rows: sortRows([...rows, ofSpark, ofDeltaRs]) });
  }, 60_000);

  it("reads what Spark's pipeline wrote", async () => {
    for (const table of TABLES) {
      const detail = await spark.sql(`DESCRIBE DETAIL ${SHOP}.${table}`);
      const location = detail.rows[0]?.[detail.columns.findIndex((column) => column.name === "location")];
      const { columns, rows } = await spark.sql(`SELECT * FROM ${SHOP}.${table}`);
      expect(await readByIngot(fileURLToPath(String(location))), table).toEqual({ columns, rows: sortRows(rows) });
    }
  }, 60_000);
});
