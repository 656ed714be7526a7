import type { AnyColumns, ColumnName } from "./column-types.js";
import type { Dataset, DriftPolicy, Expectations, FileSource, Flow, Relation } from "./types.js";

/** SAP tables by name, with the columns of their silver form; widened by `ingot types` with the project's own. */
export interface Dictionary {
  VBAK: {
    mandt: "STRING";
    vbeln: "STRING";
    erdat: "STRING";
    auart: "STRING";
    kunnr: "STRING";
    vdatu: "STRING";
    netwr: "STRING";
    waerk: "STRING";
    gbstk: "STRING";
  };
  VBAP: {
    mandt: "STRING";
    vbeln: "STRING";
    posnr: "STRING";
    matnr: "STRING";
    kwmeng: "STRING";
    vrkme: "STRING";
    netwr: "STRING";
    waerk: "STRING";
  };
  VBPA: { mandt: "STRING"; vbeln: "STRING"; posnr: "STRING"; parvw: "STRING"; kunnr: "STRING" };
  VBFA: {
    mandt: "STRING";
    vbelv: "STRING";
    posnv: "STRING";
    vbeln: "STRING";
    posnn: "STRING";
    vbtyp_n: "STRING";
  };
  VBKD: { mandt: "STRING"; vbeln: "STRING"; posnr: "STRING"; zterm: "STRING"; inco1: "STRING" };
  MAKT: { mandt: "STRING"; matnr: "STRING"; spras: "STRING"; maktx: "STRING"; maktg: "STRING" };
  BSEG: {
    mandt: "STRING";
    bukrs: "STRING";
    belnr: "STRING";
    gjahr: "STRING";
    buzei: "STRING";
    dmbtr: "DECIMAL(13,2)";
    shkzg: "STRING";
  };
}
export type ChangeFormat = "plain" | "delta" | "odq" | "0recordmode" | "slt" | "debezium" | "fivetran" | "qlik";
export type SapName = keyof Dictionary | (string & Record<never, never>);
export type DictionaryColumns<T> = T extends keyof Dictionary ? Dictionary[T] : AnyColumns;

export interface SapTableOptions<C> {
  /** Landing files, or an existing Delta bronze with its change feed. Default: `<source.landing>/<table>/`. */
  readonly from?: FileSource<unknown> | Relation<unknown> | string;
  /** Source system of the spec (conventions: release, client, dates, amounts). Default: the only one. */
  readonly system?: string;
  readonly changeFormat?: ChangeFormat;
  /** `"strings"` keeps every column STRING in silver (default); `"typed"` decodes. */
  readonly columns?: "strings" | "typed";
  readonly where?: string;
  readonly keys?: readonly [ColumnName<C>, ...ColumnName<C>[]];
  readonly names?: { readonly bronze?: string; readonly changes?: string; readonly snapshot?: string };
  readonly scdType?: 1 | 2;
  readonly clusterBy?: readonly ColumnName<C>[];
  readonly expectations?: Expectations;
  readonly quarantine?: string;
  readonly drift?: DriftPolicy;
  readonly maxDeleteShare?: number;
  readonly backfill?: { readonly source: Relation<unknown>; readonly chunkBy: ColumnName<C> };
}
export interface SapTable<T extends string, C> {
  readonly table: T;
  readonly bronze: Dataset<string, C>;
  readonly changes: Dataset<string, C>;
  readonly snapshot: Dataset<string, C & { readonly event_ts: "TIMESTAMP" }>;
  readonly flow: Flow;
}

type Suffix<T extends keyof Dictionary> = {
  readonly [C in keyof Dictionary[T] & string as `${C}_${Lowercase<T>}`]: Dictionary[T][C];
};
type Show<T> = { readonly [K in keyof T]: T[K] };
/** A table of the SAP library, or any relation with the same columns. */
export type Snapshot = SapTable<string, unknown> | Relation<unknown>;
export type SalesOrderColumns = Show<
  Suffix<"VBAK"> & Suffix<"VBAP"> & Suffix<"VBPA"> & Suffix<"VBKD"> & { readonly event_ts: "TIMESTAMP" }
>;
export interface SalesOrderParts {
  readonly header: Snapshot;
  readonly items: Snapshot;
  readonly partners?: Snapshot;
  readonly flow?: Snapshot;
  readonly business?: Snapshot;
  readonly status?: Snapshot;
}

/** The functions of module `ingot/sap`; each is described where it is exported, in `public/sap.ts`. */
export interface SapApi {
  sapTable<const T extends SapName>(
    table: T,
    options?: SapTableOptions<DictionaryColumns<T>>,
  ): SapTable<T & string, DictionaryColumns<T>>;
  salesOrder<const N extends string = "silver_sd_sales_order">(
    parts: SalesOrderParts,
    options?: { readonly name?: N; readonly partnerRoles?: readonly string[]; readonly release?: "ecc" | "s4" },
  ): Dataset<N, SalesOrderColumns>;
  texts<R extends Snapshot>(
    table: R,
    options?: { readonly language?: string; readonly fallback?: readonly string[] },
  ): Relation<AnyColumns>;
}
