import type { AddFile, TextMap } from "../log/actions.js";
import type { StructType } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";

/** A data file that was written and is to become part of the table. */
export interface NewFile {
  /** Relative to the table, not encoded; a name that no other file has or had. */
  readonly path: string;
  readonly size: number;
  /** By partition column: one entry each, null for NULL. */
  readonly partitionValues?: TextMap;
  /** See `formatStats`. */
  readonly stats?: string;
  readonly tags?: TextMap;
}

export interface TableDefinition {
  readonly schema: StructType;
  readonly partitionColumns?: readonly string[];
  /** Table properties; they replace all that were set before. */
  readonly configuration?: TextMap;
  readonly name?: string;
  readonly description?: string;
}

/** What a commit does. */
export interface Change {
  /** As `DESCRIBE HISTORY` shows it, in Spark's words: "WRITE", "CREATE TABLE", "STREAMING UPDATE". */
  readonly operation: string;
  readonly operationParameters?: Readonly<Record<string, string>>;
  readonly add?: readonly NewFile[];
  /** Files of the snapshot, or all of them. */
  readonly remove?: "all" | readonly AddFile[];
  /** What changes of the definition; the rest stays. */
  readonly metadata?: Partial<Omit<TableDefinition, "partitionColumns">>;
  /** How far applications have got with this commit. The caller has compared with the snapshot's. */
  readonly transactions?: readonly { readonly appId: string; readonly version: bigint }[];
  /** True when the rows do not depend on what the table holds: then commits of others are no conflict. */
  readonly isBlindAppend?: boolean;
  readonly userMetadata?: string;
  /** The engine that wrote the files, with its version. */
  readonly engineInfo?: string;
}

/** The state that a change starts from. `version` is undefined for a table that is not there yet. */
export type Base = Omit<Snapshot, "version" | "timestamp" | "commitInfo" | "warnings"> & {
  readonly version: bigint | undefined;
};
