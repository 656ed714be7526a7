import type { Json, JsonObject } from "./json.js";

/**
 * The actions of a commit, named and shaped as in the Delta protocol ("Actions"). Times are milliseconds since the
 * epoch, sizes bytes. Longs that count (versions, row ids) are bigint; sizes and times are numbers and exact.
 */
export type Action =
  | { readonly add: AddFile }
  | { readonly remove: RemoveFile }
  | { readonly cdc: ChangeFile }
  | { readonly metaData: Metadata }
  | { readonly protocol: Protocol }
  | { readonly txn: Transaction }
  | { readonly domainMetadata: DomainMetadata }
  | { readonly commitInfo: CommitInfo };

interface FileAction {
  /** Decoded; relative to the table, or absolute. */
  readonly path: string;
  /** The path as the log spells it. Removing a file must repeat it: some readers compare it letter by letter. */
  readonly uri: string;
  readonly tags?: TextMap | undefined;
}

export interface AddFile extends FileAction {
  /** By partition column; null and "" both mean NULL. */
  readonly partitionValues: TextMap;
  readonly size: number;
  readonly modificationTime: number;
  /** False when the rows were in the table before, as after a compaction. */
  readonly dataChange: boolean;
  /** JSON text; see stats.ts. */
  readonly stats?: string | undefined;
  readonly deletionVector?: DeletionVector | undefined;
  readonly baseRowId?: bigint | undefined;
  readonly defaultRowCommitVersion?: bigint | undefined;
  readonly clusteringProvider?: string | undefined;
}

export interface RemoveFile extends FileAction {
  readonly deletionTimestamp?: number | undefined;
  readonly dataChange: boolean;
  /** True: partitionValues and size are there. */
  readonly extendedFileMetadata?: boolean | undefined;
  readonly partitionValues?: TextMap | undefined;
  readonly size?: number | undefined;
  readonly stats?: string | undefined;
  readonly deletionVector?: DeletionVector | undefined;
  readonly baseRowId?: bigint | undefined;
  readonly defaultRowCommitVersion?: bigint | undefined;
}

/** A `cdc` action: a file of the change data feed. */
export interface ChangeFile extends FileAction {
  readonly partitionValues: TextMap;
  readonly size: number;
}

export interface DeletionVector {
  /** u: a file named by a UUID, p: an absolute path, i: inline. */
  readonly storageType: string;
  readonly pathOrInlineDv: string;
  readonly offset?: number | undefined;
  readonly sizeInBytes: number;
  /** Rows that are deleted. */
  readonly cardinality: bigint;
}

export interface Metadata {
  readonly id: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly format: { readonly provider: string; readonly options: TextMap };
  readonly schemaString: string;
  readonly partitionColumns: readonly string[];
  readonly configuration: TextMap;
  readonly createdTime?: number | undefined;
}

export interface Protocol {
  readonly minReaderVersion: number;
  readonly minWriterVersion: number;
  readonly readerFeatures?: readonly string[] | undefined;
  readonly writerFeatures?: readonly string[] | undefined;
}

/** How far an application has got: what makes its writes idempotent. */
export interface Transaction {
  readonly appId: string;
  readonly version: bigint;
  readonly lastUpdated?: number | undefined;
}

export interface DomainMetadata {
  readonly domain: string;
  readonly configuration: string;
  readonly removed: boolean;
}

/** Free-form by the protocol; history.ts reads what engines agree on. */
export type CommitInfo = JsonObject;

export type TextMap = Readonly<Record<string, string | null>>;

/** Tells logical files apart: a data file with another deletion vector is another file of the table. */
export function fileKey(file: { readonly path: string; readonly deletionVector?: DeletionVector | undefined }): string {
  const vector = file.deletionVector;
  if (vector === undefined) return file.path;
  const offset = vector.offset === undefined ? "" : `@${vector.offset}`;
  return `${file.path}\0${vector.storageType}${vector.pathOrInlineDv}${offset}`;
}

/** What a commit says of itself. */
export function commitInfoOf(actions: readonly Action[]): CommitInfo | undefined {
  return actions.findLast((action) => "commitInfo" in action)?.commitInfo;
}

/** The in-commit timestamp, where the commit has one. */
export function inCommitTimestamp(commitInfo: CommitInfo | undefined): number | undefined {
  const value: Json | undefined = commitInfo?.["inCommitTimestamp"];
  return typeof value === "number" ? value : undefined;
}
