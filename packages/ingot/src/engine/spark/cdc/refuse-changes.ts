import type { ChangeRules } from "../../../model/changes.js";
import { notOnSpark } from "../not-supported.js";

/**
 * Refuses change flows that Spark does not apply yet.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED
 */
export function refuseChanges(rules: ChangeRules, object: string): void {
  const refuse = (what: string) => notOnSpark(what, "Run the pipeline on DuckDB.", object);
  if (rules.listable !== undefined) throw refuse("COLUMNS TO UPDATE");
}
