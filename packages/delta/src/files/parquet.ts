import type { JsonObject } from "../log/json.js";
import { decompressors } from "./decompress.js";
import { selectColumns } from "./select-columns.js";

/**
 * Reads a whole Parquet file into rows of some columns: a top-level one by its name (`protocol`), or one field of a
 * struct by its path (`add.path`). A column that the file lacks is absent from the rows. Structs and maps come as
 * objects, lists as arrays, INT64 as bigint, a null as null or not at all; a date, a timestamp and a decimal as text,
 * `2024-05-01`, `2024-05-01 10:00:00.123456` (and `+00` where it is in UTC), `-1.20`. Rejects when the file is damaged.
 */
export type ParquetReader = (file: Uint8Array, columns: readonly string[]) => Promise<readonly JsonObject[]>;

/** A reader without an engine, made for checkpoints. It is loaded when the first file comes. */
export const hyparquetReader: ParquetReader = async (file, columns) => {
  const [{ parquetMetadata, parquetReadObjects, parquetSchema }, { isPlain, readRows }, compressors] =
    await Promise.all([import("hyparquet"), import("./parquet-rows.js"), decompressors()]);
  const isWhole = file.byteLength === file.buffer.byteLength;
  const content = (isWhole ? file.buffer : file.slice().buffer) as ArrayBuffer;
  const metadata = selectColumns(parquetMetadata(content), columns);
  if (metadata.schema.length === 1) return [];
  const tree = parquetSchema(metadata);
  return isPlain(tree)
    ? readRows(new Uint8Array(content), metadata, tree, compressors)
    : parquetReadObjects({ file: content, metadata, compressors });
};
