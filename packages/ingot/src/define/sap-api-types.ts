import type { AnyColumns } from "./column-types.js";
import type {
  AccountingDocumentColumns,
  AccountingDocumentParts,
  DocumentOptions,
  PurchaseOrderColumns,
  PurchaseOrderParts,
  SalesOrderColumns,
  SalesOrderParts,
  Snapshot,
} from "./sap-document-types.js";
import type { ColumnsAs, DictionaryColumns, SapName, SapTable, SapTableOptions } from "./sap-types.js";
import type { Dataset, Relation } from "./types.js";

/** The functions of module `ingot/sap`; each is described where it is exported, in `public/sap.ts`. */
export interface SapApi {
  sapTable<const T extends SapName, const M extends "strings" | "typed" = "strings">(
    table: T,
    options?: SapTableOptions<DictionaryColumns<T>, M>,
  ): SapTable<T & string, ColumnsAs<M, DictionaryColumns<T>>>;
  salesOrder<
    const P extends SalesOrderParts,
    const N extends string = "silver_sd_sales_order",
    const R extends readonly [string, ...string[]] = readonly ["WE"],
  >(
    parts: P,
    options?: DocumentOptions<N, SalesOrderColumns<P, R>> & {
      /** Partner functions, as PARVW stores them or as English screens show them. Default `["WE"]`, the ship-to party. */
      readonly partnerRoles?: R;
    },
  ): Dataset<N, SalesOrderColumns<P, R>>;
  purchaseOrder<const P extends PurchaseOrderParts, const N extends string = "silver_mm_purchase_order">(
    parts: P,
    options?: DocumentOptions<N, PurchaseOrderColumns<P>>,
  ): Dataset<N, PurchaseOrderColumns<P>>;
  accountingDocument<const P extends AccountingDocumentParts, const N extends string = "silver_fi_accounting_document">(
    parts: P,
    options?: DocumentOptions<N, AccountingDocumentColumns<P>>,
  ): Dataset<N, AccountingDocumentColumns<P>>;
  texts<R extends Snapshot>(
    table: R,
    options?: {
      /** SPRAS or an ISO code; default `"E"`. */
      readonly language?: string;
      /** Languages for keys without a text in it, in this order. */
      readonly fallback?: readonly string[];
      /** Which table of SAP it is, where it was not made by sapTable. */
      readonly table?: string;
    },
  ): Relation<AnyColumns>;
  rates(
    tables: {
      /** TCURR */
      readonly rates: Snapshot;
      /** TCURF; without it the ratios that TCURR has itself count. */
      readonly factors?: Snapshot;
    },
    options?: {
      /** KURST; default `"M"`, the average rate. */
      readonly type?: string;
      /** The source of relations that sapTable has not made. */
      readonly system?: string;
    },
  ): Relation<AnyColumns>;
}
