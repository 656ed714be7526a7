import { type AddFile, numRecords } from "@ingot/delta";

/** Where the log does not tell a file's rows. */
const BYTES_A_ROW = 50;

/**
 * Option of `read_parquet` that says how many rows files have, deleted ones too. Without it DuckDB, which looks into no
 * file before it plans, takes them for the smaller side of every join. An estimate will do.
 */
export function cardinalityOption(files: readonly Pick<AddFile, "size" | "stats">[]): string {
  const rows = files.reduce((sum, { size, stats }) => sum + (numRecords(stats) ?? size / BYTES_A_ROW), 0);
  return `explicit_cardinality = ${Math.max(1, Math.round(rows))}`;
}
