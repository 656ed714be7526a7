import { createTable, appendRows as deltaAppend, type Store } from "@ingot/delta";
import type { TargetTable, TextRow, WritePart } from "../engine.js";
import { planTarget } from "./plan-target.js";
import { snapshotOf } from "./table-state.js";

/** Adds a few rows in one commit, by the Delta library alone: a run that had nothing to do starts no engine. */
export async function appendRows(
  store: Store,
  target: TargetTable,
  rows: readonly TextRow[],
  transaction: WritePart["transaction"],
  engineInfo: string,
): Promise<void> {
  if ((await snapshotOf(store, target.location)) === undefined) {
    const { definition } = planTarget(target, "append", undefined);
    await createTable(store, target.location, definition, { operation: "CREATE TABLE" }, { engineInfo });
  }
  await deltaAppend(store, target.location, rows, { transactions: [transaction], engineInfo });
}
