import type { AnyColumns, ColumnName } from "./column-types.js";
import type { Dictionary } from "./sap-dictionary.js";
import type { Dataset, DriftPolicy, Expectations, Expr, FileSource, Flow, Gate, Relation } from "./types.js";

export type SapName = keyof Dictionary | (string & Record<never, never>);
export type DictionaryColumns<T> = T extends keyof Dictionary ? Dictionary[T] : AnyColumns;

/** Decoded columns have types that the compiler does not know. */
export type ColumnsAs<M, C> = M extends "typed" ? { readonly [K in keyof C]: string } : C;

export interface SapTableOptions<C, M extends "strings" | "typed"> {
  /**
   * Landing files; or an existing table that holds the changes, by its value or name, or its change feed. Default: the
   * files where its source lands them, by `landing` in the spec.
   */
  readonly from?: FileSource<unknown> | Relation<unknown> | string;
  /** Source system of the spec, which says how values are written and which release's tables hold. Default: the only one. */
  readonly system?: string;
  /** How rows say what happened; default `"plain"`: each row is the newest state of its key. */
  readonly changeFormat?: "plain" | "odq" | "recordmode" | "slt" | "fivetran" | "qlik" | "debezium" | "cdf";
  /** `"strings"` takes each field as the text that arrives (default); `"typed"` decodes it by its type. */
  readonly columns?: M;
  /** A condition over the landing table's columns: other rows stay there. */
  readonly where?: Expr;
  /** Columns that identify a row; default: the dictionary's key, the client among them. */
  readonly keys?: readonly [ColumnName<C>, ...ColumnName<C>[]];
  /** Fields that are taken beside the key; default: all that the dictionary has. */
  readonly columnList?: readonly ColumnName<C>[];
  /** Default `bronze.<table>`, `<table>_cdf`, `<table>_cur`. */
  readonly names?: { readonly bronze?: string; readonly changes?: string; readonly snapshot?: string };

  // Of the change view.
  /** Rules beside those of the library. */
  readonly expectations?: Expectations;
  readonly quarantine?: string;
  readonly gate?: Gate;
  readonly drift?: DriftPolicy;

  // Of the landing table.
  readonly backfill?: { readonly source: Relation<unknown>; readonly chunkBy: ColumnName<C> };

  // Of the snapshot.
  readonly comment?: string;
  readonly tags?: readonly string[];
  readonly tableProperties?: Readonly<Record<string, string | boolean | number>>;
  /** Default: the first four columns of the key. */
  readonly clusterBy?: readonly ColumnName<C>[] | "auto";

  // Of the flow.
  readonly scdType?: 1 | 2;
  /** Columns of the landing table that order the changes; default: the format's own, else the order of delivery. */
  readonly sequenceBy?: string | readonly string[];
  /** A condition over the change view; default: the format's. */
  readonly applyAsDeletes?: Expr;
  readonly ignoreNullUpdates?: boolean;
  readonly ties?: "upsert" | "delete";
  readonly maxDeleteShare?: number;
  readonly onArchiveDelete?: "delete" | "keep";
}
export interface SapTable<T extends string, C> {
  readonly table: T;
  /** 2: `snapshot` keeps the history of each key. */
  readonly scdType: 1 | 2;
  /** What was landed, or the table that `from` names. */
  readonly bronze: Dataset<string, AnyColumns>;
  readonly changes: Dataset<string, C>;
  /**
   * `event_ts` is when a row was changed or, where the order of delivery counts, delivered. It is not there where the
   * changes have a sequence that is no time.
   */
  readonly snapshot: Dataset<string, C & { readonly event_ts: "TIMESTAMP" }>;
  readonly flow: Flow;
}
