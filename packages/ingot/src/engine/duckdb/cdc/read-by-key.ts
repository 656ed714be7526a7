import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot, Store } from "@ingot/delta";
import { filesWithKeys } from "../delta/edit-source.js";
import { scan } from "../relations.js";
import { sameKey } from "./event-order.js";

/**
 * SQL of the rows of a table whose key stands in a temporary table. Files that cannot hold one of the keys are not read,
 * so that the cost follows the batch where its keys lie together.
 *
 * @param mark column of a `wanted` in which each key stands once, to come along with the rows
 */
export async function rowsByKey(
  connection: DuckDBConnection,
  store: Store,
  snapshot: Snapshot,
  keys: readonly string[],
  wanted: string,
  mark?: string,
): Promise<string> {
  const files = await filesWithKeys(connection, wanted, keys, snapshot);
  const [columns, join] = mark === undefined ? ["t.*", "SEMI JOIN"] : [`t.*, w.${mark}`, "JOIN"];
  return `SELECT ${columns} FROM (${await scan(store, snapshot, files)}) t ${join} ${wanted} w ON ${sameKey({ keys }, "t", "w")}`;
}
