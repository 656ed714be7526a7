import { type SourceDrift, takeOver } from "../graph/drift.js";
import { type Contract, type DriftChange, type DriftDecision, NO_CONTRACT, sameChange } from "../model/drift.js";
import type { TableName } from "../model/name.js";
import { readContract, writeContract } from "./contract.js";
import { takeLock } from "./lock.js";

/**
 * Records what somebody decided about changes of a dataset's sources; those that are accepted become part of its
 * contract.
 *
 * @param sources as they are now
 * @throws IngotError RUN_LOCKED
 */
export async function decideDrift(
  storage: string,
  dataset: TableName,
  { sources, changes }: { readonly sources: readonly SourceDrift[]; readonly changes: readonly DriftChange[] },
  decision: Required<Pick<DriftDecision, "decision" | "reason" | "user" | "at">>,
): Promise<void> {
  const lock = await takeLock(storage, `drift of ${dataset.table}`);
  try {
    const before = (await readContract(storage, dataset)) ?? NO_CONTRACT;
    const after = changes.reduce((contract, change) => decide(contract, sources, change, decision), before);
    await writeContract(storage, dataset, after);
  } finally {
    lock.release();
  }
}

function decide(
  contract: Contract,
  sources: readonly SourceDrift[],
  change: DriftChange,
  decision: Pick<DriftDecision, "decision" | "reason" | "user" | "at">,
): Contract {
  const source = sources.find((one) => one.source === change.source);
  const decisions = [...contract.decisions, { ...change, ...decision }];
  if (decision.decision === "rejected") return { ...contract, decisions };
  return {
    ...(source === undefined ? contract : takeOver(contract, change, source)),
    // Were it to come again, it would be news again.
    told: contract.told.filter((other) => !sameChange(other, change)),
    decisions,
  };
}
