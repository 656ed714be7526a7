import { outsideScope } from "../define/outside.js";
import { createSapApi } from "../define/sap.js";
import type { SapApi } from "../define/sap-types.js";

export type { Columns } from "../define/column-types.js";
export type * from "../define/sap-types.js";

const api: SapApi = createSapApi(outsideScope());

/**
 * Bronze with change feed, typed change view, AUTO CDC snapshot and checks of a SAP table: four plain declarations.
 *
 * @throws IngotError NOT_SUPPORTED: the SAP library is not there yet
 */
export const sapTable: SapApi["sapTable"] = api.sapTable;

/** The consolidated sales order, one materialized view. @throws IngotError NOT_SUPPORTED, as {@link sapTable} */
export const salesOrder: SapApi["salesOrder"] = api.salesOrder;

/**
 * A text table joined so that no row is multiplied: one language, then the fallbacks.
 *
 * @throws IngotError NOT_SUPPORTED, as {@link sapTable}
 */
export const texts: SapApi["texts"] = api.texts;
