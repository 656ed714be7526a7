import type { ChangeRules } from "../../../model/changes.js";
import { checkBalance } from "../../check-balance.js";
import type { ApplyResult, BoundQuery } from "../../engine.js";
import { checkGate } from "../../rules/expectation-violation.js";
import type { TextCopies } from "../files/text-copies.js";
import type { Checks } from "../rules/checked-rows.js";
import { commitQuarantine } from "../rules/commit-quarantine.js";
import { readExamples } from "../rules/read-examples.js";
import { removeQuarantineFiles, type StagedQuarantine, stageQuarantines } from "../rules/stage-quarantine.js";
import { settleReads } from "../settle-reads.js";
import { applyChanges } from "./apply-changes.js";
import { applyHistory } from "./apply-history.js";
import { applyReplacement } from "./apply-replacement.js";
import { applySnapshot } from "./apply-snapshot.js";
import type { ApplyWork } from "./apply-work.js";
import { stageEvents } from "./stage-events.js";

/** Where the events come from. */
interface EventSource {
  /** Of `eventsOf`. */
  readonly text: string;
  readonly copies: TextCopies;
  readonly checks: Checks;
}

/**
 * Executes a step: its events are evaluated once, what rules set aside goes into quarantines, the rest is applied. All
 * that can be refused is refused before the first commit.
 *
 * @throws IngotError what `applyChanges` throws, and the errors of a write
 */
export async function applyStep(work: ApplyWork, { text, copies, checks }: EventSource): Promise<ApplyResult> {
  const { connection, store, step, signal } = work;
  for (const checked of checks.values()) await checkGate(checked, readExamples(work.connection, checked));
  const events = await stageEvents(connection, step.rules, text);
  const settled: { dropped: number; checks: Checks }[] = [];
  for (const [i, part] of step.parts.entries()) {
    const own = checksOf(part.bound, checks);
    const dropped = await settleReads(connection, part.bound, copies);
    checkBalance(step.target.name, part, events.get(i) ?? 0, dropped, countsOf(own));
    settled.push({ dropped, checks: own });
  }
  const quarantines: StagedQuarantine[] = [];
  let isCommitting = false;
  const apply = appliedBy(step.rules);
  const mode = step.mode === "reset" ? "overwrite" : "append";
  try {
    for (const [i, part] of step.parts.entries())
      quarantines.push(
        ...(await stageQuarantines(
          connection,
          store,
          { target: step.target, mode },
          part,
          settled[i]?.checks ?? new Map(),
        )),
      );
    const { version, parts, notice } = await apply(work, async () => {
      signal.throwIfAborted();
      isCommitting = true;
      for (const quarantine of quarantines) await commitQuarantine(store, quarantine);
    });
    return {
      version,
      ...(notice === undefined ? {} : { notice }),
      parts: parts.map((counts, i) => {
        const { dropped = 0, checks: own = new Map() } = settled[i] ?? {};
        return {
          events: counts,
          ...(dropped === 0 ? {} : { droppedRecords: dropped }),
          ...(own.size === 0 ? {} : { checks: countsOf(own) }),
        };
      }),
    };
  } catch (error) {
    if (!isCommitting) await removeQuarantineFiles(quarantines);
    throw error;
  }
}

function appliedBy({ snapshot, replace, storedAs }: ChangeRules) {
  if (replace !== undefined) return applyReplacement;
  if (snapshot !== undefined) return applySnapshot;
  return storedAs === "scd2" ? applyHistory : applyChanges;
}

/** The checks of a query and of the views below it. */
function checksOf(bound: BoundQuery, checks: Checks): Checks {
  const own = new Map<BoundQuery, NonNullable<ReturnType<Checks["get"]>>>();
  const visit = (query: BoundQuery): void => {
    const checked = checks.get(query);
    if (checked !== undefined) own.set(query, checked);
    for (const input of query.inputs.values()) if (input.kind === "view") visit(input.view);
  };
  visit(bound);
  return own;
}

function countsOf(checks: Checks) {
  return [...checks.values()].map(({ counts }) => counts);
}
