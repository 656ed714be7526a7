import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type AddFile,
  commit,
  createTable,
  type NewFile,
  type PlannedDefinition,
  type Snapshot,
  type Store,
} from "@ingot/delta";
import type { TargetTable, WritePart, WriteStep } from "../engine.js";
import { planClusteringChange } from "./plan-target.js";
import { isDone, snapshotOf } from "./table-state.js";

/** What a commit of files makes of a table, and the batches that they come from. */
export interface FileCommit {
  readonly target: TargetTable;
  readonly mode: WriteStep["mode"];
  /** Files that go though the others stay. */
  readonly remove?: readonly AddFile[];
  readonly parts: readonly Pick<WritePart, "transaction">[];
  readonly note: string;
}

/**
 * Makes staged files part of a table, with the batches that they come from, in one commit; makes the table where it is
 * not there. Where it is certain that no version has the files, they go.
 *
 * @returns the version of the table
 */
export async function commitFiles(
  store: Store,
  snapshot: Snapshot | undefined,
  plan: PlannedDefinition,
  step: FileCommit,
  files: readonly NewFile[],
  engineInfo: string,
): Promise<bigint> {
  try {
    return await commitOnce(store, snapshot, plan, step, files, engineInfo);
  } catch (error) {
    if (await lacksAll(store, step)) await removeFiles(step, files);
    throw error;
  }
}

async function commitOnce(
  store: Store,
  snapshot: Snapshot | undefined,
  { definition, isChanged, table }: PlannedDefinition,
  { target, mode, remove = [], parts, note }: FileCommit,
  files: readonly NewFile[],
  engineInfo: string,
): Promise<bigint> {
  const isBlindAppend = mode === "append" && remove.length === 0;
  const change = {
    operation: "WRITE",
    operationParameters: { mode: isBlindAppend ? "Append" : "Overwrite" },
    add: files,
    transactions: parts.map((part) => part.transaction),
    isBlindAppend,
    rulesEnforced: true,
    ...planClusteringChange(snapshot, table, target.clusterBy ?? [], mode),
  };
  const notes = { engineInfo, userMetadata: note };
  if (snapshot === undefined) return (await createTable(store, target.location, definition, change, notes)).version;
  const metadata = isChanged ? { metadata: definition } : {};
  const gone = isBlindAppend ? {} : { remove: mode === "overwrite" ? ("all" as const) : remove };
  return (await commit(store, snapshot, { ...change, ...gone, ...metadata }, notes)).version;
}

/** Whether the log proves that no part was committed: an error may come after the commit was made. */
async function lacksAll(store: Store, { target, parts }: FileCommit): Promise<boolean> {
  try {
    const snapshot = await snapshotOf(store, target.location);
    return !parts.some((part) => isDone(part, snapshot));
  } catch {
    // Not known, so the files stay: a file that no log names does no harm, one that is missing breaks the table.
    return false;
  }
}

/** Removes staged files that no version has. */
export async function removeFiles({ target }: Pick<FileCommit, "target">, files: readonly NewFile[]): Promise<void> {
  for (const { path } of files) await rm(join(target.location, path), { force: true });
}
