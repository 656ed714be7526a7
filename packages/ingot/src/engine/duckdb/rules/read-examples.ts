import type { DuckDBConnection } from "@duckdb/node-api";
import type { ReadExamples } from "../../rules/expectation-violation.js";
import { toValue } from "../values.js";
import type { CheckedRows } from "./checked-rows.js";
import { columnsText } from "./rule-text.js";

/** Reads rows that were checked, for the messages about them. */
export function readExamples(connection: DuckDBConnection, { table, columns }: CheckedRows): ReadExamples {
  return async (condition, limit) => {
    const query = `SELECT ${columnsText(columns)} FROM ${table} WHERE ${condition} LIMIT ${limit}`;
    const rows = (await connection.runAndReadAll(query)).getRows();
    return rows.map((row) => columns.map(({ type }, i) => toValue(row[i] ?? null, type)));
  };
}
