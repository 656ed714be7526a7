import {
  clusteringColumns,
  type AsOf as DeltaAsOf,
  readSnapshot,
  type Snapshot,
  type Store,
  userProperties,
} from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import { NO_DELTA_TABLE } from "../../model/error-catalogue.js";
import type { AsOf } from "../../model/query.js";
import type { TableState } from "../../model/table.js";
import type { WritePart } from "../engine.js";
import { fromDeltaSchema } from "./delta-schema.js";
import { assertComparable, assertScannable } from "./unsupported-columns.js";

/**
 * The snapshot of a table, or undefined where its folder is absent or empty.
 *
 * @throws IngotError NO_DELTA_TABLE for a folder that holds something else; DeltaError
 */
export async function snapshotOf(store: Store, location: string, asOf?: AsOf): Promise<Snapshot | undefined> {
  const snapshot = await readSnapshot(store, location, asOf satisfies DeltaAsOf | undefined);
  if (snapshot !== undefined) return snapshot;
  // Files of a write that died before its first commit are nobody's; anything else is not ours to write over.
  const foreign = await foreignIn(store, location);
  if (foreign === undefined) return undefined;
  throw new IngotError(NO_DELTA_TABLE, `${location} is no Delta table: it holds ${foreign}, and no _delta_log`, {
    object: location,
    hint: "Check the path: a Delta table is a folder with a _delta_log in it. Where a table is to be made, move these files away first, or give it another name.",
  });
}

/** The first file that no write of ours has left; those of a partition lie in folders. */
async function foreignIn(store: Store, folder: string): Promise<string | undefined> {
  for (const { name, kind } of await store.list(folder)) {
    if (name === "_delta_log" || /^part-.*\.parquet$/.test(name)) continue;
    if (kind === "file" || !name.includes("=")) return name;
    const below = await foreignIn(store, `${folder}/${name}`);
    if (below !== undefined) return `${name}/${below}`;
  }
  return undefined;
}

/** @throws IngotError DELTA_UNSUPPORTED_FEATURES_FOR_READ for columns that a query would treat in another way than Spark */
export function toTableState(snapshot: Snapshot): TableState {
  assertScannable(snapshot);
  assertComparable(snapshot);
  const { metadata } = snapshot;
  const note = lastNote(snapshot).userMetadata;
  return {
    location: snapshot.table,
    id: metadata.id,
    version: snapshot.version,
    schema: fromDeltaSchema(snapshot.schema),
    partitionBy: metadata.partitionColumns,
    clusterBy: (clusteringColumns(snapshot) ?? []).map((path) => path.join(".")),
    properties: userProperties(snapshot),
    ...(metadata.description === undefined ? {} : { comment: metadata.description }),
    transactions: snapshot.transactions,
    ...(snapshot.warnings.length === 0 ? {} : { warnings: snapshot.warnings }),
    ...(note === undefined ? {} : { lastCommitNote: note }),
  };
}

/** The note of the newest commit, for commits behind it that leave the rows as they are. */
export function lastNote(snapshot: Snapshot | undefined): { readonly userMetadata?: string } {
  const note = snapshot?.commitInfo?.["userMetadata"];
  return typeof note === "string" ? { userMetadata: note } : {};
}

/** Whether a table has the batch of a part. */
export function isDone({ transaction }: Pick<WritePart, "transaction">, snapshot: Snapshot | undefined): boolean {
  const done = snapshot?.transactions.get(transaction.appId);
  return done !== undefined && done >= transaction.version;
}
