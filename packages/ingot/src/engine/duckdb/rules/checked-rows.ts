import type { Field } from "../../../model/data-type.js";
import type { RowRules } from "../../../model/rule.js";
import type { BoundQuery, RuleCounts } from "../../engine.js";
import { checkedText, keptText } from "./rule-text.js";

/** The rows of a query with rules, evaluated once. */
export interface CheckedRows {
  readonly rules: RowRules;
  /** Of the query. */
  readonly columns: readonly Field[];
  /** Temporary table that holds the rows with the answers of the rules, quoted. */
  readonly table: string;
  readonly counts: RuleCounts;
}

/** By query: a view that a flow reads twice is checked once. */
export type Checks = ReadonlyMap<BoundQuery, CheckedRows>;

/**
 * The rows of a query that its rules let pass.
 *
 * @param text the query's own
 * @param checks undefined: nothing counts them, as in a query that stands alone
 */
export function passingText(bound: BoundQuery, rules: RowRules, text: string, checks: Checks | undefined): string {
  const checked = checks?.get(bound);
  return keptText(checked?.table ?? `(${checkedText(text, rules)})`, rules.rules, bound.query.schema);
}
