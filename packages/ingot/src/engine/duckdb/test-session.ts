import type { DuckDBValue } from "@duckdb/node-api";
import { DuckdbSession } from "./duckdb-session.js";

/** For tests: the rows of a statement, as the session of the product gives them. */
export async function runSql(folder: string, sql: string): Promise<DuckDBValue[][]> {
  const session = new DuckdbSession(folder);
  try {
    return await session.use(new AbortController().signal, async (connection) =>
      (await connection.runAndReadAll(sql)).getRows(),
    );
  } finally {
    await session.close();
  }
}
