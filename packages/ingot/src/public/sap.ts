import { outsideScope } from "../define/outside.js";
import { createSapApi } from "../define/sap.js";
import type { SapApi } from "../define/sap-api-types.js";
import { defaultSystem } from "../sap/system.js";

export type { Columns } from "../define/column-types.js";
export type * from "../define/sap-api-types.js";
export type * from "../define/sap-dictionary.js";
export type * from "../define/sap-document-types.js";
export type * from "../define/sap-types.js";

const api: SapApi = createSapApi(outsideScope(), [await defaultSystem()]);

/**
 * A table of SAP, from its landing files to its newest state: a streaming table with change feed that keeps what came, a
 * temporary view that reads it as changes and sets aside what is none, the snapshot, and the AUTO CDC flow on the
 * dictionary's key. `ingot run --explain` prints the plain statements.
 *
 * @param table as SAP names it; one that no dictionary describes needs `keys`
 * @throws IngotError UNKNOWN_OPTION, BAD_OPTION, AUTOCDC_EMPTY_KEYS, SAP_SOURCE_NOT_FOUND
 */
export const sapTable: SapApi["sapTable"] = api.sapTable;

/**
 * A sales order, one row an item, as one materialized view: VBAK and VBAP, and what is given of partners and business data
 * (the item's row, else the header's), delivered and billed quantities, and the statuses by the source's release. Columns
 * are named `<column>_<table>`. Default name `silver_sd_sales_order`.
 *
 * @throws IngotError UNKNOWN_OPTION, BAD_OPTION, SAP_SOURCE_NOT_FOUND
 */
export const salesOrder: SapApi["salesOrder"] = api.salesOrder;

/**
 * A purchase order, one row an item, as one materialized view: EKKO and EKPO, and what is given of the schedule and of the
 * history: received, invoiced, what is open of both, and a status. Default name `silver_mm_purchase_order`.
 *
 * @throws IngotError UNKNOWN_OPTION, BAD_OPTION, SAP_SOURCE_NOT_FOUND
 */
export const purchaseOrder: SapApi["purchaseOrder"] = api.purchaseOrder;

/**
 * An accounting document, one row a line, as one materialized view: BKPF and BSEG with signed amounts, debit positive, and
 * marks of what is posted and reversed. Default name `silver_fi_accounting_document`.
 *
 * @throws IngotError UNKNOWN_OPTION, BAD_OPTION, SAP_SOURCE_NOT_FOUND
 */
export const accountingDocument: SapApi["accountingDocument"] = api.accountingDocument;

/**
 * A text table for a join that multiplies no rows: of each key the text in the wanted language, else in the first
 * fallback that has one. The language column tells which; a key without any has no row: join it with LEFT JOIN.
 *
 * @throws IngotError UNKNOWN_OPTION, BAD_OPTION
 */
export const texts: SapApi["texts"] = api.texts;

/**
 * The exchange rates of TCURR and TCURF for a join that multiplies no rows: of a pair of currencies and a day (`valid_from`
 * to `valid_to`, both included) one row at most, with `ukurs`, `ffact` and `tfact` for `sap_convert`. A pair without a rate
 * has no row: join it with LEFT JOIN.
 *
 * @throws IngotError UNKNOWN_OPTION, BAD_OPTION, SAP_SOURCE_NOT_FOUND
 */
export const rates: SapApi["rates"] = api.rates;
