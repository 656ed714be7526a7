import { createRequire } from "node:module";
import { dirname, isAbsolute, join } from "node:path";
import { quotePath } from "./quote-path.js";

/** A file with its absolute path, and its bytes. */
export interface ParquetFile {
  readonly path: string;
  readonly size: number;
}

/** A Parquet file without rows. */
const NO_ROWS = join(dirname(createRequire(import.meta.url).resolve("ingot/package.json")), "assets/no-rows.parquet");

/** Less than so many bytes one thread reads as soon as two. */
const WORTH_THREADS = 1 << 20;

/** A file that a table's log names. */
export function locateFile(table: string, { path, size }: ParquetFile): ParquetFile {
  return { path: isAbsolute(path) ? path : join(table, path), size };
}

/**
 * SQL that reads files as one relation; the place in the list is `file_index`. A single file with the option `schema`
 * DuckDB 1.5.6 reads with one thread, since it looks into none before it plans, and the row groups of several with all: so a
 * single one gets company, behind it, from a file without rows.
 *
 * @param schema the option `schema`; undefined: the files' own columns
 * @param options further ones of `read_parquet`
 */
export function readParquet(
  files: readonly ParquetFile[],
  schema: string | undefined,
  options: readonly string[] = [],
): string {
  const isAlone = schema !== undefined && files.length === 1 && files.every(({ size }) => size >= WORTH_THREADS);
  const paths = [...files.map(({ path }) => path), ...(isAlone ? [NO_ROWS] : [])].map(quotePath);
  const all = [...(schema === undefined ? [] : [schema]), ...options, "hive_partitioning = false"];
  return `read_parquet([${paths.join(", ")}], ${all.join(", ")})`;
}
