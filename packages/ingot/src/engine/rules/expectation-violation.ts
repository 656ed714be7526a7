import type { Field } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import { MASK, type RowRules } from "../../model/rule.js";
import type { RuleCounts, Value } from "../engine.js";
import { failsAny } from "./rule-conditions.js";

const EXAMPLES = 3;

/** Rows that were counted under their rules. */
export interface CountedRows {
  readonly rules: RowRules;
  readonly columns: readonly Field[];
  readonly counts: RuleCounts;
}

/** Reads the first rows for which a condition over the answers of the rules holds: their `columns`. */
export type ReadExamples = (condition: string, limit: number) => Promise<readonly (readonly Value[])[]>;

/**
 * Stops where rows fail a rule that is to fail the update.
 *
 * @throws IngotError EXPECTATION_VIOLATION
 */
export async function refuseViolations(checked: CountedRows, read: ReadExamples): Promise<void> {
  const { rules, counts } = checked;
  const broken = rules.rules.flatMap((rule, i) => {
    const failed = counts.rules[i]?.failed ?? 0;
    return rule.action === "fail" && failed > 0 ? [`\`${rule.name}\` (${failed})`] : [];
  });
  if (broken.length === 0) return;
  const names = broken.length === 1 ? "the expectation" : "the expectations";
  throw new IngotError(
    "EXPECTATION_VIOLATION",
    `${rules.dataset}: of ${counts.rows} rows some fail ${names} ${broken.join(", ")}, such as ${await examples(checked, read, failsAny(rules.rules, "fail"))}`,
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
export async function checkGate(checked: CountedRows, read: ReadExamples): Promise<void> {
  const { rules, counts } = checked;
  const { maxFailedRows = Number.POSITIVE_INFINITY, maxFailedShare = 1 } = rules.gate ?? {};
  const { rows, failed } = counts;
  if (failed <= maxFailedRows && failed <= maxFailedShare * rows) return;
  const limit = failed > maxFailedRows ? `${maxFailedRows} rows` : `a share of ${maxFailedShare}`;
  const which = counts.rules.filter((rule) => rule.failed > 0).map((rule) => `\`${rule.name}\` (${rule.failed})`);
  throw new IngotError(
    "QUALITY_GATE_CLOSED",
    `${rules.dataset}: ${failed} of ${rows} rows fail ${which.join(", ")}, and its gate lets pass ${limit}; such as ${await examples(checked, read, failsAny(rules.rules))}`,
    {
      object: rules.dataset,
      hint: "Nothing was published. Correct the source or the rules and run again, or widen the gate.",
    },
  );
}

/** Rows as JSON, sensitive values masked. */
async function examples({ columns, rules }: CountedRows, read: ReadExamples, condition: string): Promise<string> {
  const hidden = new Set(rules.sensitive.map((name) => name.toLowerCase()));
  const shown = (await read(condition, EXAMPLES)).map((row) => {
    const values = columns.map(({ name }, i): [string, Value] => {
      const value = row[i] ?? null;
      return [name, value !== null && hidden.has(name.toLowerCase()) ? MASK : value];
    });
    return JSON.stringify(Object.fromEntries(values)).slice(0, 500);
  });
  return shown.join(", ");
}
