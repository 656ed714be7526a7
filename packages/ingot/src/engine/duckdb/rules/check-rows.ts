import type { DuckDBConnection } from "@duckdb/node-api";
import { IngotError } from "../../../model/error.js";
import { RELEASED_COLUMN } from "../../../model/quarantine.js";
import type { RowRules } from "../../../model/rule.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import type { BoundQuery, RuleCounts } from "../../engine.js";
import { canBeReadAgain } from "../read-again.js";
import { ownText, type RowSources } from "../relations.js";
import type { CheckedRows, Checks } from "./checked-rows.js";
import { refuseViolations } from "./expectation-violation.js";
import { checkedText, fails, failsAny, isDropped, isKept, isQuarantined } from "./rule-text.js";
import { tracesRows } from "./source-columns.js";

/**
 * Evaluates the rules of a query and of the views below it, the lowest first; what reads them (`queryText`) finds the rows
 * that pass. All rows are kept in a temporary table, or, where the query can be read again, those alone that fail. The
 * tables are the connection's: see `dropChecked`.
 *
 * @param existing the rows that the step's table keeps, as a query; undefined for none
 * @throws IngotError EXPECTATION_VIOLATION, BALANCE
 */
export async function checkRows(
  connection: DuckDBConnection,
  bound: BoundQuery,
  sources: RowSources,
  existing: string | undefined,
): Promise<Checks> {
  const checks = new Map<BoundQuery, CheckedRows>();
  const quarantines = setsAside(bound);
  const visit = async (query: BoundQuery): Promise<void> => {
    for (const input of query.inputs.values()) if (input.kind === "view") await visit(input.view);
    if (query.rules === undefined || checks.has(query)) return;
    const traced = quarantines && tracesRows(query);
    const text = await ownText(query, { ...sources, checks }, traced);
    const table = quoteName(`checked_${checks.size}`);
    const checked = checkedText(text, query.rules, existing);
    const isAgain = isReadAgain(query);
    const rows = isAgain ? `(${checked})` : table;
    if (!isAgain) await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} AS ${checked}`);
    const counts = await count(connection, query.rules, rows);
    if (isAgain) {
      const fails = counts.failed === 0 ? "false" : failsAny(query.rules.rules);
      await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} AS FROM ${rows} WHERE ${fails}`);
    }
    checks.set(query, { rules: query.rules, columns: query.query.schema, table, rows, traced, counts });
  };
  await visit(bound);
  for (const checked of checks.values()) await refuseViolations(connection, checked);
  return checks;
}

/** Whether a rule of the query, or of a view below it, sets rows aside: only there it is asked where rows come from. */
function setsAside({ rules, inputs }: BoundQuery): boolean {
  if (rules?.quarantine !== undefined) return true;
  return [...inputs.values()].some((input) => input.kind === "view" && setsAside(input.view));
}

/** Whether the rows that pass need not be kept. */
function isReadAgain(bound: BoundQuery): boolean {
  // Of rows that come out of a quarantine all are asked for.
  if (bound.query.schema.some(({ name }) => name === RELEASED_COLUMN)) return false;
  return bound.rules?.rules.every(({ keys }) => keys === undefined) === true && canBeReadAgain(bound);
}

/** Frees what the checks hold. */
export async function dropChecked(connection: DuckDBConnection, checks: Checks): Promise<void> {
  for (const { table } of checks.values()) await connection.run(`DROP TABLE IF EXISTS ${table}`);
}

async function count(connection: DuckDBConnection, { dataset, rules }: RowRules, table: string): Promise<RuleCounts> {
  const wanted = [
    failsAny(rules),
    isDropped(rules),
    isQuarantined(rules),
    isKept(rules),
    ...rules.map((_, i) => fails(i)),
  ];
  const filters = wanted.map((condition) => `count(*) FILTER (${condition})`);
  const result = await connection.runAndReadAll(`SELECT count(*), ${filters.join(", ")} FROM ${table}`);
  const [rows = 0, failed = 0, dropped = 0, quarantined = 0, kept = 0, ...failures] = (result.getRows()[0] ?? []).map(
    Number,
  );
  if (rows !== kept + dropped + quarantined)
    throw new IngotError(
      "BALANCE",
      `${dataset}: of ${rows} rows ${kept} passed the rules, ${dropped} were dropped and ${quarantined} quarantined`,
      { object: dataset, hint: "Nothing was committed. This is a fault of Ingot: please report it with the rules." },
    );
  return {
    dataset,
    rows,
    failed,
    dropped,
    quarantined,
    rules: rules.map(({ name }, i) => ({ name, failed: failures[i] ?? 0 })),
  };
}
