import type { Store } from "@ingot/delta";
import { checkBalance } from "../../check-balance.js";
import { type ApplyResult, type ApplyStep, NO_EVENTS } from "../../engine.js";
import { isDone, snapshotOf } from "../../tables/table-state.js";
import { checkPart } from "../check-part.js";
import type { SparkSession } from "../connect/session.js";
import { refuseStep } from "../refuse-step.js";
import { writeQuarantines } from "../rules/write-quarantines.js";
import { TextContext } from "../text-context.js";
import { applyChanges } from "./apply-changes.js";
import { refuseChanges } from "./refuse-changes.js";

/**
 * Executes a step that applies events: all that can be refused is refused before the first commit; what rules set aside
 * is committed before the tables.
 *
 * @param scratch folder for what lasts as long as the step
 * @throws IngotError SPARK_NOT_SUPPORTED, what `applyChanges` throws, and the errors of a write
 */
export async function applyStep(
  session: SparkSession,
  store: Store,
  step: ApplyStep,
  scratch: string,
  signal: AbortSignal,
): Promise<ApplyResult> {
  const target = await snapshotOf(store, step.target.location);
  if (target !== undefined && step.parts.every((part) => isDone(part, target)))
    return { version: target.version, parts: step.parts.map(() => ({ events: NO_EVENTS })) };
  refuseChanges(step.rules, step.target.name);
  refuseStep(step);
  const [part] = step.parts;
  if (part === undefined) throw new Error("unreachable: a step has a part");
  const context = new TextContext(store);
  const { text, checks } = await checkPart(session, step.target.name, part, context, signal);
  const state = await snapshotOf(store, step.state);
  const events = { text, names: context.names };
  const counts = checks.map((checked) => checked.counts);
  const mode = step.mode === "reset" ? "overwrite" : "append";
  const work = { session, store, step, part, target, state, events, scratch, signal };
  const applied = await applyChanges(work, async (read) => {
    checkBalance(step.target.name, part, read, 0, counts);
    signal.throwIfAborted();
    await writeQuarantines(session, store, { target: step.target, mode }, part, { context, checks }, signal);
  });
  return {
    version: applied.version,
    parts: [{ events: applied.counts, ...(counts.length === 0 ? {} : { checks: counts }) }],
  };
}
