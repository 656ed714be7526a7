import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { ColumnStats, FileStats } from "@ingot/delta";
import type { Field } from "../../model/data-type.js";
import { duckdbType, quoteName, quoteText } from "../../sql/lower/lower-text.js";
import { makeFolder, syncFolder } from "../durable-folder.js";

/** A Parquet file that is written and belongs to no table yet. */
export interface StagedFile {
  /** Relative to the table's folder. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly stats: FileStats;
}

/**
 * Writes the rows of a query as one Parquet file into a table's folder, with the columns of the table: by name, what
 * the query lacks is NULL. Undefined when there is no row. A failure leaves no file. File and name are on disk when this
 * returns: a commit must not name a file that a power cut can take back.
 *
 * zstd level 1: measured on SAP-like rows, smaller than snappy and no slower.
 *
 * @param given columns of the query
 * @param schema columns of the table
 */
export async function writeParquet(
  connection: DuckDBConnection,
  folder: string,
  query: string,
  given: readonly Field[],
  schema: readonly Field[],
): Promise<StagedFile | undefined> {
  await makeFolder(folder);
  const path = `part-${randomUUID()}.parquet`;
  const file = join(folder, path);
  try {
    const copy = `COPY (${project(query, given, schema)}) TO ${quoteText(file)} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, RETURN_STATS)`;
    const [row] = (await connection.runAndReadAll(copy)).getRowObjectsJS();
    const rows = Number(row?.["count"] ?? 0);
    if (rows === 0) {
      await rm(file, { force: true });
      return undefined;
    }
    await syncFile(file);
    await syncFolder(folder);
    return {
      path,
      size: Number(row?.["file_size_bytes"]),
      stats: { numRecords: rows, columns: toColumns(row?.["column_statistics"]) },
    };
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

function project(query: string, given: readonly Field[], schema: readonly Field[]): string {
  const names = new Map(given.map((f) => [f.name.toLowerCase(), f.name]));
  const columns = schema.map((field) => {
    const name = names.get(field.name.toLowerCase());
    return `${name === undefined ? "NULL" : quoteName(name)}::${duckdbType(field.type)} AS ${quoteName(field.name)}`;
  });
  return `SELECT ${columns.join(", ")} FROM (${query})`;
}

/** A MAP value as node-api gives it. */
type Entries<V> = readonly { readonly key: string; readonly value: V }[];

function toColumns(statistics: unknown): Map<string, ColumnStats> {
  const columns = (statistics ?? []) as Entries<Entries<string>>;
  return new Map(
    columns.map(({ key, value }) => {
      const facts = new Map(value.map((fact) => [fact.key, fact.value]));
      const [min, max, nulls] = [facts.get("min"), facts.get("max"), facts.get("null_count")];
      return [
        key,
        {
          ...(min === undefined ? {} : { min }),
          ...(max === undefined ? {} : { max }),
          ...(nulls === undefined ? {} : { nullCount: Number(nulls) }),
          hasNan: facts.get("has_nan") === "true",
        },
      ];
    }),
  );
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
