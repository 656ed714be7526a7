import { hyparquetReader, type ParquetReader } from "../files/parquet.js";
import { noDeltaTable } from "../log/log-files.js";
import type { Store } from "../store/store.js";
import { type AsOf, readSnapshot, type Snapshot } from "./snapshot.js";

/**
 * The snapshot of a table that must be there.
 *
 * @throws DeltaError NO_DELTA_TABLE, and what `readSnapshot` throws
 */
export async function openTable(
  store: Store,
  table: string,
  asOf?: AsOf,
  reader: ParquetReader = hyparquetReader,
): Promise<Snapshot> {
  const snapshot = await readSnapshot(store, table, asOf, reader);
  if (snapshot === undefined) throw noDeltaTable(table);
  return snapshot;
}
