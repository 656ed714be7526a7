import type { Field } from "../../../model/data-type.js";
import {
  FLOW_COLUMN,
  keptSource,
  ownColumns,
  QUARANTINE_COLUMNS,
  ROW_SOURCES,
  SOURCE_TYPES,
  sourceColumn,
} from "../../../model/quarantine.js";
import type { RowRule } from "../../../model/rule.js";
import { quoteString } from "../../../sql/quote.js";
import type { RowOrigin } from "../../engine.js";
import { fails, isQuarantined } from "../../rules/rule-conditions.js";
import { columnList, timestampText, typeText } from "../spark-sql.js";
import type { CheckedRows } from "./check-rows.js";

/** The rows that rules set aside, as a quarantine has them; what is not there is NULL. */
export function asideText(
  { rules: { rules }, columns, text, traced }: CheckedRows,
  { flow, runId, at }: RowOrigin,
  batch: bigint,
): { readonly text: string; readonly columns: readonly Field[] } {
  const source = (name: (typeof ROW_SOURCES)[number]) =>
    traced ? sourceColumn(name) : `CAST(NULL AS ${typeText(SOURCE_TYPES[name])})`;
  const about: Readonly<Record<string, string>> = {
    _quarantine_id: "uuid()",
    _status: statusOf(rules),
    _failed_rules: failedRules(rules),
    ...Object.fromEntries(ROW_SOURCES.map((name) => [keptSource(name), source(name)])),
    [FLOW_COLUMN]: quoteString(flow),
    _batch: `${batch}L`,
    _attempt: "1",
    _run_id: quoteString(runId),
    quarantined_at: timestampText(at),
    _state: "'open'",
  };
  const own = ownColumns(columns);
  const beside = Object.entries(about).map(([column, value]) => `${value} AS ${column}`);
  return {
    text: `SELECT ${[columnList(own), ...beside].join(", ")} FROM (${text}) WHERE ${isQuarantined(rules)}`,
    columns: [...own, ...QUARANTINE_COLUMNS.filter(({ name }) => name in about)],
  };
}

/** Of the first rule, in their order, that sends the row here. */
function statusOf(rules: readonly RowRule[]): string {
  const cases = rules.flatMap((rule, i) =>
    rule.action === "quarantine" ? [`WHEN ${fails(i)} THEN ${quoteString(rule.status)}`] : [],
  );
  return `CASE ${cases.join(" ")} END`;
}

function failedRules(rules: readonly RowRule[]): string {
  const failed = rules.map(({ name, status, version }, i) => {
    const fields = Object.entries({ name, status, version }).map(([key, value]) => `'${key}', ${quoteString(value)}`);
    return `CASE WHEN ${fails(i)} THEN named_struct(${fields.join(", ")}) END`;
  });
  return `filter(array(${failed.join(", ")}), rule -> rule IS NOT NULL)`;
}
