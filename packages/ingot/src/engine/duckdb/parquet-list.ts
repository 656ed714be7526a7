import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { quotePath } from "./quote-path.js";

/** A Parquet file without rows. */
const NO_ROWS = join(dirname(createRequire(import.meta.url).resolve("ingot/package.json")), "assets/no-rows.parquet");

/** Less than so many bytes one thread reads as soon as two. */
const WORTH_THREADS = 1 << 20;

/**
 * The list of files for `read_parquet` with the option `schema`. A single file with this option DuckDB 1.5.6 reads with
 * one thread, since it looks into none before it plans, and the row groups of several with all: so a single one gets
 * company, behind it, from a file without rows.
 *
 * @param files with absolute paths; the place in the list is `file_index`
 */
export function parquetList(files: readonly { readonly path: string; readonly size: number }[]): string {
  const paths = files.map(({ path }) => quotePath(path));
  const isAlone = files.length === 1 && files.every(({ size }) => size >= WORTH_THREADS);
  return `[${[...paths, ...(isAlone ? [quotePath(NO_ROWS)] : [])].join(", ")}]`;
}
