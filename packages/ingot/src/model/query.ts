import type { Field } from "./data-type.js";
import type { Position } from "./position.js";

/** A moment of a table: `VERSION AS OF 3`, `TIMESTAMP AS OF '2026-10-01'`. */
export type AsOf = { readonly version: bigint } | { readonly timestamp: string };

/**
 * One thing that a query reads. `id` (`r0`, `r1`, … in the order of the text) is the name under which the lowered
 * query reads it; the engine puts the rows there.
 */
export type Relation = TableRelation | PathRelation | FilesRelation;

interface Read {
  readonly id: string;
  /** Read with STREAM: each row once. */
  readonly stream: boolean;
  readonly at: Position;
}
/** A dataset, a view or an external table, by one to three name parts. */
export interface TableRelation extends Read {
  readonly kind: "table";
  readonly name: readonly string[];
  readonly asOf?: AsOf;
}
/** A Delta folder: ``delta.`path` ``. */
export interface PathRelation extends Read {
  readonly kind: "path";
  readonly path: string;
  readonly asOf?: AsOf;
}
/** `read_files('path', option => value, …)`, checked and typed. */
export interface FilesRelation extends Read {
  readonly kind: "files";
  readonly files: FileRead;
}

/** What `read_files` says about its files, after its options are checked. */
export interface FileRead {
  /** As written: relative to the spec's folder, or absolute. A file, a folder (read with all below it) or a glob. */
  readonly path: string;
  readonly format: "csv";
  /** Columns in the file's order; the corrupt-record column, where there is one, is among them. */
  readonly schema: readonly Field[];
  readonly header: boolean;
  /** False: a header that does not name the schema's columns is refused. True: the header is ignored. */
  readonly enforceSchema: boolean;
  readonly sep: string;
  readonly quote: string;
  readonly escape: string;
  /** Column that takes the raw text of a record that does not fit the schema. Without one such records stop the flow. */
  readonly corruptRecordColumn?: string;
  /** Only files whose name matches this glob. */
  readonly pathGlobFilter?: string;
}

/** A query, typed and lowered. A value: it is cached by the fingerprint of its text and of its inputs' schemas. */
export interface CompiledQuery {
  readonly reads: readonly Relation[];
  /** Names and Spark types of the result's columns. */
  readonly schema: readonly Field[];
  /** DuckDB's text of the query; its sources are the relations' ids, quoted. */
  readonly duckdb: string;
  /** The same inputs give the same rows: no clock, no random numbers. */
  readonly deterministic: boolean;
  /** One row out for each row in: a projection of one relation, without a filter. */
  readonly preservesRows: boolean;
}
