import type { Field } from "../../../model/data-type.js";
import { ROW_SOURCES, sourceColumn } from "../../../model/quarantine.js";
import type { RowRules } from "../../../model/rule.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import type { BoundQuery, RuleCounts } from "../../engine.js";
import { checkedText, keptText, type OtherRows } from "./rule-text.js";

/** The rows of a query with rules, which were counted. */
export interface CheckedRows {
  readonly rules: RowRules;
  /** Of the query. */
  readonly columns: readonly Field[];
  /** Temporary table that holds the rows with the answers of the rules, quoted: those that fail, at least. */
  readonly table: string;
  /** SQL of all the rows with the answers: this table, or the query again. */
  readonly rows: string;
  /** SQL of the rows alone, where all of them pass and the query is read again: no rule need be asked once more. */
  readonly passing?: string;
  /** The rows say where they come from, in columns of `sourceColumn`. */
  readonly traced: boolean;
  readonly counts: RuleCounts;
}

/** By query: a view that a flow reads twice is checked once. */
export type Checks = ReadonlyMap<BoundQuery, CheckedRows>;

/**
 * The rows of a query that its rules let pass.
 *
 * @param text the query's own
 * @param references rows of the tables that rules refer to
 * @param checks undefined: nothing counts them, as in a query that stands alone
 * @param traced with the columns that say where they come from
 */
export function passingText(
  bound: BoundQuery,
  rules: RowRules,
  text: string,
  references: OtherRows["references"],
  checks: Checks | undefined,
  traced: boolean,
): string {
  const checked = checks?.get(bound);
  const names = [...bound.query.schema.map(({ name }) => name), ...(traced ? ROW_SOURCES.map(sourceColumn) : [])];
  if (checked?.passing !== undefined) return `SELECT ${names.map(quoteName).join(", ")} FROM ${checked.passing}`;
  return keptText(
    checked?.rows ?? `(${checkedText(text, rules, { existing: undefined, references })})`,
    rules.rules,
    names,
  );
}
