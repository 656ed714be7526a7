import type { Field } from "./data-type.js";
import type { TableName } from "./name.js";
import type { Position, SqlText } from "./position.js";
import type { Dialect } from "./query.js";

export type DatasetKind = "streaming-table" | "materialized-view" | "temporary-view" | "view";

/** A dataset as declared, its name completed. Options that nobody gave are absent. */
export interface Dataset {
  readonly kind: DatasetKind;
  readonly name: TableName;
  readonly at: Position;
  readonly comment?: string;
  /** Declared columns; a column without a type only carries its comment or constraint. */
  readonly columns?: readonly ColumnDefinition[];
  /** PRIMARY KEY and FOREIGN KEY clauses, informational, as text. */
  readonly constraints?: readonly SqlText[];
  readonly expectations: readonly Expectation[];
  readonly properties: Readonly<Record<string, string>>;
  readonly partitionBy?: readonly string[];
  readonly clusterBy?: readonly string[] | "auto";
  readonly location?: string;
  readonly private?: boolean;
  readonly ifNotExists?: boolean;
  readonly refreshPolicy?: "auto" | "incremental" | "incremental strict" | "full";
  readonly rowFilter?: { readonly function: string; readonly columns: readonly string[] };
  readonly quarantine?: string;
  readonly gate?: { readonly maxFailedShare?: number; readonly maxFailedRows?: number };
  readonly drift?: Readonly<Record<string, string>> | string;
  readonly tags?: readonly string[];
  readonly backfill?: { readonly source: SqlText; readonly chunkBy: string };
  /** What its query is written in; absent: Spark SQL. */
  readonly dialect?: Dialect;
}

export interface ColumnDefinition {
  readonly name: string;
  /** DDL text of the type, e.g. `DECIMAL(10,2)`; absent where only the name stands. */
  readonly type?: SqlText;
  readonly notNull?: boolean;
  readonly comment?: string;
  readonly sensitive?: boolean;
  /** DEFAULT, GENERATED, MASK, PRIMARY KEY …: kept as text, refused or informational. */
  readonly extra?: readonly SqlText[];
}

export type ExpectationAction = "warn" | "drop" | "fail" | "quarantine";

export interface Expectation {
  readonly name: string;
  /** Over the columns of a row; or, where it looks at the whole table, the clause: `UNIQUE (a, b)`. */
  readonly condition: SqlText;
  readonly wholeTable?: true;
  readonly action: ExpectationAction;
  readonly status?: string;
  readonly comment?: string;
  readonly at: Position;
}

/** What fills a dataset. A flow's name defaults to its target's; name and target are the identity of its checkpoint. */
export type Flow = QueryFlow | AutoCdcFlow | SnapshotCdcFlow | ReplaceFlow;

interface FlowBase {
  /** One part; unique within the pipeline together with the target. */
  readonly name: string;
  readonly target: TableName;
  readonly at: Position;
  readonly comment?: string;
  /** Catalog and schema that complete the names in the query (`USE` changes them within a file). */
  readonly defaults: { readonly catalog: string; readonly schema: string };
  /** Runs one time, until the target is fully refreshed. */
  readonly once?: boolean;
}
/** The query of a dataset (a view's too), or an append flow. */
export interface QueryFlow extends FlowBase {
  readonly kind: "query";
  readonly query: SqlText;
}
export interface AutoCdcFlow extends FlowBase {
  readonly kind: "auto-cdc";
  readonly source: SqlText;
  readonly keys: readonly string[];
  readonly sequenceBy: SqlText;
  readonly systemSequenceBy?: SqlText;
  readonly applyAsDeletes?: SqlText;
  readonly applyAsTruncates?: SqlText;
  readonly columnList?: readonly string[];
  readonly exceptColumnList?: readonly string[];
  readonly columnsToUpdate?: string;
  readonly storedAs: "scd1" | "scd2" | "bitemporal";
  readonly trackHistoryColumnList?: readonly string[];
  readonly trackHistoryExceptColumnList?: readonly string[];
  readonly ignoreNullUpdates?: true | { readonly on: readonly string[] } | { readonly except: readonly string[] };
  readonly ties?: "upsert" | "delete";
  readonly onInvalid?: "fail" | "quarantine";
  readonly maxDeleteShare?: number;
  readonly onArchiveDelete?: "delete" | "keep";
}
export interface SnapshotCdcFlow extends FlowBase {
  readonly kind: "auto-cdc-from-snapshot";
  readonly source: SqlText;
  readonly version?: SqlText;
  readonly keys: readonly string[];
  readonly storedAs: "scd1" | "scd2";
  readonly trackHistoryColumnList?: readonly string[];
  readonly trackHistoryExceptColumnList?: readonly string[];
  readonly minRowShare?: number;
}
export interface ReplaceFlow extends FlowBase {
  readonly kind: "replace";
  readonly query: SqlText;
  readonly replaceWhere?: SqlText;
  readonly replaceUsing?: readonly string[];
  readonly sequenceBy?: string;
}

/** A table that another pipeline owns: read, never written. */
export interface ExternalTable {
  readonly name: TableName;
  /** A Delta folder, where it is not found by its name. */
  readonly path?: string;
  readonly schema?: readonly Field[];
  readonly at: Position;
}

export interface Notice {
  readonly level: "INFO" | "WARN";
  readonly message: string;
  readonly at: Position;
}

/** All that the definitions of a project say, in any file order. */
export interface Definitions {
  readonly datasets: readonly Dataset[];
  readonly flows: readonly Flow[];
  readonly externals: readonly ExternalTable[];
  readonly notices: readonly Notice[];
}
