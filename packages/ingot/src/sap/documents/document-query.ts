import { columnName } from "../column-name.js";
import type { Column } from "./part.js";

/** A document as one query of Spark SQL. */
export interface DocumentQuery {
  readonly columns: readonly Column[];
  /** FROM and the joins. */
  readonly from: readonly string[];
  /** What a row is: columns of the query. */
  readonly keys: readonly string[];
}

/** Spark SQL; the key stands first, among the columns that Delta keeps statistics of. */
export function printDocument({ columns, from, keys }: DocumentQuery): string {
  const isKey = ({ name }: Column) => keys.includes(name);
  const ordered = [...columns.filter(isKey), ...columns.filter((column) => !isKey(column))];
  const select = ordered.map(({ name, sql }) => `${sql} AS ${columnName(name)}`);
  return `SELECT\n  ${select.join(",\n  ")}\n${from.join("\n")}`;
}
