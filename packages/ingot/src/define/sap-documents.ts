import { nearest } from "../model/nearest.js";
import { accountingDocument } from "../sap/documents/accounting-document.js";
import { type DocumentQuery, printDocument } from "../sap/documents/document-query.js";
import { DocumentFault } from "../sap/documents/part.js";
import { purchaseOrder } from "../sap/documents/purchase-order.js";
import { salesOrder } from "../sap/documents/sales-order.js";
import type { SapSystem } from "../sap/system.js";
import { createApi } from "./api.js";
import { type Checked, check, name, names } from "./checks.js";
import type { AnyColumns } from "./column-types.js";
import { MATERIALIZED_VIEW } from "./datasets.js";
import { type Call, readOptions } from "./options.js";
import type { SapApi } from "./sap-api-types.js";
import { readParts } from "./sap-parts.js";
import { MOST_CLUSTER_COLUMNS } from "./sap-table.js";
import { sapTableFault } from "./sap-table-options.js";
import type { Scope } from "./scope.js";
import type { Dataset, MaterializedViewOptions, WithQuery } from "./types.js";

const { schema: _schema, dialect: _dialect, ...VIEW } = MATERIALIZED_VIEW;
const OPTIONS = { ...VIEW, name, system: name, columnList: names };
const roles = check<readonly string[]>('a list of partner functions, such as ["WE"]', (v) => {
  return names.accepts(v) && v.every((role) => /^[A-Za-z0-9]{2}$/.test(role));
});

const SALES_ORDER = {
  header: "VBAK",
  items: "VBAP",
  partners: "VBPA",
  flow: "VBFA",
  business: "VBKD",
  status: "VBUK",
  itemStatus: "VBUP",
} as const;
const PURCHASE_ORDER = { header: "EKKO", items: "EKPO", schedule: "EKET", history: "EKBE" } as const;
const ACCOUNTING_DOCUMENT = { header: "BKPF", items: "BSEG" } as const;

/** The calls that stand for one materialized view over the tables of a document. */
export function createDocuments(
  scope: Scope,
  systems: readonly SapSystem[],
): Pick<SapApi, "salesOrder" | "purchaseOrder" | "accountingDocument"> {
  const functions = {
    salesOrder: (given: unknown, more?: unknown): Dataset => {
      const call: Call = { text: "salesOrder()", at: scope.places.callSite(functions.salesOrder) };
      const { partnerRoles = ["WE"], ...options } = readOptions(scope, call, more, { ...OPTIONS, partnerRoles: roles });
      const parts = readParts(scope, call, given, SALES_ORDER, systems, options.system);
      return declareDocument(scope, call, options, "silver_sd_sales_order", () => salesOrder(parts, partnerRoles));
    },
    purchaseOrder: (given: unknown, more?: unknown): Dataset => {
      const call: Call = { text: "purchaseOrder()", at: scope.places.callSite(functions.purchaseOrder) };
      const options = readOptions(scope, call, more, OPTIONS);
      const parts = readParts(scope, call, given, PURCHASE_ORDER, systems, options.system);
      return declareDocument(scope, call, options, "silver_mm_purchase_order", () => purchaseOrder(parts));
    },
    accountingDocument: (given: unknown, more?: unknown): Dataset => {
      const call: Call = { text: "accountingDocument()", at: scope.places.callSite(functions.accountingDocument) };
      const options = readOptions(scope, call, more, OPTIONS);
      const parts = readParts(scope, call, given, ACCOUNTING_DOCUMENT, systems, options.system);
      return declareDocument(scope, call, options, "silver_fi_accounting_document", () => accountingDocument(parts));
    },
  };
  return functions as unknown as ReturnType<typeof createDocuments>;
}

/** Declares the view, at the place of the call. */
function declareDocument(
  scope: Scope,
  call: Call,
  options: Checked<typeof OPTIONS>,
  defaultName: string,
  query: () => DocumentQuery,
): Dataset {
  const { name: given, system: _system, columnList, tableProperties, ...view } = options;
  const document = takeColumns(call, queryOf(call, query), columnList);
  const api = createApi({ ...scope, places: { ...scope.places, callSite: () => call.at } });
  return api.materializedView(given ?? defaultName, {
    clusterBy: document.keys.slice(0, MOST_CLUSTER_COLUMNS),
    ...view,
    tableProperties: { "delta.enableChangeDataFeed": true, "delta.enableDeletionVectors": true, ...tableProperties },
    query: api.sql`${api.sql.raw(printDocument(document))}`,
  } as MaterializedViewOptions<never, AnyColumns> & WithQuery);
}

/** @throws IngotError BAD_OPTION */
function queryOf(call: Call, query: () => DocumentQuery): DocumentQuery {
  try {
    return query();
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw sapTableFault(call, "BAD_OPTION", error.message, "Correct the parts that it is given.");
  }
}

/** The columns that are wanted, and the key. @throws IngotError BAD_OPTION */
function takeColumns(call: Call, document: DocumentQuery, wanted: readonly string[] | undefined): DocumentQuery {
  if (wanted === undefined) return document;
  const known = document.columns.map(({ name }) => name);
  const unknown = wanted.find((column) => !known.includes(column));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    const hint = near === undefined ? "Columns are named <column>_<table>." : `Did you mean ${near}?`;
    throw sapTableFault(call, "BAD_OPTION", `has no column ${unknown}`, hint);
  }
  const taken = new Set([...document.keys, ...wanted]);
  return { ...document, columns: document.columns.filter(({ name }) => taken.has(name)) };
}
