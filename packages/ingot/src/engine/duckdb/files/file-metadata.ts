import type { BatchFile } from "../../../model/batch.js";
import { quoteText } from "../../../sql/lower/lower-text.js";
import { fileUri } from "../../file-uri.js";

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
