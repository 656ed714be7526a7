import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot } from "@ingot/delta";
import { RELEASED_COLUMN } from "../../../model/quarantine.js";
import type { RowRule, RowRules } from "../../../model/rule.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import type { BoundQuery, RuleCounts } from "../../engine.js";
import { refuseViolations } from "../../rules/expectation-violation.js";
import { failsAny } from "../../rules/rule-conditions.js";
import { countText, toRuleCounts } from "../../rules/rule-counts.js";
import { canBeReadAgain } from "../read-again.js";
import { ownText, type RowSources } from "../relations.js";
import type { CheckedRows, Checks } from "./checked-rows.js";
import { looksFar, nearRows, otherRows } from "./other-rows.js";
import { readExamples } from "./read-examples.js";
import { checkedText } from "./rule-text.js";
import { tracesRows } from "./source-columns.js";

/**
 * Evaluates the rules of a query and of the views below it, the lowest first; what reads them (`queryText`) finds the rows
 * that pass. All rows are kept in a temporary table, or, where the query can be read again, those alone that fail. The
 * tables are the connection's: see `dropChecked`.
 *
 * @param beside the step's table, where its rows stay
 * @throws IngotError EXPECTATION_VIOLATION, BALANCE
 */
export async function checkRows(
  connection: DuckDBConnection,
  bound: BoundQuery,
  sources: RowSources,
  beside: Snapshot | undefined,
): Promise<Checks> {
  const checks = new Map<BoundQuery, CheckedRows>();
  const quarantines = setsAside(bound);
  const visit = async (query: BoundQuery): Promise<void> => {
    for (const input of query.inputs.values()) if (input.kind === "view") await visit(input.view);
    if (query.rules === undefined || query.rules.rules.length === 0 || checks.has(query)) return;
    const traced = quarantines && tracesRows(query);
    const text = await ownText(query, { ...sources, checks }, traced);
    const table = quoteName(`checked_${checks.size}`);
    const around = { sources, beside: query === bound ? beside : undefined };
    const isAgain = isReadAgain(query);
    const isFar = await looksFar(query, around);
    if (isFar) await connection.run(`CREATE OR REPLACE TEMP TABLE ${FRESH} AS ${text}`);
    const checked = isFar
      ? checkedText(`FROM ${FRESH}`, query.rules, await nearRows(connection, FRESH, query, around))
      : checkedText(text, query.rules, await otherRows(query, around));
    const rows = isAgain ? `(${checked})` : table;
    if (!isAgain) await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} AS ${checked}`);
    if (isFar) await connection.run(`DROP TABLE ${FRESH}`);
    const counts = await count(connection, query.rules, rows);
    if (isAgain) {
      const fails = counts.failed === 0 ? "false" : failsAny(query.rules.rules);
      await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} AS FROM ${rows} WHERE ${fails}`);
    }
    const passing = isAgain && counts.dropped + counts.quarantined === 0 ? { passing: `(${text})` } : {};
    checks.set(query, { rules: query.rules, columns: query.query.schema, table, rows, ...passing, traced, counts });
  };
  await visit(bound);
  for (const checked of checks.values()) await refuseViolations(checked, readExamples(connection, checked));
  return checks;
}

/** Temporary table of the rows of a query before its rules. */
const FRESH = "ingot_fresh";

/** Whether a rule of the query, or of a view below it, sets rows aside: only there it is asked where rows come from. */
function setsAside({ rules, inputs }: BoundQuery): boolean {
  if (rules?.quarantine !== undefined) return true;
  return [...inputs.values()].some((input) => input.kind === "view" && setsAside(input.view));
}

/** Whether the rows that pass need not be kept. */
function isReadAgain(bound: BoundQuery): boolean {
  // Of rows that come out of a quarantine all are asked for.
  if (bound.query.schema.some(({ name }) => name === RELEASED_COLUMN)) return false;
  return bound.rules?.rules.every(isOfRowAlone) === true && canBeReadAgain(bound);
}

function isOfRowAlone({ keys, reference }: RowRule): boolean {
  return keys === undefined && reference === undefined;
}

/** Frees what the checks hold. */
export async function dropChecked(connection: DuckDBConnection, checks: Checks): Promise<void> {
  for (const { table } of checks.values()) await connection.run(`DROP TABLE IF EXISTS ${table}`);
}

async function count(connection: DuckDBConnection, rules: RowRules, table: string): Promise<RuleCounts> {
  const result = await connection.runAndReadAll(countText(rules, table));
  return toRuleCounts(rules, (result.getRows()[0] ?? []).map(Number));
}
