// The copy of bench/files.mjs on Spark with Delta.
import { startSpark } from "../test/interop/spark.js";

/** Seconds for each field of a CSV file as text into a Delta table. */
export async function copyOnSpark(path: string, table: string): Promise<{ wall_s: number }> {
  const spark = await startSpark("long");
  try {
    await spark.sql(`CREATE TEMPORARY VIEW f USING csv OPTIONS (path '${path}', header 'true', escape '"')`);
    const started = performance.now();
    await spark.sql(`CREATE TABLE delta.\`${table}\` USING delta AS SELECT * FROM f`);
    return { wall_s: Number(((performance.now() - started) / 1000).toFixed(2)) };
  } finally {
    await spark.stop();
  }
}
