import type { NewFile, PlannedDefinition, Snapshot } from "@ingot/delta";
import { checkBalance } from "../check-balance.js";
import type { PartResult, WritePart, WriteStep } from "../engine.js";
import { checkFacts } from "../rules/check-facts.js";
import { removeFiles } from "../tables/commit-files.js";
import { fromDeltaSchema } from "../tables/delta-schema.js";
import { typePart } from "./check-part.js";
import { sqlRelation } from "./connect/relations.js";
import { countDropped } from "./files/count-dropped.js";
import { type CheckedRows, checkObserved, withPassing } from "./rules/check-rows.js";
import { observedCorrupt, observedFacts, observeRows } from "./rules/observed-rows.js";
import { requireWritten } from "./rules/observed-rules.js";
import { projection } from "./spark-sql.js";
import type { SparkWork } from "./spark-work.js";
import { type StagedFiles, stageFiles } from "./stage-files.js";
import type { TextContext } from "./text-context.js";

/** The table that a part fills. */
interface PartTarget extends Pick<WriteStep, "target" | "mode"> {
  readonly plan: PlannedDefinition;
  readonly snapshot: Snapshot | undefined;
}

/** A part whose rows are in files, and may be committed. */
export interface StagedPart {
  readonly part: WritePart;
  readonly files: readonly NewFile[];
  readonly checks: readonly CheckedRows[];
  readonly result: PartResult;
}

/**
 * Writes the rows of a part into files, and looks whether they may be committed: in one job, but for the rules of views
 * that are none of `passingViews`.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED, SPARK_TYPE_MISMATCH, FILE_CHANGED, EXPECTATION_VIOLATION, QUALITY_GATE_CLOSED,
 *   BALANCE; no file is left then
 */
export async function stagePart(
  work: SparkWork,
  into: PartTarget,
  part: WritePart,
  context: TextContext,
): Promise<StagedPart> {
  const { session, signal } = work;
  const { bound } = part;
  const { target, plan } = into;
  const { text, passing, observed, ...typed } = await typePart(session, target.name, part, context, signal);
  const items = projection(fromDeltaSchema(plan.table.schema), bound.query.schema).join(", ");
  const rows = sqlRelation(`SELECT ${items} FROM (${text})`, context.names);
  const staged = await withPassing(passing, signal, () => stageFiles(work, plan, observeRows(rows, part)));
  try {
    const passed = await checkObserved(passing, observed, staged.observed);
    const own = passed.find((checked) => checked.bound === bound);
    if (own !== undefined) requireWritten(own.counts, staged.rows);
    const checks = [...typed.checks, ...passed];
    const dropped = await countDropped(session, bound, context, signal);
    return {
      part,
      files: staged.files,
      checks,
      result: await settle(work, into, part, { ...staged, dropped }, checks),
    };
  } catch (error) {
    await removeFiles({ target }, staged.files);
    throw error;
  }
}

/** @throws IngotError BALANCE, EXPECTATION_VIOLATION */
async function settle(
  work: SparkWork,
  { target, mode, snapshot }: PartTarget,
  part: WritePart,
  { rows, bytes, observed, dropped }: StagedFiles & { readonly dropped: number },
  checks: readonly CheckedRows[],
): Promise<PartResult> {
  const counts = checks.map((checked) => checked.counts);
  checkBalance(target.name, part, rows, dropped, counts);
  const { bound, planned = "", corruptRecordColumn } = part;
  const appends = mode === "append";
  const facts =
    bound.rules?.facts === undefined
      ? {}
      : {
          facts: await checkFacts(
            bound.rules,
            { store: work.store, snapshot, appends, planned },
            observedFacts(work, part, snapshot, { rows, observed }),
          ),
        };
  return {
    rows,
    bytes,
    ...(corruptRecordColumn === undefined ? {} : { corruptRecords: observedCorrupt(observed) ?? 0 }),
    ...(dropped === 0 ? {} : { droppedRecords: dropped }),
    ...(counts.length === 0 ? {} : { checks: counts }),
    ...facts,
  };
}
