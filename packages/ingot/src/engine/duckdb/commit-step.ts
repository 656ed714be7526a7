import {
  changeRows,
  type PlannedDefinition,
  type RowChange,
  type RowChangeResult,
  type Snapshot,
  type Store,
} from "@ingot/delta";
import type { WriteStep } from "../engine.js";
import { planClusteringChange } from "../tables/plan-target.js";

export const ENGINE_INFO = "Ingot/0.1.0 DuckDB/1.5.6";

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
