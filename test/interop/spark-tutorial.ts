import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeDay } from "./shop-files.js";
import { type Spark, startSpark } from "./spark.js";

/** Schema of the tutorial's tables in Spark's catalog. */
export const SHOP = "shop";

/** The tutorial for Spark's own pipelines. Spark 4.2's SQL has no read_files: a CSV table stands for the landing folder. */
const FILES = {
  "bronze.sql": `
    CREATE STREAMING TABLE bronze_orders AS
    SELECT *, _metadata.file_name AS source_file, current_timestamp() AS loaded_at
    FROM STREAM landing;`,
  "silver.sql": `
    CREATE MATERIALIZED VIEW orders AS
    SELECT order_id, order.*
    FROM (
      SELECT order_id, max_by(struct(customer_id, status, amount, updated_at), updated_at) AS order
      FROM bronze_orders
      WHERE _bad IS NULL
      GROUP BY order_id);`,
  "gold.sql": `
    CREATE MATERIALIZED VIEW customer_spend AS
    SELECT customer_id, count(*) AS orders, sum(amount) AS spend
    FROM orders
    WHERE status != 'cancelled'
    GROUP BY customer_id;`,
};

/** Declares the landing folder to a Spark; once before the first {@link runShop}. */
export async function declareLanding(spark: Spark, landing: string): Promise<void> {
  const path = landing.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  await spark.sql(`CREATE SCHEMA ${SHOP}`);
  await spark.sql(`
    CREATE TABLE ${SHOP}.landing (
      order_id BIGINT, customer_id STRING, status STRING, amount DECIMAL(10,2), updated_at TIMESTAMP, _bad STRING)
    USING csv
    OPTIONS (header 'true', enforceSchema 'false', columnNameOfCorruptRecord '_bad', path '${path}')`);
}

/** Runs the tutorial by Spark Declarative Pipelines; answers with the run's messages. */
export function runShop(spark: Spark, options: { readonly fullRefresh: boolean }): Promise<string[]> {
  return spark.run({ files: FILES, schema: SHOP, fullRefresh: options.fullRefresh });
}

export interface TutorialTime {
  readonly engine: string;
  /** From the start of the process to its end. */
  readonly wall_ms: number;
  /** Of these, the pipeline's run. */
  readonly run_ms: number;
}

/**
 * The tutorial's first run (2 files, 5 lines, 3 tables) by Spark in a fresh process, without the Python client that
 * `spark-pipelines run` would start besides.
 */
export async function timeTutorialOnSpark(): Promise<TutorialTime> {
  const folder = await mkdtemp(join(tmpdir(), "ingot-tutorial-"));
  try {
    const landing = join(folder, "landing");
    await mkdir(landing);
    await writeDay(landing, "2026-10-01");
    await writeDay(landing, "2026-10-02");
    const start = performance.now();
    const run_ms = await runOnce(landing);
    return { engine: "Spark 4.2.0, Delta 4.4.0, local[2]", wall_ms: since(start), run_ms };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runOnce(landing: string): Promise<number> {
  const spark = await startSpark();
  try {
    await declareLanding(spark, landing);
    const start = performance.now();
    await runShop(spark, { fullRefresh: false });
    return since(start);
  } finally {
    await spark.stop();
  }
}

function since(start: number): number {
  return Math.round(performance.now() - start);
}
