import type { Field } from "./data-type.js";
import type { FileRead } from "./file-read.js";
import type { Lineage } from "./lineage.js";
import type { Position } from "./position.js";

/** A moment of a table: `VERSION AS OF 3`, `TIMESTAMP AS OF '2026-10-01'`. */
export type AsOf = { readonly version: bigint } | { readonly timestamp: string };

/** A version of a table in decimal, or the moment that tells it, as text. */
export type Moment = { readonly version: string } | { readonly timestamp: string };

/** What a read of a table asks for beside its rows. Plain JSON: compiled queries are kept. */
export interface TableOptions {
  /** The rows that versions inserted, updated and deleted, each with its change, instead of the table's rows. */
  readonly changeFeed?: true;
  /** Version that is read first. A stream without it begins with all rows; "latest": with what comes after now. */
  readonly from?: Moment | "latest";
  /** Version that is read last; none: the newest. Of `table_changes`. */
  readonly to?: Moment;
  /** A stream leaves out versions that changed or deleted rows, instead of stopping there. */
  readonly skipChangeCommits?: true;
  /** Most files, and about most bytes, of a stream's batch. */
  readonly maxFiles?: number;
  readonly maxBytes?: number;
}

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
  readonly options?: TableOptions;
}
/** A Delta folder: ``delta.`path` ``. */
export interface PathRelation extends Read {
  readonly kind: "path";
  readonly path: string;
  readonly asOf?: AsOf;
  readonly options?: TableOptions;
}
/** `read_files('path', option => value, …)`, checked and typed. */
export interface FilesRelation extends Read {
  readonly kind: "files";
  readonly files: FileRead;
}

/** Where further columns of a relation can stand in a query's lowered text. */
export interface ColumnRoom {
  /** Id of the relation, and the name that the text gives it. */
  readonly relation: string;
  readonly alias: string;
  /** Offset behind the last column. */
  readonly at: number;
}

/** How changed rows of what a query reads lead to changed rows of its result. */
export interface Propagation {
  /**
   * Ids of relations: rows that come to one of them while the others stay bring the rows that the query gives over them
   * alone, and rows that go take these away; where the relations that stand behind its id, those of other sides of a UNION
   * ALL, have no rows. With `groups`, so it is of the rows that are grouped.
   */
  readonly linear: Readonly<Record<string, readonly string[]>>;
  /** The result has rows for each group of rows, which depend on the rows of the group alone. */
  readonly groups?: QueryGroups;
  /** The result is one row over all rows, which comes of such rows over parts of them. */
  readonly totals?: QueryTotals;
}

export interface QueryGroups {
  /** DuckDB's text of the groups, each once: columns `k0`, `k1`, …. */
  readonly keys: string;
  /** DuckDB's text of the query for the groups in the table {@link GROUPS} alone, whose columns are those of `keys`. */
  readonly some: string;
  /** Columns of the result that are the keys, in their order. */
  readonly columns: readonly string[];
}

export interface QueryTotals {
  /** DuckDB's text of the number of rows that are aggregated: column `n`. */
  readonly rows: string;
  /** By column of the result. */
  readonly columns: readonly TotalKind[];
}

/** The aggregate of an aggregate's values over parts of the rows that gives its value over all of them; counts add up. */
export type TotalKind = "count" | "sum" | "min" | "max" | "bool_and" | "bool_or" | "bit_and" | "bit_or";

/** Name of a table of the connection that `QueryGroups.some` reads. */
export const GROUPS = "ingot_groups";

/** SQL that is not Spark's: an engine's own, which no other engine runs. */
export type Dialect = "duckdb";

/**
 * A part of a query's text in Spark SQL: what stands there, the place of a relation by its id, or the place of further
 * columns of one behind the select list.
 */
export type SparkPart = string | { readonly relation: string } | { readonly room: string; readonly alias: string };

/** A query, typed and lowered. A value: it is cached by the fingerprint of its text and of its inputs' schemas. */
export interface CompiledQuery {
  readonly reads: readonly Relation[];
  /** Names and Spark types of the result's columns. */
  readonly schema: readonly Field[];
  /** DuckDB's text of the query; its sources are the relations' ids, quoted. */
  readonly duckdb: string;
  /** Spark's: as written, with what is Ingot's alone put in Spark's words. Absent for a dialect. */
  readonly spark?: readonly SparkPart[];
  /** The same inputs give the same rows: no clock, no random numbers. */
  readonly deterministic: boolean;
  /** One row out for each row in: a projection of one relation, without a filter. */
  readonly preservesRows: boolean;
  /** Where its rows are rows of one relation, filtered or not: a place for further columns of it. */
  readonly room?: ColumnRoom;
  /** Absent where any row may change with any other. */
  readonly propagation?: Propagation;
  /** Why `propagation` is absent, in words; absent for a dialect too. */
  readonly entangled?: string;
  /** Where the result comes from; absent where that is not known: a dialect is the engine's own. */
  readonly lineage?: Lineage;
  /** The user wrote the text for this engine: it is not portable. */
  readonly dialect?: Dialect;
}
