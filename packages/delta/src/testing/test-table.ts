import type { TableDefinition } from "../commit/change.js";
import { createTable } from "../commit/transaction.js";
import type { DataType, Field } from "../schema/schema.js";
import { readSnapshot, type Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";

/** Nullable columns, unless `!` stands behind the name. */
export function columnsOf(columns: Readonly<Record<string, DataType | DataType["kind"]>>): Field[] {
  return Object.entries(columns).map(([name, type]) => ({
    name: name.replace(/!$/, ""),
    type: typeof type === "string" ? ({ kind: type } as DataType) : type,
    nullable: !name.endsWith("!"),
    metadata: {},
  }));
}

/** Creates an empty table and gives its path. */
export async function tableOf(
  store: Store,
  columns: Parameters<typeof columnsOf>[0],
  definition: Omit<TableDefinition, "schema"> = {},
): Promise<string> {
  const table = "/t";
  const schema = { kind: "struct" as const, fields: columnsOf(columns) };
  await createTable(store, table, { schema, ...definition }, { operation: "CREATE TABLE" });
  return table;
}

/** The table's newest state, or that of a version. */
export async function stateOf(store: Store, table: string, version?: bigint): Promise<Snapshot> {
  const snapshot = await readSnapshot(store, table, version === undefined ? undefined : { version });
  if (snapshot === undefined) throw new Error(`${table} has no log`);
  return snapshot;
}

export async function gatherRows<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = [];
  for await (const row of rows) gathered.push(row);
  return gathered;
}
