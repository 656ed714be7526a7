import { commit, type Snapshot, type Store } from "@ingot/delta";
import type { TargetTable } from "../engine.js";
import { planClusteringChange, planTarget } from "../tables/plan-target.js";

export const ENGINE_INFO = "Ingot/0.1.0 Spark";

/**
 * Makes a table that is there what it is declared to be, by a commit of its own without rows, for a MERGE that follows. The
 * definition is written from here, so that both engines make the same table: its columns with comments, properties, clustering.
 *
 * @param note of the step that it comes with
 * @throws DeltaError what `planDefinition` throws, such as for columns that do not fit the rows that are there
 */
export async function defineTable(store: Store, target: TargetTable, snapshot: Snapshot, note: string): Promise<void> {
  const plan = planTarget(target, "append", snapshot);
  const clustering = planClusteringChange(snapshot, plan.table, target.clusterBy ?? [], "append");
  if (!plan.isChanged && clustering.domains === undefined) return;
  const notes = { engineInfo: ENGINE_INFO, userMetadata: note };
  const metadata = plan.isChanged ? { metadata: plan.definition } : {};
  await commit(store, snapshot, { operation: "SET TBLPROPERTIES", ...metadata, ...clustering }, notes);
}
