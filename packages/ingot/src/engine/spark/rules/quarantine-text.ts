import type { Field } from "../../../model/data-type.js";
import { quoteIdentifier } from "../../../model/name.js";
import {
  ATTEMPT_COLUMN,
  FLOW_COLUMN,
  keptSource,
  ownColumns,
  QUARANTINE_COLUMNS,
  RELEASED_COLUMN,
  ROW_SOURCES,
  SOURCE_TYPES,
  sourceColumn,
} from "../../../model/quarantine.js";
import type { RowRule } from "../../../model/rule.js";
import { quoteString } from "../../../sql/quote.js";
import type { RowOrigin } from "../../engine.js";
import { fails, isQuarantined } from "../../rules/rule-conditions.js";
import { columnList, timestampText, typeText } from "../spark-sql.js";
import type { RowsUnderRules } from "./check-rows.js";

/** Whether the rows come from a quarantine. */
export function isReleased({ columns }: Pick<RowsUnderRules, "columns">): boolean {
  return columns.some((column) => column.name === RELEASED_COLUMN);
}

/** The rows that rules set aside, as a quarantine has them; what is not there is NULL. */
export function asideText(
  { rules: { rules }, columns, text, traced }: RowsUnderRules,
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
    _attempt: isReleased({ columns }) ? `${ATTEMPT_COLUMN} + 1` : "1",
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

/**
 * Rows of a quarantine, in which those that were released say so.
 *
 * @param older SQL of the rows as they were, with the columns `schema`
 */
export function resolvedText(
  older: string,
  schema: readonly Field[],
  { text }: RowsUnderRules,
  { runId, at }: RowOrigin,
): string {
  const values: Readonly<Record<string, string>> = {
    _state: "'released'",
    _resolved_at: timestampText(at),
    _resolved_run: quoteString(runId),
  };
  const items = schema.map(({ name }) => {
    const [own, value] = [quoteIdentifier(name), values[name]];
    return value === undefined
      ? `older.${own}`
      : `CASE WHEN released.id IS NULL THEN older.${own} ELSE ${value} END AS ${own}`;
  });
  const released = `SELECT DISTINCT ${RELEASED_COLUMN} AS id FROM (${text})`;
  return `SELECT ${items.join(", ")} FROM (${older}) AS older LEFT JOIN (${released}) AS released ON released.id = older._quarantine_id`;
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
