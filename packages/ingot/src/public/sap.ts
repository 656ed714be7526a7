import { outsideScope } from "../define/outside.js";
import { createSapApi } from "../define/sap.js";
import type { SapApi } from "../define/sap-types.js";
import { defaultSystem } from "../sap/system.js";

export type { Columns } from "../define/column-types.js";
export type * from "../define/sap-dictionary.js";
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

/** The consolidated sales order, one materialized view. @throws IngotError NOT_SUPPORTED: not there yet */
export const salesOrder: SapApi["salesOrder"] = api.salesOrder;

/**
 * A text table for a join that multiplies no rows: of each key the text in the wanted language, else in the first
 * fallback that has one. The language column tells which; a key without any has no row: join it with LEFT JOIN.
 *
 * @throws IngotError UNKNOWN_OPTION, BAD_OPTION
 */
export const texts: SapApi["texts"] = api.texts;
