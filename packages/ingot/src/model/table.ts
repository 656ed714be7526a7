import type { Field } from "./data-type.js";

/** What a Delta table is at one version, as far as planning needs it. */
export interface TableState {
  /** Folder of the table. */
  readonly location: string;
  /** The table's own id: another one under the same name is another table. */
  readonly id: string;
  readonly version: bigint;
  readonly schema: readonly Field[];
  readonly partitionBy: readonly string[];
  /** Columns by which rows are laid together. */
  readonly clusterBy: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  readonly comment?: string;
  /** Last batch of each writer: `txn` of the Delta protocol. */
  readonly transactions: ReadonlyMap<string, bigint>;
  /** What was wrong in the log and could be helped: a damaged checkpoint that was passed by. */
  readonly warnings?: readonly string[];
  /** Note that the newest commit carries (`userMetadata`). */
  readonly lastCommitNote?: string;
}

/** What makes a table one that can be written. */
export interface DeclaredTable {
  /** For messages. */
  readonly name: string;
  readonly schema: readonly Field[];
  readonly properties: Readonly<Record<string, string>>;
  /** As the schema writes them; of the two one at most. */
  readonly partitionBy?: readonly string[];
  readonly clusterBy?: readonly string[];
}

/** Property that names a table's owner, as Lakeflow calls it. */
export const OWNER_PROPERTY = "pipelines.pipelineId";
/** Property that lets columns become wider. It asks readers for the table feature `typeWidening`. */
export const WIDENING_PROPERTY = "delta.enableTypeWidening";
/** Property that holds the version of the last snapshot that was applied to a table, as text. */
export const SNAPSHOT_PROPERTY = "ingot.snapshotVersion";
/** Property that says after how many seconds the tombstones of AUTO CDC go; as Lakeflow calls it. */
export const TOMBSTONE_PROPERTY = "pipelines.cdc.tombstoneGCThresholdInSeconds";
/** Property that protects a table from full refreshes. */
export const RESET_PROPERTY = "pipelines.reset.allowed";
