import type { Row, RowTable, RowTables } from "../rows.js";
import type { EntityRows, FactTable, Fields } from "./fact-table.js";
import { openPurchases } from "./open-purchases.js";
import { orderItems } from "./order-items.js";
import { periodBalance } from "./period-balance.js";

const FACTS: readonly FactTable[] = [orderItems, openPurchases, periodBalance];

/** Collects facts entity by entity, and writes them. */
export function collectFacts(
  tables: RowTables,
  write: (name: string, columns: readonly string[], values: readonly string[]) => void,
): { take(rows: readonly (readonly [RowTable, Row])[]): void; close(): void } {
  const made = FACTS.filter(({ reads }) => Object.keys(reads).every((name) => tables.has(name)));
  const read = new Map<string, Set<string>>();
  for (const { reads } of made)
    for (const [table, names] of Object.entries(reads))
      read.set(table, new Set([...(read.get(table) ?? []), ...names.split(" ")]));
  const sums = made.flatMap((fact) => (fact.sum === undefined ? [] : [{ fact, sum: fact.sum() }]));
  return {
    take: (rows) => {
      const named = byTable(rows, read);
      for (const { name, columns, of } of made) for (const values of of?.(named) ?? []) write(name, columns, values);
      for (const { sum } of sums) sum.take(named);
    },
    close: () => {
      for (const { fact, sum } of sums) for (const values of sum.facts()) write(fact.name, fact.columns, values);
    },
  };
}

function byTable(
  rows: readonly (readonly [RowTable, Row])[],
  read: ReadonlyMap<string, ReadonlySet<string>>,
): EntityRows {
  const found = new Map<string, Fields[]>();
  for (const [{ name, fields }, row] of rows) {
    const names = read.get(name);
    if (names === undefined) continue;
    const list = found.get(name) ?? [];
    found.set(name, list);
    const values: Record<string, string> = {};
    for (const [i, field] of fields.entries()) if (names.has(field.name)) values[field.name] = row[i] ?? "";
    list.push(values);
  }
  return found;
}
