import type { PartResult, WriteResult, WriteStep } from "../engine.js";
import { commitFiles, removeFiles } from "../tables/commit-files.js";
import { planTarget } from "../tables/plan-target.js";
import { isDone, snapshotOf } from "../tables/table-state.js";
import { ENGINE_INFO } from "./define-table.js";
import { writeQuarantines } from "./rules/write-quarantines.js";
import { versionOf } from "./spark-sql.js";
import type { SparkWork } from "./spark-work.js";
import { type StagedPart, stagePart } from "./stage-part.js";
import { TextContext } from "./text-context.js";

const NOTHING: PartResult = { rows: 0, bytes: 0 };

/**
 * Executes a step: the rows of its parts are written aside and counted as they are, one job a part, then rows that rules
 * set aside are committed, and the target last, by one commit.
 *
 * @throws IngotError as `stagePart`, and as `Engine.write`
 */
export async function writeStep(work: SparkWork, step: WriteStep): Promise<WriteResult> {
  const { store, signal } = work;
  const { target, mode } = step;
  const snapshot = await snapshotOf(store, target.location);
  const parts = step.parts.filter((part) => !isDone(part, snapshot));
  if (parts.length === 0 && step.parts.length > 0 && snapshot !== undefined)
    return { version: snapshot.version, parts: step.parts.map(() => NOTHING) };
  const plan = planTarget(target, mode, snapshot);
  const kept = mode === "append" ? snapshot : undefined;
  const context = new TextContext(store, kept && `SELECT * FROM ${versionOf(kept)}`);
  const staged: StagedPart[] = [];
  try {
    for (const part of parts) staged.push(await stagePart(work, { target, plan, snapshot, mode }, part, context));
    signal.throwIfAborted();
    // The target comes last: a batch that it holds is done.
    for (const { part, checks } of staged) await writeQuarantines(work, step, part, { context, checks });
  } catch (error) {
    for (const { files } of staged) await removeFiles(step, files);
    throw error;
  }
  const files = staged.flatMap((part) => part.files);
  const version = await commitFiles(store, snapshot, plan, { ...step, parts }, files, ENGINE_INFO);
  const results = new Map(staged.map(({ part, result }) => [part, result]));
  return { version, parts: step.parts.map((part) => results.get(part) ?? NOTHING) };
}
