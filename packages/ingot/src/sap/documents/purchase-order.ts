import { columnsWithAmounts, reasonColumn } from "./amounts.js";
import type { DocumentQuery } from "./document-query.js";
import {
  aliasOf,
  columnsOf,
  decodedOf,
  equalIn,
  freshness,
  type Joined,
  type Part,
  requireColumns,
  timesOf,
  type Value,
} from "./part.js";
import { purchaseHistory, purchaseSchedule } from "./purchase-history.js";

/** The tables of a purchase order. */
export interface PurchaseOrderParts {
  readonly header: Part;
  readonly items: Part;
  readonly schedule?: Part;
  readonly history?: Part;
}

/** A purchase order, one row an item. An item waits for its header. @throws DocumentFault */
export function purchaseOrder({ header, items, schedule, history }: PurchaseOrderParts): DocumentQuery {
  requireColumns(header, ["mandt", "ebeln"]);
  requireColumns(items, ["mandt", "ebeln", "ebelp"]);
  const [ekko, ekpo] = [aliasOf(header), aliasOf(items)];
  const own = columnsWithAmounts(items, header);
  const progress = history === undefined ? undefined : orderProgress(header, items, history);
  const joined = [
    ...(schedule === undefined ? [] : [purchaseSchedule(schedule, items)]),
    ...(progress === undefined ? [] : [progress]),
  ];
  return {
    columns: [
      ...columnsOf(header),
      ...own.columns,
      reasonColumn(items, [...own.amounts, ...(progress === undefined ? [] : [progress.ordered])]),
      ...joined.flatMap(({ columns }) => columns),
      ...freshness([...timesOf(header, items), ...joined.flatMap(({ times }) => times)]),
    ],
    from: [
      `FROM ${header.relation} AS ${ekko}`,
      `JOIN ${items.relation} AS ${ekpo}\n  ON ${equalIn(ekpo, ekko, ["mandt", "ebeln"])}`,
      ...joined.flatMap(({ joins }) => joins),
    ],
    keys: ["mandt_ekko", "ebeln_ekko", "ebelp_ekpo"],
  };
}

/** What was received and invoiced of an item, what is open of both, and what that makes of it. */
function orderProgress(header: Part, items: Part, history: Part): Joined & { readonly ordered: Value } {
  requireColumns(header, ["loekz"]);
  requireColumns(items, ["loekz", "elikz", "erekz"]);
  const [ekko, ekpo, ekbe] = [aliasOf(header), aliasOf(items), aliasOf(history)];
  const { received, invoiced, ...sums } = purchaseHistory(history, items);
  const ordered = decodedOf(items, "menge", ekpo);
  const deleted = `'L' IN (coalesce(${ekko}.loekz, ''), coalesce(${ekpo}.loekz, ''))`;
  const [delivered, billed] = [`${ekpo}.elikz = 'X'`, `${ekpo}.erekz = 'X'`];
  const open = (is: string, done: string) =>
    `CASE WHEN ${deleted} OR ${is} THEN 0 WHEN ${done} > ${ordered.sql} THEN 0 ELSE ${ordered.sql} - ${done} END`;
  return {
    ...sums,
    ordered,
    columns: [
      ...sums.columns,
      { name: `to_deliver_${ekpo}`, sql: open(delivered, received) },
      { name: `ordered_not_invoiced_${ekpo}`, sql: open(billed, invoiced) },
      { name: `received_not_invoiced_${ekbe}`, sql: `${received} - ${invoiced}` },
      {
        name: `status_${ekpo}`,
        sql: `CASE
    WHEN ${deleted} THEN 'DELETED'
    WHEN 'S' IN (coalesce(${ekko}.loekz, ''), coalesce(${ekpo}.loekz, '')) THEN 'BLOCKED'
    WHEN ${delivered} AND ${billed} THEN 'CLOSED'
    WHEN ${delivered} THEN 'DELIVERED'
    WHEN ${billed} THEN 'INVOICED'
    WHEN ${received} >= ${ordered.sql} THEN 'RECEIVED'
    WHEN ${received} > 0 THEN 'PARTLY_RECEIVED'
    WHEN ${received} <= 0 THEN 'OPEN'
  END`,
      },
    ],
  };
}
