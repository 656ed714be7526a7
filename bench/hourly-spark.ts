// The steps of bench/hourly.mjs on Spark with Delta, with plain statements: append to bronze, checks, MERGE into silver.
import { startSpark } from "../test/interop/spark.js";
import { KEYS, SCHEMA } from "./sap-documents.js";
import { usage } from "./usage.js";

const PROPERTIES = "'delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true'";
const NAMES = SCHEMA.fields.map(({ name }) => name);
const TYPED: Readonly<Record<string, string>> = {
  DMBTR: "CAST(DMBTR AS DECIMAL(23,2)) AS DMBTR",
  BUDAT: "to_date(BUDAT, 'yyyyMMdd') AS BUDAT",
};
/** NULL counts as a violation. */
const GOOD = `coalesce(MANDT IS NOT NULL AND BUKRS IS NOT NULL AND BELNR IS NOT NULL
  AND try_cast(DMBTR AS DECIMAL(15,2)) IS NOT NULL AND try_to_date(BUDAT, 'yyyyMMdd') IS NOT NULL, false)`;

/** Seconds and memory of each batch; the Java process runs through, so its start is in none of them. */
export async function runOnSpark(
  folder: string,
  initial: readonly string[],
  batches: readonly string[],
): Promise<unknown[]> {
  const spark = await startSpark("long");
  const [bronze, silver, quarantine] = ["bronze", "silver", "quarantine"].map((name) => `delta.\`${folder}/${name}\``);
  const read = (file: string) => `parquet.\`${file}\``;
  const typed = (from: string) => `SELECT op, ${NAMES.map((name) => TYPED[name] ?? name).join(", ")} FROM ${from}`;
  try {
    const all = initial.map((file) => `SELECT * FROM ${read(file)}`).join(" UNION ALL ");
    await spark.sql(`CREATE TABLE ${bronze} USING delta TBLPROPERTIES (${PROPERTIES}) AS ${all}`);
    await spark.sql(
      `CREATE TABLE ${quarantine} USING delta AS SELECT *, current_timestamp() AS quarantined_at FROM ${bronze} WHERE NOT ${GOOD}`,
    );
    await spark.sql(
      `CREATE TABLE ${silver} USING delta CLUSTER BY (MANDT, BUKRS, GJAHR, BELNR) TBLPROPERTIES (${PROPERTIES})
       AS SELECT * EXCEPT (op) FROM (${typed(`(SELECT * FROM ${bronze} WHERE ${GOOD})`)})`,
    );
    const on = KEYS.map((key) => `t.${key} = s.${key}`).join(" AND ");
    const measured: unknown[] = [];
    for (const file of batches) {
      const before = usage();
      const started = performance.now();
      await spark.sql(`INSERT INTO ${bronze} SELECT * FROM ${read(file)}`);
      await spark.sql(
        `INSERT INTO ${quarantine} SELECT *, current_timestamp() AS quarantined_at FROM ${read(file)} WHERE NOT ${GOOD}`,
      );
      await spark.sql(
        `MERGE INTO ${silver} t USING (${typed(`(SELECT * FROM ${read(file)} WHERE ${GOOD})`)}) s ON ${on}
         WHEN MATCHED AND s.op = 'D' AND s.CHG_SEQ > t.CHG_SEQ THEN DELETE
         WHEN MATCHED AND s.CHG_SEQ >= t.CHG_SEQ THEN UPDATE SET ${NAMES.map((name) => `${name} = s.${name}`).join(", ")}
         WHEN NOT MATCHED AND s.op <> 'D' THEN INSERT (${NAMES.join(", ")}) VALUES (${NAMES.map((name) => `s.${name}`).join(", ")})`,
      );
      const after = usage();
      measured.push({
        wall_s: Number(((performance.now() - started) / 1000).toFixed(2)),
        cpu_s: Number((after.cpu - before.cpu).toFixed(2)),
        peak_mb: after.peak,
      });
    }
    return measured;
  } finally {
    await spark.stop();
  }
}
