import type { NewFile, PlannedDefinition, Snapshot } from "@ingot/delta";
import { checkBalance } from "../check-balance.js";
import type { PartResult, WritePart, WriteStep } from "../engine.js";
import { checkFacts } from "../rules/check-facts.js";
import { checkGate, refuseViolations } from "../rules/expectation-violation.js";
import { isKept } from "../rules/rule-conditions.js";
import { removeFiles } from "../tables/commit-files.js";
import { fromDeltaSchema } from "../tables/delta-schema.js";
import { typePart } from "./check-part.js";
import { sqlRelation } from "./connect/relations.js";
import { countDropped } from "./files/count-dropped.js";
import { type CheckedRows, checkViews, refuseRandom, underRules } from "./rules/check-rows.js";
import { observedCorrupt, observedFacts, observeRows } from "./rules/observed-rows.js";
import { observedCounts, observeRules } from "./rules/observed-rules.js";
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

/** Name of the rows under their rules. */
const CHECKED = "__ingot_checked";

/**
 * Writes the rows of a part into files, and looks whether they may be committed: in one job, but for the rules of views,
 * whose rows a query above may leave out or read again.
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
  const text = await typePart(session, target.name, part, context, signal);
  const checks = [...(await checkViews(session, bound, context, signal))];
  for (const checked of checks) await checkGate(checked, checked.read);
  const own = await underRules(session, bound, context, signal);
  // Rows that are set aside are written by a statement of their own.
  if (own?.rules.quarantine !== undefined) refuseRandom(bound, own.rules.dataset);
  const items = projection(fromDeltaSchema(plan.table.schema), bound.query.schema).join(", ");
  const rows =
    own === undefined
      ? sqlRelation(`SELECT ${items} FROM (${text})`, context.names)
      : sqlRelation(`SELECT ${items} FROM ${CHECKED} WHERE ${isKept(own.rules.rules)}`, {
          [CHECKED]: observeRules(own.rules, sqlRelation(own.text, context.names)),
        });
  const staged = await stageFiles(work, plan, observeRows(rows, part));
  try {
    if (own !== undefined) {
      const checked = { ...own, counts: observedCounts(own.rules, staged.observed, staged.rows) };
      await refuseViolations(checked, checked.read);
      await checkGate(checked, checked.read);
      checks.push(checked);
    }
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
