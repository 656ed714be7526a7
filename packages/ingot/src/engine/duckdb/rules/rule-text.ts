import type { Field } from "../../../model/data-type.js";
import type { RowRule, RowRules, RuleReference } from "../../../model/rule.js";
import { duckdbType, quoteName } from "../../../sql/lower/lower-text.js";
import { answer, isKept } from "../../rules/rule-conditions.js";

// DuckDB's text around rules: see `rules/rule-conditions.ts`.

/** Other rows that rules look at, as queries. */
export interface OtherRows {
  /** Those that the table keeps beside the rows of the query; undefined for none. */
  readonly existing: string | undefined;
  /** Of each table that a rule refers to, by the input. */
  readonly references: ReadonlyMap<string, string>;
}

/** The rows of a query with the answer of each rule beside them. FALSE and NULL fail. */
export function checkedText(query: string, { rules, absent }: RowRules, { existing, references }: OtherRows): string {
  const nulls = absent.map(({ name, type }) => `, NULL::${duckdbType(type)} AS ${quoteName(name)}`);
  const answers = rules.flatMap((rule, i) => {
    if (rule.keys !== undefined) return [];
    const passes =
      rule.reference === undefined
        ? `coalesce(${rule.condition}, false)`
        : refers(rule.condition, rule.reference, references);
    return [`, ${passes} AS ${answer(i)}`];
  });
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

/** Whether a row has a counterpart in another table. As with FOREIGN KEY in SQL, one with a NULL needs none. */
function refers(
  condition: string,
  { input, columns, others }: RuleReference,
  references: ReadonlyMap<string, string>,
): string {
  const isNull = columns.map((column) => `${quoteName(column)} IS NULL`);
  const found = others.map(({ column, as }) => `${quoteName(column)} AS ${quoteName(as)}`);
  const rows = `SELECT ${found.join(", ")} FROM (${references.get(input)})`;
  return `(${isNull.join(" OR ")} OR EXISTS (SELECT 1 FROM (${rows}) WHERE ${condition}))`;
}

/** The rows that go on. @param checked relation of `checkedText` */
export function keptText(checked: string, rules: readonly RowRule[], columns: readonly string[]): string {
  return `SELECT ${columns.map(quoteName).join(", ")} FROM ${checked} WHERE ${isKept(rules)}`;
}

export function columnsText(columns: readonly Field[]): string {
  return columns.map(({ name }) => quoteName(name)).join(", ");
}
