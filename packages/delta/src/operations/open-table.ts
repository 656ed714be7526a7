import { DeltaError } from "../error.js";
import { logFolder } from "../log/log-files.js";
import { type AsOf, readSnapshot, type Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";

/** @throws DeltaError NO_DELTA_TABLE, and what `readSnapshot` throws */
export async function openTable(store: Store, table: string, asOf?: AsOf): Promise<Snapshot> {
  const snapshot = await readSnapshot(store, table, asOf);
  if (snapshot !== undefined) return snapshot;
  throw new DeltaError("NO_DELTA_TABLE", `${table} is no Delta table: it has no _delta_log.`, {
    table,
    path: logFolder(table),
    hint: "Check the location; a table is the folder that holds _delta_log.",
  });
}
