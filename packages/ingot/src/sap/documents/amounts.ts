import { columnName } from "../column-name.js";
import { trueAmount } from "../tables/field-value.js";
import { aliasOf, type Column, columnsOf, decodedOf, firstReason, type Part, type Value } from "./part.js";

/**
 * The true amount of a field of the items, by its currency in the header.
 *
 * @param currency the header's column
 * @throws DocumentFault
 */
export function amountOf(items: Part, header: Part, column: string, currency: string): Value {
  const stored = decodedOf(items, column, aliasOf(items));
  if (items.system.conventions.amounts === "shifted") return stored;
  const { value, reason } = trueAmount(stored.sql, `${aliasOf(header)}.${columnName(currency)}`, items.system);
  return { sql: value, reason: stored.reason === undefined ? reason : `coalesce(${stored.reason}, ${reason})` };
}

/**
 * The columns of an item. Of typed ones the amounts that have their currency in the header are true values, since the join
 * has brought it; the reason says which could not be.
 */
export function columnsWithAmounts(
  items: Part,
  header: Part,
): { readonly columns: Column[]; readonly amounts: Value[] } {
  if (items.mode !== "typed") return { columns: columnsOf(items), amounts: [] };
  const amounts = new Map<string, Value>();
  for (const { name, type, reference } of items.table.fields) {
    const column = name.toLowerCase();
    if (type !== "CURR" || reference?.table !== header.table.name || !items.columns.includes(column)) continue;
    amounts.set(column, amountOf(items, header, column, reference.field.toLowerCase()));
  }
  const alias = aliasOf(items);
  return {
    columns: columnsOf(items, (column) => amounts.get(column)?.sql ?? `${alias}.${columnName(column)}`),
    amounts: [...amounts.values()],
  };
}

/** Why a value of the items is NULL though something stands there. */
export function reasonColumn(items: Part, values: readonly Value[]): Column {
  return { name: `reason_${aliasOf(items)}`, sql: firstReason(values) };
}
