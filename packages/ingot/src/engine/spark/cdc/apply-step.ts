import type { ChangeRules } from "../../../model/changes.js";
import { checkBalance } from "../../check-balance.js";
import { type ApplyResult, type ApplyStep, NO_EVENTS } from "../../engine.js";
import { isDone, snapshotOf } from "../../tables/table-state.js";
import { type TypedPart, typePart } from "../check-part.js";
import { countDropped } from "../files/count-dropped.js";
import { writeQuarantines } from "../rules/write-quarantines.js";
import type { SparkWork } from "../spark-work.js";
import { TextContext } from "../text-context.js";
import { applyChanges } from "./apply-changes.js";
import { applyHistory } from "./apply-history.js";
import { applyReplacement } from "./apply-replacement.js";
import { applySnapshot } from "./apply-snapshot.js";
import type { ApplyWork } from "./apply-work.js";
import { eventsText } from "./events-text.js";
import { type ReadEvents, readEvents } from "./read-events.js";

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
  const typed: TypedPart[] = [];
  for (const part of step.parts) typed.push(await typePart(session, step.target.name, part, context, signal));
  const dropped: number[] = [];
  for (const { bound } of step.parts) dropped.push(await countDropped(session, bound, context, signal));
  const texts = typed.map((part) => part.text);
  const text = { text: eventsText(step.rules, texts), names: context.names };
  const { checks, remove, ...events } = await readEvents(
    spark,
    step.rules,
    typed,
    text,
    step.mode === "reset" ? undefined : target,
  );
  try {
    const work = { ...spark, ...events, step, target, state: await snapshotOf(store, step.state) };
    return await applyEvents(work, context, checks, dropped);
  } finally {
    await remove();
  }
}

/**
 * @param checks rows of each part under its rules
 * @param dropped records that its reads leave out
 */
async function applyEvents(
  work: ApplyWork,
  context: TextContext,
  checks: ReadEvents["checks"],
  dropped: readonly number[],
): Promise<ApplyResult> {
  const { step, signal } = work;
  const counts = checks.map((ofPart) => ofPart.map((rows) => rows.counts));
  const mode = step.mode === "reset" ? "overwrite" : "append";
  const applied = await appliedBy(step.rules)(work, async (read) => {
    for (const [i, part] of step.parts.entries())
      checkBalance(step.target.name, part, read[i] ?? 0, dropped[i] ?? 0, counts[i] ?? []);
    signal.throwIfAborted();
    for (const [i, part] of step.parts.entries())
      await writeQuarantines(work, { target: step.target, mode }, part, { context, checks: checks[i] ?? [] });
  });
  const { version, notice } = applied;
  return {
    version,
    ...(notice === undefined ? {} : { notice }),
    parts: applied.parts.map((events, i) => {
      const own = counts[i] ?? [];
      const droppedRecords = dropped[i] ?? 0;
      return {
        events,
        ...(droppedRecords === 0 ? {} : { droppedRecords }),
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
