import type { BatchFile } from "../../../model/batch.js";
import { quoteString } from "../../../sql/quote.js";
import { fileUri } from "../../file-uri.js";

/** What a query takes of `_metadata`: nothing, what Spark has in it, or also what Ingot adds (`row_number`, `content_hash`). */
export type MetadataUse = "none" | "spark" | "whole";

const FIELDS = [
  ["file_path", "STRING"],
  ["file_name", "STRING"],
  ["file_size", "BIGINT"],
  ["file_block_start", "BIGINT"],
  ["file_block_length", "BIGINT"],
  ["file_modification_time", "TIMESTAMP"],
] as const;

/** Of a row of no file. */
export const METADATA_TYPE = `STRUCT<${[...FIELDS, ["row_number", "BIGINT"], ["content_hash", "STRING"]].map((field) => field.join(": ")).join(", ")}>`;

const PLACE = "__ingot_place";

/**
 * Says in which order records were read. A task reads a block of a file from its beginning to its end, and these numbers
 * rise with the rows of a task; nothing is filtered before they are given, since Spark moves no filter below them.
 */
export const POSITION = `monotonically_increasing_id() AS ${PLACE}`;

/** What of `_metadata` the texts of a query name. */
export function metadataUse(texts: readonly string[]): MetadataUse {
  if (texts.some((text) => /\b_metadata`?\s*\.\s*`?(row_number|content_hash)\b/i.test(text))) return "whole";
  return texts.some((text) => /\b_metadata\b/i.test(text)) ? "spark" : "none";
}

/** SQL of `_metadata` over rows that have Spark's, and with "whole" POSITION. */
export function metadataText(use: MetadataUse, files: readonly BatchFile[]): string {
  if (use !== "whole") return "_metadata";
  const own = FIELDS.map(([name]) => `'${name}', _metadata.${name}`);
  const order = `PARTITION BY _metadata.file_path ORDER BY _metadata.file_block_start, ${PLACE}`;
  const hashes = files.flatMap(({ path, sha256 }) => [quoteString(fileUri(path)), quoteString(sha256)]);
  const hash = `try_element_at(map(${hashes.join(", ")}), _metadata.file_path)`;
  return `named_struct(${[...own, `'row_number', CAST(row_number() OVER (${order}) AS BIGINT)`, `'content_hash', ${hash}`].join(", ")})`;
}
