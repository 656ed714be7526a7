import { IngotError } from "../../model/error.js";
import type { RowRules } from "../../model/rule.js";
import type { RuleCounts } from "../engine.js";
import { fails, failsAny, isDropped, isKept, isQuarantined } from "./rule-conditions.js";

/** Conditions over the answers of rules: how many rows each holds for, those of "true" first, is what `toRuleCounts` takes. */
export function countedConditions({ rules }: RowRules): string[] {
  const parts = [failsAny(rules), isDropped(rules), isQuarantined(rules), isKept(rules)];
  return ["true", ...parts, ...rules.map((_, i) => fails(i))];
}

/** A query that counts how rows fare, for `toRuleCounts`. @param table a relation of rows with the answers of the rules */
export function countText(rules: RowRules, table: string): string {
  const counts = countedConditions(rules).map((condition) => `count(*) FILTER (WHERE ${condition})`);
  return `SELECT ${counts.join(", ")} FROM ${table}`;
}

/** @param counts of `countedConditions`. @throws IngotError BALANCE */
export function toRuleCounts({ dataset, rules }: RowRules, counts: readonly number[]): RuleCounts {
  const [rows = 0, failed = 0, dropped = 0, quarantined = 0, kept = 0, ...failures] = counts;
  if (rows !== kept + dropped + quarantined)
    throw new IngotError(
      "BALANCE",
      `${dataset}: of ${rows} rows ${kept} passed the rules, ${dropped} were dropped and ${quarantined} quarantined`,
      { object: dataset, hint: "Nothing was committed. This is a fault of Ingot: please report it with the rules." },
    );
  return {
    dataset,
    rows,
    failed,
    dropped,
    quarantined,
    rules: rules.map(({ name }, i) => ({ name, failed: failures[i] ?? 0 })),
  };
}
