import { RESERVED_PREFIX } from "../../model/changes.js";
import type { RowRule } from "../../model/rule.js";

// SQL around rules that every engine reads alike. The rows of a query with rules carry one BOOLEAN column a rule.

/** Whether a row fails a rule. @param i place of the rule */
export function fails(i: number): string {
  return `NOT ${answer(i)}`;
}

/** @param rules by their places; undefined for one that is not looked at */
export function failsAny(rules: readonly (RowRule | undefined)[], ...actions: readonly RowRule["action"][]): string {
  const failing = rules.flatMap((rule, i) =>
    rule !== undefined && (actions.length === 0 || actions.includes(rule.action)) ? [fails(i)] : [],
  );
  return failing.length === 0 ? "false" : `(${failing.join(" OR ")})`;
}

/** A row that a rule would drop and another one would quarantine is kept in quarantine: nothing is lost. */
export function isDropped(rules: readonly RowRule[]): string {
  return `(${failsAny(rules, "drop")} AND NOT ${isQuarantined(rules)})`;
}

export function isQuarantined(rules: readonly RowRule[]): string {
  return failsAny(rules, "quarantine");
}

export function isKept(rules: readonly (RowRule | undefined)[]): string {
  return `NOT ${failsAny(rules, "drop", "quarantine")}`;
}

/** The column that says whether a row passes a rule. @param i place of the rule */
export function answer(i: number): string {
  return `${RESERVED_PREFIX}passes_${i}`;
}
