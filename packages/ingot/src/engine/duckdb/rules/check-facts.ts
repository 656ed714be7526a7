import type { DuckDBConnection } from "@duckdb/node-api";
import type { PlannedDefinition } from "@ingot/delta";
import type { RowRules } from "../../../model/rule.js";
import { type FactCheck, freshSince } from "../../../model/table-fact.js";
import { quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { checkFacts as checkAll, type NewestValue, type TableStep } from "../../rules/check-facts.js";
import type { WrittenFile } from "../delta/write-files.js";
import { greatestValues, rowsOf } from "../part-result.js";
import { scan } from "../relations.js";

/** The rows that a step adds, before they are committed. */
export interface NewRows {
  readonly rows: number;
  /** SQL of one column, `newest`: the newest value of a column of them, or NULL. */
  newest(column: string): string;
}

/**
 * Looks whether a table is after a step as its expectations say.
 *
 * @throws IngotError EXPECTATION_VIOLATION
 */
export function checkFacts(
  connection: DuckDBConnection,
  rules: RowRules,
  step: TableStep,
  added: NewRows,
): Promise<FactCheck[]> {
  return checkAll(rules, step, {
    rows: added.rows,
    newest: async (fact, among) => {
      const { name } = fact.column;
      const parts = [added.newest(name)];
      if (among === "all" && step.snapshot !== undefined)
        parts.push(
          `SELECT max(${quoteName(name)})::TIMESTAMPTZ AS newest FROM (${await scan(step.store, step.snapshot)})`,
        );
      return look(connection, parts.join(" UNION ALL "), freshSince(fact, step.planned));
    },
  });
}

async function look(connection: DuckDBConnection, values: string, since: string): Promise<NewestValue> {
  const newest = `SELECT max(newest)::TIMESTAMPTZ AS newest FROM (${values})`;
  const query = `SELECT newest >= TIMESTAMPTZ ${quoteText(since)}, newest::VARCHAR FROM (${newest})`;
  const [[isFresh, text] = []] = (await connection.runAndReadAll(query)).getRows();
  return { isFresh: isFresh === true, text: typeof text === "string" ? text : undefined };
}

/** Files that were staged. */
export function stagedRows(plan: PlannedDefinition, files: readonly WrittenFile[]): NewRows {
  return {
    rows: rowsOf(files),
    newest: (column) => {
      const values = ["NULL", ...greatestValues(plan, files, column).map(quoteText)];
      return `SELECT max(value::TIMESTAMPTZ) AS newest FROM (SELECT unnest([${values.join(", ")}]) AS value)`;
    },
  };
}
