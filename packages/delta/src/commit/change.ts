import type { AddFile, DeletionVector, TextMap } from "../log/actions.js";
import type { StructType } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";

/** A data file that was written and is to become part of the table. */
export interface NewFile {
  /**
   * Relative to the table, not encoded; a name that no other file has or had. Absolute (`/folder/file`,
   * `s3://bucket/file`) by the operations CLONE and RESTORE only, whose files are those of another table or version.
   */
  readonly path: string;
  readonly size: number;
  /** By partition column, under its physical name: one entry each, null for NULL. */
  readonly partitionValues?: TextMap;
  /** See `formatStats`. */
  readonly stats?: string;
  readonly tags?: TextMap;
  readonly deletionVector?: DeletionVector;
  /** What laid its rows by the table's clustering columns: "liquid" for files that need no clustering again. */
  readonly clusteringProvider?: string;
  /** Set by the change where rows come from a file of this or another table with their ids, else by the commit. */
  readonly baseRowId?: bigint;
  readonly defaultRowCommitVersion?: bigint;
}

export interface TableDefinition {
  readonly schema: StructType;
  readonly partitionColumns?: readonly string[];
  /** Table properties; they replace all that were set before. */
  readonly configuration?: TextMap;
  readonly name?: string;
  /** Undefined, where it is stated: none. */
  readonly description?: string | undefined;
}

/** A file of the snapshot that stays with more (or, after RESTORE, fewer) deleted rows. */
export interface MaskedFile {
  readonly file: AddFile;
  /** Undefined: no row is deleted any more. */
  readonly deletionVector: DeletionVector | undefined;
}

/** What a change has read of the snapshot: another commit that touches it is a conflict. */
export interface ReadSet {
  readonly files: "all" | readonly AddFile[];
  /** Whether a file that another commit adds would have been read, too. Undefined: every file would. */
  readonly wouldRead?: (file: AddFile) => boolean;
}

/** Of a change that is the same whatever rows the table holds. */
export const READS_NOTHING: ReadSet = { files: [], wouldRead: () => false };

/** What a commit does. */
export interface Change {
  /** As `DESCRIBE HISTORY` shows it, in Spark's words: "WRITE", "CREATE TABLE", "STREAMING UPDATE", "MERGE". */
  readonly operation: string;
  readonly operationParameters?: Readonly<Record<string, string>>;
  /** Beside those that the commit knows by itself. */
  readonly operationMetrics?: Readonly<Record<string, string>>;
  readonly add?: readonly NewFile[];
  /** Files of the snapshot, or all of them. */
  readonly remove?: "all" | readonly AddFile[];
  readonly mask?: readonly MaskedFile[];
  /**
   * Files of the change feed (`cdc`). Undefined where some files go and others come: refused under a change data feed,
   * since nobody can tell rows that moved; an empty list says that only whole rows come and go, so the log tells all.
   */
  readonly changeFiles?: readonly NewFile[];
  /** False: rows were only moved between files, as by OPTIMIZE. Default true. */
  readonly dataChange?: boolean;
  /** What changes of the definition; the rest stays. */
  readonly metadata?: Partial<TableDefinition>;
  /** Features that the protocol must have besides those that schema and properties need. */
  readonly features?: readonly string[];
  /** Metadata domains to set, undefined to remove. */
  readonly domains?: ReadonlyMap<string, string | undefined>;
  /** How far applications have got with this commit. The caller has compared with the snapshot's. */
  readonly transactions?: readonly { readonly appId: string; readonly version: bigint }[];
  /**
   * What the change depends on. Undefined: nothing for a blind append, the files that it touches where rows are only
   * moved, the whole table for any other change.
   */
  readonly reads?: ReadSet;
  /** True when the rows do not depend on what the table holds: then commits of others are no conflict. */
  readonly isBlindAppend?: boolean;
  /**
   * The writer of the files has checked every new row by the table's CHECK constraints, invariants, generated and
   * default columns (`tableRules`). Without it new rows for a table that has any are refused.
   */
  readonly rulesEnforced?: boolean;
  /** Row ids are kept by hidden columns in the new files, where rows come from older files. */
  readonly rowIdsPreserved?: boolean;
}

/** The state that a change starts from. `version` is undefined for a table that is not there yet. */
export type Base = Omit<Snapshot, "version" | "timestamp" | "commitInfo" | "warnings"> & {
  readonly version: bigint | undefined;
};
