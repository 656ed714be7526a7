import { IngotError } from "../../../model/error.js";
import type { RowRules } from "../../../model/rule.js";
import type { RuleCounts } from "../../engine.js";
import { countedConditions, toRuleCounts } from "../../rules/rule-counts.js";
import type { Observed } from "../connect/observed-metrics.js";
import { observe, type Relation } from "../connect/relations.js";

/** Name of the observation. */
const RULES = "rules";

/** The rows of a query under its rules, which are counted while they pass. Spark observes no aggregate with a FILTER. */
export function observeRules(rules: RowRules, rows: Relation): Relation {
  const counts = countedConditions(rules).map((condition, i) => `count(CASE WHEN ${condition} THEN 1 END) AS n${i}`);
  return observe(rows, RULES, counts);
}

/**
 * What was observed of rows, of which those that passed are written.
 *
 * @param written how many
 * @throws IngotError BALANCE
 */
export function observedCounts(rules: RowRules, observed: Observed, written: number): RuleCounts {
  const seen = observed[RULES] ?? {};
  const counts = toRuleCounts(
    rules,
    countedConditions(rules).map((_, i) => Number(seen[`n${i}`] ?? 0)),
  );
  const passed = counts.rows - counts.dropped - counts.quarantined;
  if (passed === written) return counts;
  throw new IngotError("BALANCE", `${rules.dataset}: ${passed} rows passed the rules, and ${written} were written`, {
    object: rules.dataset,
    hint: "Nothing was committed. This is a fault of Ingot: please report it with the rules.",
  });
}
