import { type AddFile, numRecords, type Snapshot } from "@ingot/delta";
import type { BoundQuery } from "../engine.js";

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

/** Bytes of the files whose rows a query passes on; undefined where it reads something else or makes rows of its own. */
export function bytesOfFiles({ query, inputs }: BoundQuery): number | undefined {
  let bytes = 0;
  for (const input of inputs.values()) {
    if (input.kind !== "files" || !query.preservesRows) return undefined;
    for (const { size } of input.files) bytes += size;
  }
  return inputs.size === 0 ? undefined : bytes;
}

/** About how many bytes so many rows of a table have in a file; undefined for a table without rows. */
export function bytesOfRows(rows: number, { files }: Snapshot): number | undefined {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const present = files.reduce((sum, { stats }) => sum + (numRecords(stats) ?? Number.NaN), 0);
  return present > 0 ? (rows * size) / present : undefined;
}
