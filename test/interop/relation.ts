/**
 * A value as the peers send it, exact: BIGINT, DECIMAL, DATE and TIMESTAMP are text as Spark's cast to STRING writes them
 * (time zone UTC), BINARY is upper-case hex, NaN and infinities are text, a STRUCT is an object, a MAP a list of pairs.
 */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [field: string]: Value };

/** What a query or a table holds, whoever read it. */
export interface Relation {
  /** Types by Spark's names: `decimal(10,2)`, `struct<a:int,b:string>`. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly Value[])[];
}

/** The same rows in one order, since tables have none. */
export function sortRows(rows: Relation["rows"]): Relation["rows"] {
  const keyed = rows.map((row) => ({ row, key: JSON.stringify(row) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ row }) => row);
}
