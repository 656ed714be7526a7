import { type Change, commit, createTable, type Snapshot, type Store } from "@ingot/delta";
import type { TargetTable } from "../engine.js";
import { planClusteringChange, planTarget } from "../tables/plan-target.js";

export const ENGINE_INFO = "Ingot/0.1.0 Spark";

/**
 * Makes a table what it is declared to be, by a commit of its own without rows. The definition is written from here, so
 * that both engines make the same table: its name, columns with comments, properties, clustering.
 *
 * @param snapshot the table as it is; undefined where it is not there
 * @param note of the step that it comes with
 * @throws DeltaError what `planDefinition` throws, such as for columns that do not fit the rows that are there
 */
export async function defineTable(
  store: Store,
  target: TargetTable,
  snapshot: Snapshot | undefined,
  note: string,
): Promise<void> {
  const plan = planTarget(target, "append", snapshot);
  const clustering = planClusteringChange(snapshot, plan.table, target.clusterBy ?? [], "append");
  const notes = { engineInfo: ENGINE_INFO, userMetadata: note };
  if (snapshot === undefined) {
    await createTable(store, target.location, plan.definition, { operation: "CREATE TABLE", ...clustering }, notes);
    return;
  }
  if (!plan.isChanged && clustering.domains === undefined) return;
  const metadata = plan.isChanged ? { metadata: plan.definition } : {};
  await commit(store, snapshot, { operation: "SET TBLPROPERTIES", ...metadata, ...clustering }, notes);
}

/** Adds batches to those that a table has, in a commit without rows. */
export async function commitTransactions(
  store: Store,
  snapshot: Snapshot,
  transactions: NonNullable<Change["transactions"]>,
  note: string,
): Promise<bigint> {
  const change = { operation: "WRITE", operationParameters: { mode: "Append" }, transactions, isBlindAppend: true };
  return (await commit(store, snapshot, change, { engineInfo: ENGINE_INFO, userMetadata: note })).version;
}

/** Whether a table can become what is declared while its rows stay. */
export function canStay(target: TargetTable, snapshot: Snapshot | undefined): boolean {
  try {
    planTarget(target, "append", snapshot);
    return true;
  } catch {
    return false;
  }
}
