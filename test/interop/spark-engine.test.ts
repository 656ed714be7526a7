import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findDeltaTables, ingot } from "./ingot.js";
import { describeWith } from "./peer.js";
import { type Relation, sortRows, type Value } from "./relation.js";
import { type Day, writeDay } from "./shop-files.js";
import { type SparkServer, startSparkServer } from "./spark-server.js";

const EXAMPLE = fileURLToPath(new URL("../../examples/shop", import.meta.url));

const describeSpark = await describeWith("spark");

describeSpark("the shop run by Spark, beside DuckDB", () => {
  let folder: string;
  let server: SparkServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ingot-spark-engine-"));
    for (const engine of ["spark", "duckdb"]) {
      await cp(EXAMPLE, join(folder, engine), { recursive: true });
      for (const made of ["landing", "storage"]) await rm(join(folder, engine, made), { recursive: true, force: true });
      await mkdir(join(folder, engine, "landing"));
    }
    server = await startSparkServer();
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 30_000);

  async function runBoth(...options: string[]): Promise<void> {
    await ingot("run", "--project", join(folder, "duckdb"), ...options);
    await ingot("run", "--project", join(folder, "spark"), "--engine", "spark", "--remote", server.remote, ...options);
  }

  async function deliver(day: Day): Promise<void> {
    for (const engine of ["spark", "duckdb"]) await writeDay(join(folder, engine, "landing"), day);
  }

  /** A table that an engine wrote, as DuckDB reads it; times of loading and ids are masked. */
  async function read(engine: string, table: string): Promise<Relation> {
    const path = (await findDeltaTables(join(folder, engine))).get(table);
    const project = join(folder, "duckdb");
    const output = await ingot("query", `SELECT * FROM delta.\`${path}\``, "--project", project, "--json");
    const { columns, rows } = JSON.parse(output) as Pick<Relation, "columns"> & { rows: Record<string, Value>[] };
    const masked = new Set(["loaded_at", "_quarantine_id", "_run_id", "quarantined_at", "_source_row"]);
    const values = rows.map((row) =>
      columns.map(({ name }) => {
        const value = row[name] ?? null;
        if (masked.has(name)) return "masked";
        return typeof value === "string" ? value.replaceAll(`/${engine}/`, "/") : value;
      }),
    );
    return { columns, rows: sortRows(values) };
  }

  async function expectEqual(): Promise<void> {
    for (const table of ["bronze_orders", "orders", "orders_quarantine", "customer_spend"])
      expect(await read("spark", table), table).toEqual(await read("duckdb", table));
  }

  it("has the tutorial's rows after two days", async () => {
    await deliver("2026-10-01");
    await deliver("2026-10-02");
    await runBoth();
    await expectEqual();
    expect((await read("spark", "customer_spend")).rows).toEqual([
      ["C01", "2", "65.50"],
      ["C02", "1", "12.00"],
    ]);
  }, 120_000);

  it("takes the third day in", async () => {
    await deliver("2026-10-03");
    await runBoth();
    await expectEqual();
    expect((await read("spark", "customer_spend")).rows).toEqual([
      ["C01", "1", "25.50"],
      ["C02", "1", "12.00"],
      ["C03", "1", "99.90"],
    ]);
  }, 120_000);

  it("has the same after a full refresh of all", async () => {
    await runBoth("--full-refresh-all");
    await expectEqual();
    expect((await read("spark", "bronze_orders")).rows).toHaveLength(8);
  }, 120_000);
});
