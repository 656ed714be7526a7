import { IngotError } from "../../model/error.js";
import type { ApplyStep, EventCounts } from "../engine.js";

/** The parts of the law: each event is in one of them. */
const FATES = [
  "inserted",
  "updated",
  "deleted",
  "truncates",
  "unchanged",
  "superseded",
  "duplicate",
  "late",
  "beforeImages",
  "archived",
] as const satisfies readonly (keyof EventCounts)[];

/**
 * Law 2: every event of a batch is counted once, the rows as the merge wrote them.
 *
 * @throws IngotError BALANCE
 */
export function requireBalance({ target, parts }: ApplyStep, counts: readonly EventCounts[]): void {
  for (const [i, count] of counts.entries()) {
    if (isBalanced(count)) continue;
    throw new IngotError(
      "BALANCE",
      `${target.name}: the changes of batch ${parts[i]?.transaction.version} do not add up: ${JSON.stringify(count)}`,
      { object: target.name, hint: "This is a fault of Ingot: please report it with this message." },
    );
  }
}

function isBalanced(counts: EventCounts): boolean {
  return counts.read === FATES.reduce((sum, fate) => sum + counts[fate], 0) && FATES.every((fate) => counts[fate] >= 0);
}
