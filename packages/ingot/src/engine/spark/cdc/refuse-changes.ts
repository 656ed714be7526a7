import type { ChangeRules } from "../../../model/changes.js";
import { notOnSpark } from "../not-supported.js";

/**
 * Refuses change flows that Spark does not apply yet.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED
 */
export function refuseChanges(rules: ChangeRules, object: string): void {
  const refuse = (what: string) => notOnSpark(what, "Run the pipeline on DuckDB.", object);
  if (rules.replace !== undefined) throw refuse("A replace flow");
  if (rules.snapshot !== undefined) throw refuse("AUTO CDC FROM SNAPSHOT");
  if (rules.storedAs === "scd2") throw refuse("AUTO CDC with STORED AS SCD TYPE 2");
  if (rules.truncates) throw refuse("APPLY AS TRUNCATE WHEN");
  if (rules.ignoreNulls.length > 0) throw refuse("IGNORE NULL UPDATES");
}
