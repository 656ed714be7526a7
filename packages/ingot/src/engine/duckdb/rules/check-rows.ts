import type { DuckDBConnection } from "@duckdb/node-api";
import { IngotError } from "../../../model/error.js";
import type { RowRules } from "../../../model/rule.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import type { BoundQuery, RuleCounts } from "../../engine.js";
import { ownText, type RowSources } from "../relations.js";
import type { CheckedRows, Checks } from "./checked-rows.js";
import { refuseViolations } from "./expectation-violation.js";
import { checkedText, fails, failsAny, isDropped, isKept, isQuarantined } from "./rule-text.js";

/**
 * Evaluates the rules of a query and of the views below it, the lowest first, each over its rows once; what reads them
 * (`queryText`) finds the rows that pass. The temporary tables are the connection's: see `dropChecked`.
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
  const visit = async (query: BoundQuery): Promise<void> => {
    for (const input of query.inputs.values()) if (input.kind === "view") await visit(input.view);
    if (query.rules === undefined || checks.has(query)) return;
    const text = await ownText(query, { ...sources, checks });
    const table = quoteName(`checked_${checks.size}`);
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} AS ${checkedText(text, query.rules, existing)}`);
    const columns = query.query.schema;
    checks.set(query, { rules: query.rules, columns, table, counts: await count(connection, query.rules, table) });
  };
  await visit(bound);
  for (const checked of checks.values()) await refuseViolations(connection, checked);
  return checks;
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
