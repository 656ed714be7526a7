import type { DuckDBConnection, DuckDBType } from "@duckdb/node-api";
import { type DataType, type Field, formatType } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import { sparkType } from "./spark-type.js";

/**
 * Holds the columns that DuckDB reports for a query against those that it was typed with: values of another type would
 * be cast or misread on their way, and nobody would know.
 *
 * @param object what the query fills, for the message
 * @throws IngotError INTERNAL_ERROR
 */
export async function checkColumns(
  connection: DuckDBConnection,
  text: string,
  typed: readonly Field[],
  object: string,
): Promise<void> {
  const statement = await connection.prepare(text);
  try {
    const reported = Array.from(
      { length: statement.columnCount },
      (_, i) => [statement.columnName(i), statement.columnType(i)] as const,
    );
    const isSame =
      reported.length === typed.length &&
      typed.every(({ name, type }, i) => reported[i]?.[0] === name && gives(reported[i]?.[1], type));
    if (isSame) return;
    const [is, should] = [
      reported.map(([name, type]) => `${name} ${type}`),
      typed.map(({ name, type }) => `${name} ${formatType(type)}`),
    ];
    throw new IngotError(
      "INTERNAL_ERROR",
      `${object}: the query was typed as (${should.join(", ")}), and DuckDB gives (${is.join(", ")})`,
      { object, hint: "This is a fault of Ingot's translator. Please report it with the query." },
    );
  } finally {
    statement.destroySync();
  }
}

function gives(reported: DuckDBType | undefined, typed: DataType): boolean {
  const name = formatType(typed);
  // DuckDB reports some type for a value that is always NULL; intervals have one type there, and no table holds them.
  if (/\b(void|interval)\b/.test(name)) return true;
  const type = reported && sparkType(reported);
  return type !== undefined && formatType(type) === name;
}
