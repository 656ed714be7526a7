import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot, Store } from "@ingot/delta";
import { keyPruning, openSource } from "../delta/edit-source.js";
import { scan } from "../relations.js";
import { sameKey } from "./event-order.js";

/**
 * SQL of the rows of a table whose key stands in a temporary table. Files that cannot hold one of the keys are not read,
 * so that the cost follows the batch where its keys lie together.
 */
export async function rowsByKey(
  connection: DuckDBConnection,
  store: Store,
  snapshot: Snapshot,
  keys: readonly string[],
  wanted: string,
): Promise<string> {
  const source = await openSource(connection, { table: wanted }, wanted, snapshot.table);
  const mayHold = await keyPruning(connection, source, keys, snapshot);
  const files = snapshot.files.filter((file) => mayHold?.(file) ?? true);
  return `SELECT t.* FROM (${await scan(store, snapshot, files)}) t SEMI JOIN ${wanted} w ON ${sameKey({ keys }, "t", "w")}`;
}
