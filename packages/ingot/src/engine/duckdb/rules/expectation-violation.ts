import type { DuckDBConnection } from "@duckdb/node-api";
import { IngotError } from "../../../model/error.js";
import type { Value } from "../../engine.js";
import { toValue } from "../values.js";
import type { CheckedRows } from "./checked-rows.js";
import { columnsText, failsAny } from "./rule-text.js";

const EXAMPLES = 3;

/** Stands for a value that no message shows. */
export const MASK = "***";

/**
 * Stops where rows fail a rule that is to fail the update.
 *
 * @throws IngotError EXPECTATION_VIOLATION
 */
export async function refuseViolations(connection: DuckDBConnection, checked: CheckedRows): Promise<void> {
  const { rules, counts } = checked;
  const broken = rules.rules.flatMap((rule, i) => {
    const failed = counts.rules[i]?.failed ?? 0;
    return rule.action === "fail" && failed > 0 ? [`\`${rule.name}\` (${failed})`] : [];
  });
  if (broken.length === 0) return;
  const names = broken.length === 1 ? "the expectation" : "the expectations";
  throw new IngotError(
    "EXPECTATION_VIOLATION",
    `${rules.dataset}: of ${counts.rows} rows some fail ${names} ${broken.join(", ")}, such as ${await examples(connection, checked, failsAny(rules.rules, "fail"))}`,
    {
      object: rules.dataset,
      hint: "Nothing was written. Correct the rows or the rule and run again; ON VIOLATION QUARANTINE ROW would set such rows aside.",
    },
  );
}

/**
 * Refuses to publish a batch in which more rows fail than the dataset's gate lets pass.
 *
 * @throws IngotError QUALITY_GATE_CLOSED
 */
export async function checkGate(connection: DuckDBConnection, checked: CheckedRows): Promise<void> {
  const { rules, counts } = checked;
  const { maxFailedRows = Number.POSITIVE_INFINITY, maxFailedShare = 1 } = rules.gate ?? {};
  const { rows, failed } = counts;
  if (failed <= maxFailedRows && failed <= maxFailedShare * rows) return;
  const limit = failed > maxFailedRows ? `${maxFailedRows} rows` : `a share of ${maxFailedShare}`;
  const which = counts.rules.filter((rule) => rule.failed > 0).map((rule) => `\`${rule.name}\` (${rule.failed})`);
  throw new IngotError(
    "QUALITY_GATE_CLOSED",
    `${rules.dataset}: ${failed} of ${rows} rows fail ${which.join(", ")}, and its gate lets pass ${limit}; such as ${await examples(connection, checked, failsAny(rules.rules))}`,
    {
      object: rules.dataset,
      hint: "Nothing was published. Correct the source or the rules and run again, or widen the gate.",
    },
  );
}

/** Rows as JSON, sensitive values masked. */
async function examples(
  connection: DuckDBConnection,
  { table, columns, rules }: CheckedRows,
  condition: string,
): Promise<string> {
  const result = await connection.runAndReadAll(
    `SELECT ${columnsText(columns)} FROM ${table} WHERE ${condition} LIMIT ${EXAMPLES}`,
  );
  const hidden = new Set(rules.sensitive.map((name) => name.toLowerCase()));
  const shown = result.getRows().map((row) => {
    const values = columns.map(({ name, type }, i): [string, Value] => {
      const value = toValue(row[i] ?? null, type);
      return [name, value !== null && hidden.has(name.toLowerCase()) ? MASK : value];
    });
    return JSON.stringify(Object.fromEntries(values)).slice(0, 500);
  });
  return shown.join(", ");
}
