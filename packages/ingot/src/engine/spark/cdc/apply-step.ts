import type { ChangeRules } from "../../../model/changes.js";
import { checkBalance } from "../../check-balance.js";
import { type ApplyResult, type ApplyStep, NO_EVENTS } from "../../engine.js";
import { isDone, snapshotOf } from "../../tables/table-state.js";
import { type CheckedPart, checkPart } from "../check-part.js";
import { writeQuarantines } from "../rules/write-quarantines.js";
import type { SparkWork } from "../spark-work.js";
import { TextContext } from "../text-context.js";
import { applyChanges } from "./apply-changes.js";
import { applyHistory } from "./apply-history.js";
import { applyReplacement } from "./apply-replacement.js";
import { applySnapshot } from "./apply-snapshot.js";
import { eventsText } from "./events-text.js";

/**
 * Executes a step that applies events: all that can be refused is refused before the first commit; what rules set aside
 * is committed before the tables.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED, what `applyChanges` throws, and the errors of a write
 */
export async function applyStep(spark: SparkWork, step: ApplyStep): Promise<ApplyResult> {
  const { session, store, signal } = spark;
  const target = await snapshotOf(store, step.target.location);
  if (target !== undefined && step.parts.every((part) => isDone(part, target)))
    return { version: target.version, parts: step.parts.map(() => ({ events: NO_EVENTS })) };
  const context = new TextContext(store);
  const checked: CheckedPart[] = [];
  for (const part of step.parts) checked.push(await checkPart(session, step.target.name, part, context, signal));
  const counts = checked.map(({ checks }) => checks.map((rows) => rows.counts));
  const state = await snapshotOf(store, step.state);
  const texts = checked.map(({ text }) => text);
  const events = { text: eventsText(step.rules, texts), names: context.names };
  const mode = step.mode === "reset" ? "overwrite" : "append";
  const work = { ...spark, step, target, state, events };
  const applied = await appliedBy(step.rules)(work, async (read) => {
    for (const [i, { part, dropped }] of checked.entries())
      checkBalance(step.target.name, part, read[i] ?? 0, dropped, counts[i] ?? []);
    signal.throwIfAborted();
    for (const { part, checks } of checked)
      await writeQuarantines(work, { target: step.target, mode }, part, { context, checks });
  });
  const { version, notice } = applied;
  return {
    version,
    ...(notice === undefined ? {} : { notice }),
    parts: applied.parts.map((events, i) => {
      const own = counts[i] ?? [];
      const { dropped = 0 } = checked[i] ?? {};
      return {
        events,
        ...(dropped === 0 ? {} : { droppedRecords: dropped }),
        ...(own.length === 0 ? {} : { checks: own }),
      };
    }),
  };
}

function appliedBy({ replace, snapshot, storedAs }: ChangeRules) {
  if (replace !== undefined) return applyReplacement;
  if (snapshot !== undefined) return applySnapshot;
  return storedAs === "scd2" ? applyHistory : applyChanges;
}
