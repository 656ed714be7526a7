import type { Field } from "./data-type.js";
import type { FileRead } from "./file-read.js";
import type { Lineage } from "./lineage.js";
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

/** SQL that is not Spark's: an engine's own, which no other engine runs. */
export type Dialect = "duckdb";

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
  /** Where the result comes from; absent where that is not known: a dialect is the engine's own. */
  readonly lineage?: Lineage;
  /** The user wrote the text for this engine: it is not portable. */
  readonly dialect?: Dialect;
}
