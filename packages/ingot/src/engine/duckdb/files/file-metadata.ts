import type { BatchFile } from "../../../model/batch.js";
import { quoteText } from "../../../sql/lower/lower-text.js";

/** Columns of a relation of files that `_metadata.row_number` and `_metadata.content_hash` are lowered to. */
export const ROW_NUMBER = "_metadata.row_number";
export const CONTENT_HASH = "_metadata.content_hash";

/** Spark's `_metadata` column in DuckDB. */
export const METADATA_TYPE =
  "STRUCT(file_path VARCHAR, file_name VARCHAR, file_size BIGINT, file_block_start BIGINT, file_block_length BIGINT, file_modification_time TIMESTAMPTZ)";

/** Spark's `_metadata` of the rows of a file, as SQL. Spark may read a large file in blocks; here a file is one block. */
export function fileMetadata(file: BatchFile): string {
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  const modified = `make_timestamptz(${file.mtimeMs}::BIGINT * 1000)`;
  const path = quoteText(fileUri(file.path));
  return `row(${path}, ${quoteText(name)}, ${file.size}, 0, ${file.size}, ${modified})::${METADATA_TYPE}`;
}

/** A path as Java's `URI` writes it, and so Spark: what a URI cannot hold becomes `%XX`, letters beyond ASCII stay. */
export function fileUri(path: string): string {
  const unsafe = /[^A-Za-z0-9_\-!.~'()*/@&=+$,:;\u0080-\u{10ffff}]|[\p{Z}\u0080-\u009f]/gu;
  return `file:${path.replace(unsafe, encodeURIComponent)}`;
}
