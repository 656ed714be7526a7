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
  /** Records, counted apart from the engine: lines that are not blank, without the header. */
  readonly records: number;
  /** Lines before the first record: the header and blank lines before it. */
  readonly skipLines: number;
  /** How all lines end; "mixed" where they end in several ways, or the file holds what only our own reader splits right. */
  readonly lineEnd: LineEnd | "mixed";
  /** Bytes of the longest line, without its end. */
  readonly longestLine: number;
}

/** A file that was found and is not loaded. Nothing of it is lost: every run tells it until someone decides. */
export interface HeldFile {
  readonly path: string;
  readonly reason: "changed" | "copy" | "empty" | "bad-encoding";
  /** One sentence for people, with the hashes or the place. */
  readonly detail: string;
}

/** What one input of a batch gives: exact files, or exact versions of a table. */
export type BatchInput =
  | { readonly kind: "files"; readonly files: readonly BatchFile[] }
  /** The rows that the versions after `after` (none: from the first) up to `to` appended. */
  | { readonly kind: "appended"; readonly tableId: string; readonly after?: string; readonly to: string }
  /** A whole table at a version. */
  | { readonly kind: "snapshot"; readonly tableId: string; readonly version: string };

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
}
