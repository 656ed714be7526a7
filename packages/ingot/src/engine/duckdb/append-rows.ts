import { createTable, appendRows as deltaAppend, type Store } from "@ingot/delta";
import type { TargetTable, TextRow, WritePart } from "../engine.js";
import { ENGINE_INFO, planTarget } from "./commit-step.js";
import { snapshotOf } from "./table-state.js";

/** Adds a few rows in one commit, without DuckDB: a run that had nothing to do never starts it. */
export async function appendRows(
  store: Store,
  target: TargetTable,
  rows: readonly TextRow[],
  transaction: WritePart["transaction"],
): Promise<void> {
  if ((await snapshotOf(store, target.location)) === undefined) {
    const { definition } = planTarget(target, "append", undefined);
    await createTable(store, target.location, definition, { operation: "CREATE TABLE" }, { engineInfo: ENGINE_INFO });
  }
  await deltaAppend(store, target.location, rows, { transactions: [transaction], engineInfo: ENGINE_INFO });
}
