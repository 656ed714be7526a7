import type { Store } from "@ingot/delta";
import { commitFiles } from "../../tables/commit-files.js";
import { ENGINE_INFO } from "../commit-step.js";
import { newFiles } from "../part-result.js";
import type { StagedQuarantine } from "./stage-quarantine.js";

/** Makes staged rows part of their quarantine, with the batch that they come from, in one commit. */
export async function commitQuarantine(
  store: Store,
  { target, snapshot, plan, files, remove, transaction }: StagedQuarantine,
): Promise<void> {
  const note = `${transaction.appId} batch ${transaction.version}`;
  const step = { target, mode: "append", remove, parts: [{ transaction }], note } as const;
  await commitFiles(store, snapshot, plan, step, newFiles(files), ENGINE_INFO);
}
