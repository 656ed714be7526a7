import { IngotError } from "../../../model/error.js";
import type { RowRules } from "../../../model/rule.js";
import type { RuleCounts } from "../../engine.js";
import { countedConditions, toRuleCounts } from "../../rules/rule-counts.js";
import type { Observed } from "../connect/observed-metrics.js";
import { observe, type Relation } from "../connect/relations.js";

/**
 * The rows of a query under its rules, which are counted while they pass. Spark observes no aggregate with a FILTER.
 *
 * @param name of the observation
 */
export function observeRules(rules: RowRules, name: string, rows: Relation): Relation {
  const counts = countedConditions(rules).map((condition, i) => `count(CASE WHEN ${condition} THEN 1 END) AS n${i}`);
  return observe(rows, name, counts);
}

/**
 * What was observed of rows under their rules; undefined where nothing was, as of a query that Spark knew to give no row.
 *
 * @throws IngotError BALANCE
 */
export function observedCounts(rules: RowRules, name: string, observed: Observed): RuleCounts | undefined {
  const seen = observed[name];
  if (seen === undefined) return undefined;
  return toRuleCounts(
    rules,
    countedConditions(rules).map((_, i) => Number(seen[`n${i}`] ?? 0)),
  );
}

/**
 * The rows that passed are those that were written.
 *
 * @throws IngotError BALANCE
 */
export function requireWritten({ dataset, rows, dropped, quarantined }: RuleCounts, written: number): void {
  const passed = rows - dropped - quarantined;
  if (passed === written) return;
  throw new IngotError("BALANCE", `${dataset}: ${passed} rows passed the rules, and ${written} were written`, {
    object: dataset,
    hint: "Nothing was committed. This is a fault of Ingot: please report it with the rules.",
  });
}
