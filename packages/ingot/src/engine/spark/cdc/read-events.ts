import type { Snapshot } from "@ingot/delta";
import { type ChangeRules, keptColumns } from "../../../model/changes.js";
import type { TypedPart } from "../check-part.js";
import { type CheckedRows, checkObserved, withPassing } from "../rules/check-rows.js";
import type { SparkWork } from "../spark-work.js";
import type { SparkText } from "../text-context.js";
import { EVENTS, eventFields } from "./events-text.js";
import { rangeMetrics } from "./key-range.js";
import { type StagedRows, stageRows } from "./staged-rows.js";

/** The events of a step, whose rules have let them pass. */
export interface ReadEvents {
  /** With the columns of `eventFields`; EVENTS where they were staged. */
  readonly events: SparkText;
  /** What is known of their keys: see `inRange`. */
  readonly range: StagedRows["told"];
  /** By part. */
  readonly checks: readonly (readonly CheckedRows[])[];
  remove(): Promise<void>;
}

/**
 * Reads events whose rows are to be counted under rules, or that more than one statement looks at: once, into a folder of
 * their own. The statement that decides them moves them by their keys, and before that move a task that is done again
 * would count twice.
 *
 * @param text of the events of all parts
 * @param target that they are applied to; undefined where it starts again
 * @throws IngotError as `checkRows`
 */
export async function readEvents(
  work: SparkWork,
  rules: ChangeRules,
  parts: readonly TypedPart[],
  text: SparkText,
  target: Snapshot | undefined,
): Promise<ReadEvents> {
  const passing = parts.flatMap((part) => part.passing);
  if (passing.length === 0 && !areReadAgain(rules) && !tellsFiles(rules, target))
    return { events: text, range: {}, checks: parts.map(({ checks }) => checks), remove: async () => {} };
  const staged = await withPassing(passing, work.signal, () =>
    stageRows(work, EVENTS, text, eventFields(rules), rangeMetrics(rules)),
  );
  try {
    const checks: (readonly CheckedRows[])[] = [];
    for (const part of parts)
      checks.push([...part.checks, ...(await checkObserved(part.passing, part.observed, staged.observed))]);
    return {
      events: { text: `SELECT * FROM ${EVENTS}`, names: staged.names },
      range: staged.told,
      checks,
      remove: staged.remove,
    };
  } catch (error) {
    await staged.remove();
    throw error;
  }
}

/** Of so many files it is worth a job to find out which ones the keys of a batch can be in. */
const MANY_FILES = 32;

/** Whether keys are looked for in a table, whose files their range may tell. */
function tellsFiles(rules: ChangeRules, target: Snapshot | undefined): boolean {
  return rules.rises !== true && rangeMetrics(rules).length > 0 && (target?.files.length ?? 0) > MANY_FILES;
}

/** Whether more than one statement looks at events. */
function areReadAgain(rules: ChangeRules): boolean {
  if (rules.replace !== undefined) return false;
  return rules.snapshot !== undefined || rules.storedAs === "scd2" || rules.truncates || keptColumns(rules).length > 0;
}
