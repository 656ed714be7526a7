import type { AnyColumns, ColumnName } from "./column-types.js";
import type { Dictionary } from "./sap-dictionary.js";
import type { SapTable } from "./sap-types.js";
import type { MaterializedViewOptions, Relation } from "./types.js";

/** A table of the SAP library, or a relation with the same columns, one row a key, and `event_ts`. */
export type Snapshot = SapTable<string, unknown> | Relation<unknown>;

export interface SalesOrderParts {
  /** VBAK */
  readonly header: Snapshot;
  /** VBAP */
  readonly items: Snapshot;
  /** VBPA */
  readonly partners?: Snapshot;
  /** VBFA */
  readonly flow?: Snapshot;
  /** VBKD */
  readonly business?: Snapshot;
  /** VBUK: the statuses of ECC; S/4HANA has them in VBAK. */
  readonly status?: Snapshot;
  /** VBUP: those of the items. */
  readonly itemStatus?: Snapshot;
}
export interface PurchaseOrderParts {
  /** EKKO */
  readonly header: Snapshot;
  /** EKPO */
  readonly items: Snapshot;
  /** EKET */
  readonly schedule?: Snapshot;
  /** EKBE */
  readonly history?: Snapshot;
}
export interface AccountingDocumentParts {
  /** BKPF */
  readonly header: Snapshot;
  /** BSEG */
  readonly items: Snapshot;
}

export interface DocumentOptions<N extends string, C>
  extends Omit<MaterializedViewOptions<never, C>, "schema" | "dialect"> {
  /** Default: see the function. */
  readonly name?: N;
  /** Source of the spec that relations are of, which no sapTable made. Default: the other parts', else the only one. */
  readonly system?: string;
  /** Columns that are taken beside the key; default: all. */
  readonly columnList?: readonly ColumnName<C>[];
}

/** The stored codes of partner functions, by those of English screens. */
interface PartnerFunctions {
  readonly SP: "AG";
  readonly SH: "WE";
  readonly BP: "RE";
  readonly PY: "RG";
}
type Stored<R extends string> = R extends keyof PartnerFunctions ? PartnerFunctions[R] : R;

type Show<T> = { readonly [K in keyof T]: T[K] };
type Named<N extends string, T extends string> = { readonly [K in N]: T };
type Suffixed<C, S extends string> = { readonly [K in keyof C & string as `${K}_${S}`]: C[K] };
type PartColumns<P, T extends keyof Dictionary> =
  P extends SapTable<string, infer C> ? (unknown extends C ? AnyColumns : C) : Dictionary[T];
/** The columns of a part, where it is given, and others that come with it. */
type Part<P, K extends string, T extends keyof Dictionary, S extends string, More = unknown> = K extends keyof P
  ? Suffixed<PartColumns<P[K], T>, S> & More
  : unknown;
type PartnerSuffix<R extends readonly string[]> = R extends readonly [string]
  ? "vbpa"
  : `vbpa_${Lowercase<Stored<R[number]>>}`;
type Freshness = Named<"event_ts", "TIMESTAMP">;

export type SalesOrderColumns<P, R extends readonly string[] = readonly ["WE"]> = Show<
  Part<P, "header", "VBAK", "vbak", Named<"status_source", "STRING">> &
    Part<P, "items", "VBAP", "vbap"> &
    Part<P, "partners", "VBPA", PartnerSuffix<R>, Named<`reason_${PartnerSuffix<R>}`, "STRING">> &
    Part<P, "business", "VBKD", "vbkd", Named<"reason_vbkd", "STRING">> &
    Part<P, "status", "VBUK", "vbuk"> &
    Part<P, "itemStatus", "VBUP", "vbup"> &
    ("flow" extends keyof P
      ? Named<"delivered_vbfa" | "billed_vbfa", "DECIMAL(25,3)"> & Named<"meins_vbfa" | "reason_vbfa", "STRING">
      : unknown) &
    Freshness
>;
export type PurchaseOrderColumns<P> = Show<
  Part<P, "header", "EKKO", "ekko"> &
    Part<P, "items", "EKPO", "ekpo", Named<"reason_ekpo", "STRING">> &
    ("schedule" extends keyof P
      ? Named<"scheduled_eket" | "delivered_eket", "DECIMAL(23,3)"> &
          Named<"next_date_eket", "DATE"> &
          Named<"reason_eket", "STRING">
      : unknown) &
    ("history" extends keyof P
      ? Named<"received_ekbe" | "invoiced_ekbe", "DECIMAL(23,3)"> &
          Named<"to_deliver_ekpo" | "ordered_not_invoiced_ekpo" | "received_not_invoiced_ekbe", "DECIMAL(24,3)"> &
          Named<"status_ekpo" | "reason_ekbe", "STRING">
      : unknown) &
    Freshness
>;
export type AccountingDocumentColumns<P> = Show<
  Part<P, "header", "BKPF", "bkpf", Named<"posted_bkpf" | "reversed_bkpf", "BOOLEAN">> &
    Part<
      P,
      "items",
      "BSEG",
      "bseg",
      Named<"signed_dmbtr_bseg" | "signed_wrbtr_bseg", string> & Named<"reason_bseg", "STRING">
    > &
    Freshness
>;
