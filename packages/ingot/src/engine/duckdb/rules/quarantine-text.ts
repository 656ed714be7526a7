import type { Field } from "../../../model/data-type.js";
import {
  ATTEMPT_COLUMN,
  FLOW_COLUMN,
  keptSource,
  ownColumns,
  QUARANTINE_COLUMNS,
  RELEASED_COLUMN,
  ROW_SOURCES,
  sourceColumn,
} from "../../../model/quarantine.js";
import type { RowRule } from "../../../model/rule.js";
import { quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import type { RowOrigin } from "../../engine.js";
import { fails, isQuarantined } from "../../rules/rule-conditions.js";
import type { CheckedRows } from "./checked-rows.js";
import { columnsText } from "./rule-text.js";
import { nullOf } from "./source-columns.js";

/** Whether the rows come from a quarantine. */
export function isReleased({ columns }: CheckedRows): boolean {
  return columns.some((column) => column.name === RELEASED_COLUMN);
}

/** The rows that rules set aside, as a quarantine has them; what is not there is NULL. */
export function asideText(
  checked: CheckedRows,
  { flow, runId, at }: RowOrigin,
  batch: bigint,
): { readonly text: string; readonly columns: readonly Field[] } {
  const { rules } = checked.rules;
  const about: Readonly<Record<string, string>> = {
    _quarantine_id: "uuid()::VARCHAR",
    _status: statusOf(rules),
    _failed_rules: failedRules(rules),
    ...Object.fromEntries(
      ROW_SOURCES.map((source) => [
        keptSource(source),
        checked.traced ? quoteName(sourceColumn(source)) : nullOf(source),
      ]),
    ),
    [FLOW_COLUMN]: quoteText(flow),
    _batch: `${batch}::BIGINT`,
    _attempt: isReleased(checked) ? `${ATTEMPT_COLUMN} + 1` : "1",
    _run_id: quoteText(runId),
    quarantined_at: `TIMESTAMPTZ ${quoteText(at)}`,
    _state: "'open'",
  };
  const columns = ownColumns(checked.columns);
  const beside = Object.entries(about).map(([column, value]) => `${value} AS ${quoteName(column)}`);
  return {
    text: `SELECT ${columnsText(columns)}, ${beside.join(", ")} FROM ${checked.table} WHERE ${isQuarantined(rules)}`,
    columns: [...columns, ...QUARANTINE_COLUMNS.filter((column) => column.name in about)],
  };
}

/** Rows of a quarantine, in which those that were released say so. @param older the rows as they were */
export function resolvedText(older: string, checked: CheckedRows, { runId, at }: RowOrigin): string {
  const values = {
    _state: "'released'",
    _resolved_at: `TIMESTAMPTZ ${quoteText(at)}`,
    _resolved_run: quoteText(runId),
  };
  const isOne = `_quarantine_id IN (SELECT ${RELEASED_COLUMN} FROM ${checked.table})`;
  const replaced = Object.entries(values).map(
    ([column, value]) => `CASE WHEN ${isOne} THEN ${value} ELSE ${column} END AS ${column}`,
  );
  return `SELECT * REPLACE (${replaced.join(", ")}) FROM (${older})`;
}

/** Of the first rule, in their order, that sends the row here. */
function statusOf(rules: readonly RowRule[]): string {
  const cases = rules.flatMap((rule, i) =>
    rule.action === "quarantine" ? [`WHEN ${fails(i)} THEN ${quoteText(rule.status)}`] : [],
  );
  return `CASE ${cases.join(" ")} END`;
}

function failedRules(rules: readonly RowRule[]): string {
  const failed = rules.map(({ name, status, version }, i) => {
    const fields = Object.entries({ name, status, version }).map(([key, value]) => `${key}: ${quoteText(value)}`);
    return `CASE WHEN ${fails(i)} THEN {${fields.join(", ")}} END`;
  });
  return `list_filter([${failed.join(", ")}], lambda rule: rule IS NOT NULL)`;
}
