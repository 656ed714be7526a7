import type { BatchFile } from "../model/batch.js";
import type { Field } from "../model/data-type.js";
import type { FileRead } from "../model/file-read.js";
import type { AsOf, CompiledQuery, Dialect } from "../model/query.js";
import type { DeclaredTable, TableState } from "../model/table.js";
import type { Compiler } from "../sql/compiler.js";

/**
 * What executes the steps of a plan. Everything above speaks of queries and tables; what a file or a commit looks like
 * is known below.
 */
export interface Engine {
  /**
   * The table in a folder, or undefined where the folder is absent or empty.
   *
   * @throws IngotError NO_DELTA_TABLE (a folder with other content), DELTA_…
   */
  describe(location: string, asOf?: AsOf): Promise<TableState | undefined>;
  /**
   * The properties of a table that is declared, named and written as the engine keeps them. Looks at nothing else.
   *
   * @throws IngotError DELTA_… for a property, or the name of a column, that no table can have
   */
  declare(table: DeclaredTable): Promise<Readonly<Record<string, string>>>;
  /**
   * Refuses a streaming read of a table whose versions after `after` did more than append rows.
   *
   * @throws IngotError DELTA_SOURCE_TABLE_IGNORE_CHANGES
   */
  checkAppendOnly(location: string, after: bigint | undefined, to: bigint): Promise<void>;
  /** Compilers of the SQL that the engine has beside Spark's, for datasets with such a `dialect`. */
  readonly dialects: Readonly<Partial<Record<Dialect, Compiler>>>;
  /** Executes one step in one commit; a part that the table already has (its `txn`) is left out. */
  write(step: WriteStep, signal: AbortSignal): Promise<WriteResult>;
  /** Runs a query and gives its first `limit` rows. */
  query(query: BoundQuery, options: { readonly limit?: number; readonly signal: AbortSignal }): Promise<ResultSet>;
  close(): Promise<void>;
}

/** A query with the rows that each of its relations stands for. */
export interface BoundQuery {
  readonly query: CompiledQuery;
  readonly inputs: ReadonlyMap<string, BoundInput>;
}

export type BoundInput =
  /** `schema`: the columns that the query was typed with; one that an older version lacks is NULL. */
  | {
      readonly kind: "snapshot";
      readonly location: string;
      readonly version: bigint;
      readonly schema?: readonly Field[];
    }
  | {
      readonly kind: "appended";
      readonly location: string;
      readonly after?: bigint;
      readonly to: bigint;
      readonly schema?: readonly Field[];
    }
  /** `columns`: all that the query sees but `_metadata`; a file that lacks one gives NULL. */
  | {
      readonly kind: "files";
      readonly read: FileRead;
      readonly columns: readonly Field[];
      readonly files: readonly BatchFile[];
    }
  | { readonly kind: "view"; readonly view: BoundQuery };

/** Where a step writes, and what the table is to be after it. */
export interface TargetTable extends DeclaredTable {
  readonly location: string;
  readonly comment?: string;
}

export interface WriteStep {
  readonly target: TargetTable;
  readonly mode: "append" | "overwrite";
  /** One a flow. */
  readonly parts: readonly WritePart[];
  /** Note in the commit, by which the writer knows its own commit again. */
  readonly note: string;
}

export interface WritePart {
  readonly bound: BoundQuery;
  /** The flow's checkpoint and its batch: the same pair is never committed twice. */
  readonly transaction: { readonly appId: string; readonly version: bigint };
  /** Rows that must come out, where the query keeps every record of its files. Another count: BALANCE, no commit. */
  readonly expectedRows?: number;
  /** Output column that holds raw text of records that did not fit; counted. */
  readonly corruptRecordColumn?: string;
}

export interface WriteResult {
  /** Version that holds the step; the table's newest one where there was nothing to commit. */
  readonly version: bigint;
  /** What each part of the step wrote, in their order: nothing, where the table had it already. */
  readonly parts: readonly PartResult[];
}

export interface PartResult {
  readonly rows: number;
  readonly bytes: number;
  readonly corruptRecords?: number;
  /** Records that reads with DROPMALFORMED left out; absent for none. */
  readonly droppedRecords?: number;
}

export interface ResultSet {
  readonly columns: readonly Field[];
  /** Values in the columns' order; texts in Spark's form, except boolean, numbers up to 32 bits and doubles. */
  readonly rows: readonly (readonly Value[])[];
  /** More rows were there than asked for. */
  readonly truncated: boolean;
}

/** A value as JSON can hold it without loss: see `engine/duckdb/values.ts`. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [field: string]: Value };
