import {
  changeRows,
  commit,
  createTable,
  type NewFile,
  type PlannedDefinition,
  type RowChange,
  type RowChangeResult,
  type Snapshot,
  type Store,
} from "@ingot/delta";
import type { WriteStep } from "../engine.js";
import { planClusteringChange } from "../tables/plan-target.js";

export const ENGINE_INFO = "Ingot/0.1.0 DuckDB/1.5.6";

/** Makes the staged files part of the table, with the batches that they come from, in one commit. */
export async function commitStep(
  store: Store,
  snapshot: Snapshot | undefined,
  { definition, isChanged, table }: PlannedDefinition,
  { target, mode, note }: WriteStep,
  parts: WriteStep["parts"],
  files: readonly NewFile[],
): Promise<bigint> {
  const change = {
    operation: "WRITE",
    operationParameters: { mode: mode === "append" ? "Append" : "Overwrite" },
    add: files,
    transactions: parts.map((p) => p.transaction),
    isBlindAppend: mode === "append",
    rulesEnforced: true,
    ...planClusteringChange(snapshot, table, target.clusterBy ?? [], mode),
  };
  const notes = { engineInfo: ENGINE_INFO, userMetadata: note };
  if (snapshot === undefined) return (await createTable(store, target.location, definition, change, notes)).version;
  const metadata = isChanged ? { metadata: definition } : {};
  const remove = mode === "overwrite" ? { remove: "all" as const } : {};
  return (await commit(store, snapshot, { ...change, ...remove, ...metadata }, notes)).version;
}

/** Carries out a change of single rows as a step, with the batches that it comes from, in one commit. */
export async function changeStep(
  store: Store,
  snapshot: Snapshot,
  { definition, isChanged, table }: PlannedDefinition,
  { target, note }: Pick<WriteStep, "target" | "note">,
  parts: WriteStep["parts"],
  change: RowChange,
): Promise<RowChangeResult> {
  return changeRows(store, target.location, change, {
    engineInfo: ENGINE_INFO,
    userMetadata: note,
    transactions: parts.map((p) => p.transaction),
    ...(isChanged ? { definition } : {}),
    ...planClusteringChange(snapshot, table, target.clusterBy ?? [], "append"),
  });
}
