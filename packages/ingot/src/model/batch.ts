import type { Field } from "./data-type.js";
import type { Compression } from "./file-read.js";

/** How the lines of a file end. */
export type LineEnd = "\n" | "\r\n" | "\r";

/** A file of a batch: what was read, and how to know it again. */
export interface BatchFile {
  /** Absolute path. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Time of the last change, whole milliseconds since 1970. */
  readonly mtimeMs: number;
  /** Of the whole content, lower-case hex. */
  readonly sha256: string;
  /** Records, counted apart from the engine: of CSV lines that are not blank, without the header. */
  readonly records: number;
  /** CSV: lines before the first record, the header and blank lines before it; with `multiLine` records before it. */
  readonly skipLines?: number;
  /**
   * Of files that are read by lines: how all end; "mixed" where they end in several ways, or only our own reader splits them
   * right. With `multiLine` of files whose lines are their records.
   */
  readonly lineEnd?: LineEnd | "mixed";
  /** Bytes of the longest line, as UTF-8 and without its end. */
  readonly longestLine?: number;
  /**
   * The file's own fields in their order, by the names that stand in it (the header of CSV, the keys of JSON records by
   * their first appearance, the columns of Parquet) and with the types that the file gives them. Absent where a declared
   * schema takes fields by their place.
   */
  readonly fields?: readonly Field[];
  /** Values of the `key=value` folders above the file, unescaped, by key in their order; null for Hive's default name. */
  readonly partition?: Readonly<Record<string, string | null>>;
  /** Hash of the content that this path had when it was loaded before: a read with `allowOverwrites`. */
  readonly overwrites?: string;
  /** Absent: UTF-8. */
  readonly encoding?: string;
  /** Absent: none. */
  readonly compression?: Exclude<Compression, "none">;
}

/** What a checkpoint remembers of a file: its content where it was loaded, none where it was passed over unread. */
export type SeenFile = Pick<BatchFile, "size" | "mtimeMs"> & { readonly sha256?: string };

/** A file that was found and is not loaded. Nothing of it is lost: every run tells it until someone decides. */
export interface HeldFile {
  readonly path: string;
  readonly reason: "changed" | "copy" | "empty" | "bad-encoding" | "unfinished" | "corrupt" | "missing";
  /** One sentence for people, with the hashes or the place. */
  readonly detail: string;
}

/** What a run tells of the columns that it found in files: each kind and column once, with its first file. */
export interface ColumnNotice {
  readonly kind: "told-apart" | "new-column" | "absent" | "not-read" | "as-text" | "assumed";
  readonly column: string;
  /** Files that it is true of. */
  readonly files: number;
  readonly path: string;
  /** One sentence for people. */
  readonly detail: string;
}

/** Exact files, with the columns that the query was typed with. */
export interface FilesInput {
  readonly kind: "files";
  readonly files: readonly BatchFile[];
  /** Where they are found in the files: all that the query sees but `_metadata`. A stream's next batch goes on from them. */
  readonly columns?: readonly Field[];
  /** Of the options that decide how a file is looked into: files of another value are looked into again. */
  readonly options?: string;
  /** Files that were there before the stream and are never read. */
  readonly passed?: readonly Pick<BatchFile, "path" | "size" | "mtimeMs">[];
}

/** Versions of a table, those after `after` up to `to`; without `after` the whole table as it stands at `to`. */
export interface TableRange {
  readonly tableId: string;
  readonly after?: string;
  readonly to: string;
  /**
   * Where limits cut: so many files of the first version (of the whole table where that is read) are left out, and of
   * the last one those from this number on.
   */
  readonly fromFile?: number;
  readonly untilFile?: number;
}

/** What one input of a batch gives: exact files, or exact versions of a table. */
export type BatchInput =
  | FilesInput
  /** The rows that versions appended; `skipsChanges`: those that changed or deleted rows are left out. */
  | (TableRange & { readonly kind: "appended"; readonly skipsChanges?: true })
  /** The changes of versions; of a whole table its rows, as inserts of that version. */
  | (TableRange & { readonly kind: "changes" })
  /** A whole table at a version. */
  | { readonly kind: "snapshot"; readonly tableId: string; readonly version: string };

/** What batches that were done come to: enough to go on from, without their manifests. */
export interface CompactedBatches {
  /** Number of the last of them. */
  readonly upTo: number;
  readonly sources: Readonly<Record<string, CompactedSource>>;
}
export interface CompactedSource {
  /** As the last of them had it, without files. */
  readonly position: BatchInput;
  /** All that a stream has given or passed over, by path. */
  readonly files: ReadonlyMap<string, SeenFile>;
}

/** Rows of a quarantine that a batch sends through its flow again, in the place of what is new in its streams. */
export interface Release {
  /** Complete name of the dataset whose rules set them aside. */
  readonly dataset: string;
  /** Of the quarantine. */
  readonly version: string;
  /** Which of the rows: Spark SQL over the columns of the quarantine. */
  readonly where: string;
  /** Corrections by column: Spark SQL over the same columns. */
  readonly set: Readonly<Record<string, string>>;
}

/**
 * One batch of a flow, written before anything else (law: rows and position are one fact). A retry reads it again and
 * does just what it says, though newer input has come.
 */
export interface Manifest {
  readonly format: 1;
  readonly batch: number;
  /** `reset` replaces the table's rows: the first batch after a full refresh. */
  readonly mode: "append" | "overwrite" | "reset";
  /** Of the query and of its target's definition. */
  readonly fingerprint: string;
  /** UTC, ISO 8601. */
  readonly created: string;
  /** By source, named by what it is: `stream table /data/orders` (`plan/inputs.ts`). */
  readonly inputs: Readonly<Record<string, BatchInput>>;
  readonly release?: Release;
}
