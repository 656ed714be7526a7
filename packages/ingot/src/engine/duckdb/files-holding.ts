import type { DuckDBConnection } from "@duckdb/node-api";
import type { AddFile, Snapshot } from "@ingot/delta";
import { quoteName } from "../../sql/lower/lower-text.js";
import { keyPruning } from "./delta/edit-source.js";

/** So many columns tell files apart well enough. */
const MOST = 4;

/**
 * Which files of a table may hold a row that has the values of a relation's row, by the statistics of the log.
 *
 * @param relation SQL name
 * @param columns of the table and, in their place, of the relation; the first ones count
 */
export async function filesHolding(
  connection: DuckDBConnection,
  relation: string,
  columns: readonly (readonly [ofTable: string, ofRelation: string])[],
  snapshot: Snapshot,
): Promise<(file: AddFile) => boolean> {
  const tests: ((file: AddFile) => boolean)[] = [];
  for (const [column, own] of columns.slice(0, MOST)) {
    const values = `SELECT ${own} AS ${quoteName(column)} FROM ${relation}`;
    const nulls = `SELECT count(*) - count(${quoteName(column)}) FROM (${values})`;
    const [row] = (await connection.runAndReadAll(nulls)).getRows();
    // NULL is in no range.
    if (Number(row?.[0]) > 0) continue;
    const [described] = (await connection.runAndReadAll(`SELECT column_type FROM (DESCRIBE ${values})`)).getRows();
    const types = new Map([[column.toLowerCase(), String(described?.[0])]]);
    const test = await keyPruning(connection, { name: `(${values})`, columns: types }, [column], snapshot);
    if (test !== undefined) tests.push(test);
  }
  return (file) => tests.every((test) => test(file));
}
