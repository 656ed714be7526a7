import type { Field } from "../../../model/data-type.js";
import type { RowRule, RowRules } from "../../../model/rule.js";
import { duckdbType, quoteName } from "../../../sql/lower/lower-text.js";

// DuckDB's text around rules. The rows of a query with rules carry one BOOLEAN column a rule: whether they pass it.

/**
 * The rows of a query with the answer of each rule beside them. FALSE and NULL fail.
 *
 * @param existing rows that the table keeps beside these, for rules over the whole table; undefined for none
 */
export function checkedText(query: string, { rules, absent }: RowRules, existing?: string): string {
  const nulls = absent.map(({ name, type }) => `, NULL::${duckdbType(type)} AS ${quoteName(name)}`);
  const answers = rules.flatMap((rule, i) =>
    rule.keys === undefined ? [`, coalesce(${rule.condition}, false) AS ${answer(i)}`] : [],
  );
  const rows = `SELECT *${answers.join("")} FROM (SELECT *${nulls.join("")} FROM (${query}))`;
  const whole = rules.flatMap(({ keys }, i) =>
    keys === undefined ? [] : [`, ${isOnly(keys, rules, existing)} AS ${answer(i)}`],
  );
  const excluded = absent.length === 0 ? "*" : `* EXCLUDE (${columnsText(absent)})`;
  return whole.length === 0 && absent.length === 0
    ? rows
    : `SELECT ${excluded}${whole.join("")} FROM (${rows}) AS fresh`;
}

/** Whether no other row has the keys of this one. Rows that other rules leave out are no other rows; NULL is a value. */
function isOnly(keys: readonly string[], rules: readonly RowRule[], existing: string | undefined): string {
  const others = rules.map((rule) => (rule.keys === undefined ? rule : undefined));
  const goes = isKept(others);
  const columns = keys.map(quoteName);
  const once = `count(*) FILTER (${goes}) OVER (PARTITION BY ${columns.join(", ")}) = 1`;
  const same = columns.map((column) => `older.${column} IS NOT DISTINCT FROM fresh.${column}`).join(" AND ");
  const isNew = existing === undefined ? "" : ` AND NOT EXISTS (SELECT 1 FROM (${existing}) AS older WHERE ${same})`;
  return `(NOT (${goes}) OR (${once}${isNew}))`;
}

/** The rows that go on. @param checked relation of `checkedText` */
export function keptText(checked: string, rules: readonly RowRule[], columns: readonly string[]): string {
  return `SELECT ${columns.map(quoteName).join(", ")} FROM ${checked} WHERE ${isKept(rules)}`;
}

export function columnsText(columns: readonly Field[]): string {
  return columns.map(({ name }) => quoteName(name)).join(", ");
}

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

function answer(i: number): string {
  return quoteName(`__ingot_passes_${i}`);
}
