import type { DuckDBConnection } from "@duckdb/node-api";
import { compact, type Store } from "@ingot/delta";
import type { Optimized, TargetTable } from "../engine.js";
import { lastNote, snapshotOf } from "../tables/table-state.js";
import { ENGINE_INFO } from "./commit-step.js";
import { duckdbTable } from "./delta/duckdb-table.js";
import { rewriteFiles } from "./delta/rewrite-files.js";

/** Writes small files and files with deleted rows of a table anew. */
export async function optimizeTable(connection: DuckDBConnection, store: Store, location: string): Promise<Optimized> {
  const notes = { engineInfo: ENGINE_INFO, ...lastNote(await snapshotOf(store, location)) };
  const { version, metrics } = await duckdbTable(connection, store, location).optimize(notes);
  const { numFilesAdded, numFilesRemoved, bytesAdded, bytesRemoved } = metrics;
  return { version, filesAdded: numFilesAdded, filesRemoved: numFilesRemoved, bytesAdded, bytesRemoved };
}

/** After a batch, in a commit of its own where there is something to do. What fails here is left to the next batch. */
export async function compactTable(
  connection: DuckDBConnection,
  store: Store,
  { location }: Pick<TargetTable, "location">,
  note: string,
): Promise<void> {
  try {
    await compact(store, location, rewriteFiles(connection), { engineInfo: ENGINE_INFO, userMetadata: note });
  } catch {
    // The rows are committed, and stay as the batch left them.
  }
}
