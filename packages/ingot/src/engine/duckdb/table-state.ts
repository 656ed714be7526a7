import { type AsOf as DeltaAsOf, readSnapshot, type Snapshot, type Store } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import type { AsOf } from "../../model/query.js";
import type { TableState } from "../../model/table.js";
import { fromDeltaSchema } from "./delta-schema.js";

/**
 * The snapshot of a table, or undefined where its folder is absent or empty.
 *
 * @throws IngotError NO_DELTA_TABLE for a folder that holds something else; DeltaError
 */
export async function snapshotOf(store: Store, location: string, asOf?: AsOf): Promise<Snapshot | undefined> {
  const snapshot = await readSnapshot(store, location, asOf satisfies DeltaAsOf | undefined);
  if (snapshot !== undefined) return snapshot;
  // Files of a write that died before its first commit are nobody's; anything else is not ours to write over.
  const foreign = (await store.list(location)).find(
    (e) => e.name !== "_delta_log" && !/^part-.*\.parquet$/.test(e.name),
  );
  if (foreign === undefined) return undefined;
  throw new IngotError("NO_DELTA_TABLE", `${location} is no Delta table: it holds ${foreign.name}, and no _delta_log`, {
    object: location,
    hint: "Check the path: a Delta table is a folder with a _delta_log in it. Where a table is to be made, move these files away first, or give it another name.",
  });
}

export function toTableState(snapshot: Snapshot): TableState {
  const { metadata, commitInfo } = snapshot;
  const note = commitInfo?.["userMetadata"];
  return {
    location: snapshot.table,
    id: metadata.id,
    version: snapshot.version,
    schema: fromDeltaSchema(snapshot.schema),
    partitionBy: metadata.partitionColumns,
    properties: Object.fromEntries(
      Object.entries(metadata.configuration).filter((e): e is [string, string] => e[1] !== null),
    ),
    ...(metadata.description === undefined ? {} : { comment: metadata.description }),
    transactions: snapshot.transactions,
    ...(snapshot.warnings.length === 0 ? {} : { warnings: snapshot.warnings }),
    ...(typeof note === "string" ? { lastCommitNote: note } : {}),
  };
}
