import type { Field } from "../../../model/data-type.js";
import { quoteIdentifier } from "../../../model/name.js";
import { ROW_SOURCES, sourceColumn } from "../../../model/quarantine.js";
import type { RowRule, RowRules } from "../../../model/rule.js";
import { answer, isKept } from "../../rules/rule-conditions.js";
import { columnList, projection } from "../spark-sql.js";

/** What rules look at, as SQL. */
export interface RuledRows {
  /** The query whose rows are to pass, and its columns. */
  readonly query: string;
  readonly columns: readonly Field[];
  /** It has those of `sourceColumn` too. */
  readonly traced: boolean;
  /** Rows that the table keeps beside them; undefined for none. */
  readonly existing: string | undefined;
  /** Rows of each table that a rule refers to, by the input. */
  readonly references: ReadonlyMap<string, string>;
}

/** The rows of a query with the answer of each rule beside them. FALSE and NULL fail. */
export function checkedText({ rules, absent }: RowRules, rows: RuledRows): string {
  const nulls = projection(absent, []).map((item) => `, ${item}`);
  const kept = [...columnItems(rows), ...absent.map(({ name }) => quoteIdentifier(name))];
  const ofRow = rules.map((rule, i) => (rule.keys === undefined ? `${passes(rule, rows)} AS ${answer(i)}` : undefined));
  const whole = rules.map(({ keys }, i) =>
    keys === undefined ? answer(i) : `${isOnly(keys, rules, rows)} AS ${answer(i)}`,
  );
  const answered = `SELECT ${[...kept, ...ofRow.filter((item) => item !== undefined)].join(", ")} FROM (SELECT *${nulls.join("")} FROM (${rows.query}))`;
  return `SELECT ${[...columnItems(rows), ...whole].join(", ")} FROM (${answered}) AS fresh`;
}

/** The rows that go on. @param checked a relation of all rows, as of `checkedText` */
export function keptText(rules: RowRules, rows: RuledRows, checked = `(${checkedText(rules, rows)})`): string {
  return `SELECT ${columnItems(rows).join(", ")} FROM ${checked} WHERE ${isKept(rules.rules)}`;
}

function columnItems({ columns, traced }: RuledRows): string[] {
  return [columnList(columns), ...(traced ? ROW_SOURCES.map(sourceColumn) : [])];
}

function passes({ spark, reference }: RowRule, { references }: RuledRows): string {
  if (reference === undefined) return `coalesce((${spark}), false)`;
  // As with FOREIGN KEY in SQL, a row with a NULL needs no counterpart.
  const isNull = reference.columns.map((column) => `${quoteIdentifier(column)} IS NULL`);
  const found = reference.others.map(({ column, as }) => `${quoteIdentifier(column)} AS ${quoteIdentifier(as)}`);
  const rows = `SELECT ${found.join(", ")} FROM (${references.get(reference.input)})`;
  return `(${isNull.join(" OR ")} OR EXISTS (SELECT 1 FROM (${rows}) WHERE ${spark}))`;
}

/** Whether no other row has the keys of this one. Rows that other rules leave out are no other rows; NULL is a value. */
function isOnly(keys: readonly string[], rules: readonly RowRule[], { existing }: RuledRows): string {
  const goes = isKept(rules.map((rule) => (rule.keys === undefined ? rule : undefined)));
  const columns = keys.map(quoteIdentifier);
  const once = `sum(CASE WHEN ${goes} THEN 1 ELSE 0 END) OVER (PARTITION BY ${columns.join(", ")}) = 1`;
  const same = columns.map((column) => `older.${column} <=> fresh.${column}`).join(" AND ");
  const isNew = existing === undefined ? "" : ` AND NOT EXISTS (SELECT 1 FROM (${existing}) AS older WHERE ${same})`;
  return `(NOT (${goes}) OR (${once}${isNew}))`;
}
