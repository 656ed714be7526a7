// The merges of bench/delta-merge.mjs on Spark with Delta.
import { startSpark } from "../test/interop/spark.js";
import { KEYS, SCHEMA } from "./sap-documents.js";
import { usage } from "./usage.js";

/** Merges batches into a table of these Parquet files; seconds and memory of the whole Java process. */
export async function mergeOnSpark(
  table: string,
  data: readonly string[],
  batches: readonly string[],
  feed: boolean,
): Promise<unknown[]> {
  const spark = await startSpark("long");
  try {
    const properties = `'delta.enableDeletionVectors' = 'true', 'delta.enableRowTracking' = 'true', 'delta.enableChangeDataFeed' = '${feed}'`;
    const files = data.map((file) => `SELECT * FROM parquet.\`${file}\``).join(" UNION ALL ");
    await spark.sql(`CREATE TABLE delta.\`${table}\` USING delta TBLPROPERTIES (${properties}) AS ${files}`);
    const names = SCHEMA.fields.map(({ name }) => name);
    const on = KEYS.map((key) => `t.${key} = s.${key}`).join(" AND ");
    const merges: unknown[] = [];
    for (const batch of batches) {
      const before = usage();
      const started = performance.now();
      await spark.sql(
        `MERGE INTO delta.\`${table}\` t USING parquet.\`${batch}\` s ON ${on}
         WHEN MATCHED AND s.op = 'D' THEN DELETE
         WHEN MATCHED THEN UPDATE SET ${names.map((name) => `${name} = s.${name}`).join(", ")}
         WHEN NOT MATCHED AND s.op <> 'D' THEN INSERT (${names.join(", ")}) VALUES (${names.map((name) => `s.${name}`).join(", ")})`,
      );
      const wall = (performance.now() - started) / 1000;
      const after = usage();
      merges.push({
        wall_s: Number(wall.toFixed(2)),
        cpu_s: Number((after.cpu - before.cpu).toFixed(2)),
        peak_mib: after.peak,
      });
    }
    return merges;
  } finally {
    await spark.stop();
  }
}
