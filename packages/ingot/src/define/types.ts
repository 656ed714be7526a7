import type {
  AnyColumns,
  ColumnName,
  ColumnsOf,
  SchemaInput,
  Tables,
  WithColumns,
  WithoutColumns,
} from "./column-types.js";

declare const COLUMNS: unique symbol;
declare const SQL: unique symbol;

// ── relations ──

/** What may stand after FROM. `${relation}` in a template is its name (or table function), and a dependency. */
export interface Relation<C = AnyColumns> {
  readonly kind: string;
  readonly [COLUMNS]?: C;
  /** A quoted column name for a template; checked by the compiler where the columns are known. */
  col(name: ColumnName<C>): Sql;
}
export interface Dataset<N extends string = string, C = AnyColumns> extends Relation<C> {
  readonly kind: "streaming-table" | "materialized-view" | "temporary-view" | "view";
  /** As declared: one to three parts. */
  readonly name: N;
}
export interface TableRef<N extends string = string, C = AnyColumns> extends Relation<C> {
  readonly kind: "reference" | "external";
  readonly name: N;
}
export interface FileSource<C = AnyColumns> extends Relation<C> {
  readonly kind: "files";
  readonly path: string;
}
export interface CdfColumns {
  readonly _change_type: "STRING";
  readonly _commit_version: "BIGINT";
  readonly _commit_timestamp: "TIMESTAMP";
}
export interface ChangeFeed<C = AnyColumns> extends Relation<C> {
  readonly kind: "change-feed";
  readonly of: string;
}

/** Columns of a relation value or of a table name. */
export type ColumnsIn<R> = R extends string
  ? R extends keyof Tables
    ? Tables[R]
    : AnyColumns
  : R extends Relation<infer C>
    ? unknown extends C
      ? AnyColumns
      : C
    : AnyColumns;
/** A table's name; the known ones are completed by the editor. */
export type KnownName = (keyof Tables & string) | (string & Record<never, never>);
export type ChangeFeedOf<R> = ChangeFeed<WithColumns<ColumnsIn<R>, CdfColumns>>;

export interface ChangeFeedOptions {
  /** First version whose changes are read; `"latest"`: only changes from now on. */
  readonly startingVersion?: number | bigint | "latest";
  readonly startingTimestamp?: string;
}
export interface ReadFilesOptions<S extends SchemaInput = SchemaInput> {
  readonly format?: "csv" | "json" | "parquet" | "text" | "binaryFile";
  readonly schema?: S;
  readonly schemaHints?: string;
  readonly header?: boolean;
  readonly enforceSchema?: boolean;
  readonly columnNameOfCorruptRecord?: string;
  readonly inferColumnTypes?: boolean;
  readonly schemaEvolutionMode?: "addNewColumns" | "rescue" | "failOnNewColumns" | "none";
  readonly rescuedDataColumn?: string;
  readonly pathGlobFilter?: string;
  readonly maxFilesPerTrigger?: number;
  readonly maxBytesPerTrigger?: string;
  /** A path that holds nothing: stop (default), or leave the flow out of this run with a notice. */
  readonly onMissing?: "fail" | "skip";
  /** Rename columns when read: lower case, other characters to _, runs collapsed. */
  readonly cleanColumnNames?: boolean;
  /** Any further option by Spark's or Auto Loader's name. */
  readonly options?: Readonly<Record<string, string | number | boolean>>;
}

// ── sql ──

/** A piece of Spark SQL. Immutable; knows where each character came from. */
export interface Sql {
  readonly [SQL]: true;
  readonly text: string;
}
/**
 * What `${}` takes. string → 'quoted'; bigint and safe integer → number; boolean, null; relation → its name;
 * Sql → spliced; array → comma list.
 */
export type SqlValue = string | number | bigint | boolean | null | Sql | Relation<unknown> | readonly SqlValue[];
export interface SqlTag {
  (text: TemplateStringsArray, ...values: SqlValue[]): Sql;
  /** A quoted identifier of one or more parts. */
  id(...parts: string[]): Sql;
  /** The values one after another, with `, ` or the given piece between. */
  join(parts: readonly SqlValue[], separator?: Sql): Sql;
  /** Text as it is. Never give it input from outside. */
  raw(text: string): Sql;
}
/** A condition or an expression: plain text, or a template. */
export type Expr = string | Sql;

// ── quality ──

export interface Expectation {
  readonly kind: "expectation";
  readonly name: string;
  readonly action: "warn" | "drop" | "fail" | "quarantine";
}
export interface ExpectOptions {
  /** Status code of a failed row; default: the name. */
  readonly status?: string;
  readonly comment?: string;
}
/** Of a rule that looks at rows beside each row. */
export interface TableExpectOptions extends ExpectOptions {
  /** Default: fail. */
  readonly action?: "warn" | "fail" | "quarantine";
}
/** Of a rule about the table, which no single row fails. */
export interface TableFactOptions {
  /** Default: fail. */
  readonly action?: "warn" | "fail";
  readonly comment?: string;
}
export interface RowCountOptions extends TableFactOptions {
  /** At least so many times the fewest rows that the table had after the last runs: 0 to 1. */
  readonly min: number;
  /** At most so many times the most rows: 1 or more. */
  readonly max: number;
  /** How many runs; default 5. */
  readonly runs?: number;
}
export type SingleValueOptions = Pick<TableFactOptions, "comment">;
export type Rules = Readonly<Record<string, Expr>>;
/** Lists inside the list are flattened. */
export type Expectations = readonly (Expectation | readonly Expectation[])[];
export interface Gate {
  /** Share of failed rows, 0 to 1. */
  readonly maxFailedShare?: number;
  readonly maxFailedRows?: number;
}
export type DriftAction = "ignore" | "notify" | "add" | "quarantine" | "stop";
/** Change at the inputs → what to do. A word alone stands for all kinds. */
export type DriftPolicy =
  | DriftAction
  | {
      readonly added?: DriftAction;
      readonly removed?: DriftAction;
      readonly renamed?: DriftAction;
      readonly widened?: DriftAction;
      readonly narrowed?: DriftAction;
      readonly retyped?: DriftAction;
      readonly keyChanged?: DriftAction;
    };

// ── datasets ──

export interface DatasetOptions<S extends SchemaInput> {
  readonly comment?: string;
  readonly schema?: S;
  readonly expectations?: Expectations;
  /** Where rows of expectOrQuarantine go; default `<schema>.<name>_quarantine`. */
  readonly quarantine?: string;
  readonly gate?: Gate;
  readonly drift?: DriftPolicy;
  readonly tags?: readonly string[];
  /**
   * The query is DuckDB's own SQL: a way out where Spark SQL has none. Not portable: only an engine of DuckDB runs it.
   * Of a streaming table it is refused.
   */
  readonly dialect?: "duckdb";
}
export interface TableOptions<S extends SchemaInput, C> extends DatasetOptions<S> {
  readonly tableProperties?: Readonly<Record<string, string | boolean | number>>;
  readonly clusterBy?: readonly ColumnName<C>[] | "auto";
  readonly partitionCols?: readonly ColumnName<C>[];
  readonly location?: string;
  /** Not in the catalog; seen in this pipeline only. */
  readonly private?: boolean;
}
export interface StreamingTableOptions<S extends SchemaInput, C> extends TableOptions<S, C> {
  /** History outside the stream, loaded in ranges by `ingot backfill NAME --chunks '<chunkBy> a..b'`. */
  readonly backfill?: { readonly source: Relation<unknown>; readonly chunkBy: string };
}
export interface MaterializedViewOptions<S extends SchemaInput, C> extends TableOptions<S, C> {
  /** Whether the view follows the changes of its inputs or is computed anew: see docs/streams.md. */
  readonly refreshPolicy?: "auto" | "incremental" | "incremental strict" | "full";
}
export interface WithQuery {
  readonly query: Sql;
}
export type ViewOptions<S extends SchemaInput> = Omit<DatasetOptions<S>, "quarantine" | "gate">;

// ── flows ──

export interface Flow<T = Dataset> {
  readonly kind: "flow";
  readonly name: string;
  /** The table that it fills, knowing the columns that arrive. */
  readonly target: T;
}
export type Target = Dataset<string, unknown> | string;
export type Source = Relation<unknown> | string;
export type TargetOf<T, C> =
  T extends Dataset<infer N, infer D>
    ? Dataset<N, string extends keyof D ? C : D>
    : T extends string
      ? TableRef<T, C>
      : never;

interface FlowOptions<T> {
  readonly target: T;
  /** One part; default: the target's. Name and target are the identity of the flow's checkpoint. */
  readonly name?: string;
  readonly comment?: string;
}
export interface AppendFlowOptions<T> extends FlowOptions<T> {
  readonly query: Sql;
  /** Run at the first update and after a full refresh only. */
  readonly once?: boolean;
}
export type ReplaceFlowOptions<T> = FlowOptions<T> & { readonly query: Sql } & (
    | { readonly replaceWhere: Expr }
    | {
        readonly replaceUsing: readonly ColumnName<ColumnsIn<T>>[];
        readonly sequenceBy: ColumnName<ColumnsIn<T>>;
      }
  );

type Names<C> = readonly ColumnName<C>[];
type Keys<C> = readonly [ColumnName<C>, ...ColumnName<C>[]];
type TrackHistory<C> =
  | { readonly trackHistoryColumnList?: Names<C>; readonly trackHistoryExceptColumnList?: never }
  | { readonly trackHistoryColumnList?: never; readonly trackHistoryExceptColumnList?: Names<C> };
type ByScdType<C> =
  | {
      readonly storedAsScdType?: 1 | "1";
      readonly applyAsTruncates?: Expr;
      readonly trackHistoryColumnList?: never;
      readonly trackHistoryExceptColumnList?: never;
    }
  | ({ readonly storedAsScdType: 2 | "2"; readonly applyAsTruncates?: never } & TrackHistory<C>);
type OneColumnList<C, L extends string, X extends string> =
  | { readonly columnList?: readonly (L & ColumnName<C>)[]; readonly exceptColumnList?: never }
  | { readonly columnList?: never; readonly exceptColumnList?: readonly (X & ColumnName<C>)[] };

export type ScdType = 1 | 2 | "1" | "2";
export type AutoCdcOptions<S, T, L extends string, X extends string, K> = FlowOptions<T> & {
  readonly source: S;
  /** Columns of the source, at least one. */
  readonly keys: Keys<ColumnsIn<S>>;
  /** A column, several (compared as a STRUCT), or an expression. */
  readonly sequenceBy: ColumnName<ColumnsIn<S>> | Names<ColumnsIn<S>> | Sql;
  readonly applyAsDeletes?: Expr;
  readonly ignoreNullUpdates?:
    | boolean
    | { readonly on: Names<ColumnsIn<S>> }
    | { readonly except: Names<ColumnsIn<S>> };
  /** A column of type ARRAY<STRING>: the names of the columns that a change writes, NULLs too; others keep their values. */
  readonly columnsToUpdate?: ColumnName<ColumnsIn<S>>;
  /** At the same sequence: "upsert" wins (default), or "delete" (SLT). */
  readonly ties?: "upsert" | "delete";
  /** NULL key or sequence: refuse the batch (default), or quarantine the rows. */
  readonly onInvalid?: "fail" | "quarantine";
  /** Share of the target's rows, 0 to 1, that one batch may delete. */
  readonly maxDeleteShare?: number;
  readonly onArchiveDelete?: "delete" | "keep";
  readonly once?: boolean;
  readonly storedAsScdType?: K;
} & OneColumnList<ColumnsIn<S>, L, X> &
  ByScdType<ColumnsIn<S>>;

/** SCD type 2 adds the validity columns; their type is the sequence's. */
type WithValidity<C, K> = K extends 2 | "2"
  ? WithColumns<C, { readonly __START_AT: string; readonly __END_AT: string }>
  : C;
/** Columns that AUTO CDC writes: the listed ones, or all but the excluded ones. */
export type AutoCdcColumns<S, L extends string, X extends string, K> = WithValidity<
  [L] extends [never] ? WithoutColumns<ColumnsIn<S>, X> : Pick<ColumnsIn<S>, L & keyof ColumnsIn<S>>,
  K
>;

export type SnapshotCdcOptions<S, T> = Omit<FlowOptions<T>, "comment"> & {
  readonly source: S;
  /** The snapshot's version; they must rise. */
  readonly version?: Sql;
  readonly keys: Keys<ColumnsIn<S>>;
  /** A snapshot with fewer rows than this share (0 to 1) of the last one stops the flow. */
  readonly minRowShare?: number;
  readonly once?: boolean;
} & ({ readonly storedAsScdType?: 1 | "1" } | ({ readonly storedAsScdType: 2 | "2" } & TrackHistory<ColumnsIn<S>>));

export type TableColumns<N extends string, S> = NoInfer<ColumnsOf<N, S>>;
