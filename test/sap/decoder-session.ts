import { DuckDBInstance } from "@duckdb/node-api";
import { registerHostFunctions } from "../../packages/ingot/src/engine/duckdb/host-functions.js";
import { sqlText } from "../../packages/ingot/src/model/position.js";
import type { Sources } from "../../packages/ingot/src/sap/conventions.js";
import { compileParsed } from "../../packages/ingot/src/sql/compile.js";
import { parseQuery } from "../../packages/ingot/src/sql/parse/parse-query.js";
import { SESSION_SETUP } from "../../packages/ingot/src/sql/session.js";

/** The translator and an empty DuckDB: rows of queries that read nothing. */
export interface DecoderSession {
  rows(query: string, sources?: Sources): Promise<readonly (readonly unknown[])[]>;
  close(): void;
}

export async function openDecoders(): Promise<DecoderSession> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  registerHostFunctions(connection);
  await connection.run(`SET TimeZone='UTC';${SESSION_SETUP.join(";")}`);
  return {
    async rows(query, sources) {
      const { duckdb } = compileParsed(parseQuery(sqlText(query)), new Map(), sources);
      return (await connection.runAndReadAll(duckdb)).getRowsJson();
    },
    close: () => connection.closeSync(),
  };
}
