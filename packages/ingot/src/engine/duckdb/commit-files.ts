import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { PlannedDefinition, Snapshot, Store } from "@ingot/delta";
import type { WritePart, WriteStep } from "../engine.js";
import { isDone, snapshotOf } from "../tables/table-state.js";
import { commitStep } from "./commit-step.js";
import type { WrittenFile } from "./delta/write-files.js";

/** Commits a step with files that were staged for it. They go where it is certain that no version has them. */
export async function commitFiles(
  store: Store,
  snapshot: Snapshot | undefined,
  plan: PlannedDefinition,
  step: WriteStep,
  parts: readonly WritePart[],
  staged: readonly WrittenFile[],
): Promise<bigint> {
  try {
    const files = staged.map(({ file }) => file);
    return await commitStep(store, snapshot, plan, step, parts, files);
  } catch (error) {
    if (await lacksAll(store, step, parts)) await removeFiles(step, staged);
    throw error;
  }
}

/** Whether the log proves that no part was committed: an error may come after the commit was made. */
async function lacksAll(store: Store, { target }: WriteStep, parts: readonly WritePart[]): Promise<boolean> {
  try {
    const snapshot = await snapshotOf(store, target.location);
    return !parts.some((part) => isDone(part, snapshot));
  } catch {
    // Not known, so the files stay: a file that no log names does no harm, one that is missing breaks the table.
    return false;
  }
}

export async function removeFiles({ target }: Pick<WriteStep, "target">, files: readonly WrittenFile[]): Promise<void> {
  for (const { file } of files) await rm(join(target.location, file.path), { force: true });
}
