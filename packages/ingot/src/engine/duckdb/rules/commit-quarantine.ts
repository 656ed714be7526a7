import { type Change, commit, createTable, type Store } from "@ingot/delta";
import { ENGINE_INFO } from "../commit-step.js";
import type { StagedQuarantine } from "./stage-quarantine.js";

/** Makes staged rows part of their quarantine, with the batch that they come from, in one commit. */
export async function commitQuarantine(
  store: Store,
  { target, snapshot, plan, files, remove, transaction }: StagedQuarantine,
): Promise<void> {
  const change: Change = {
    operation: "WRITE",
    operationParameters: { mode: remove.length === 0 ? "Append" : "Overwrite" },
    add: files.map(({ file }) => file),
    transactions: [transaction],
    isBlindAppend: remove.length === 0,
    rulesEnforced: true,
  };
  const notes = { engineInfo: ENGINE_INFO, userMetadata: `${transaction.appId} batch ${transaction.version}` };
  if (snapshot === undefined) await createTable(store, target.location, plan.definition, change, notes);
  else {
    const metadata = plan.isChanged ? { metadata: plan.definition } : {};
    await commit(store, snapshot, { ...change, ...metadata, remove }, notes);
  }
}
