import type { JsonObject } from "../log/json.js";

/**
 * Reads a whole Parquet file into rows of some top-level columns; a column that the file lacks is absent from the rows.
 * Structs and maps come as objects, lists as arrays, INT64 as bigint, a null as null. Rejects when the file is damaged.
 */
export type ParquetReader = (file: Uint8Array, columns: readonly string[]) => Promise<readonly JsonObject[]>;

/** A reader without an engine, made for checkpoints. It is loaded when the first file comes. */
export const hyparquetReader: ParquetReader = async (file, columns) => {
  const { parquetMetadata, parquetReadObjects } = await import("hyparquet");
  const content = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer;
  const metadata = parquetMetadata(content);
  const present = new Set(metadata.row_groups.flatMap((group) => group.columns.map(topColumn)));
  const wanted = columns.filter((column) => present.has(column));
  return wanted.length === 0
    ? []
    : parquetReadObjects({ file: content, metadata, columns: wanted, compressors: await codecs() });
};

function topColumn({ meta_data }: { meta_data?: { path_in_schema: string[] } }): string | undefined {
  return meta_data?.path_in_schema[0];
}

/** Snappy is in hyparquet; Node knows the rest, zstd from version 22.15 on. */
async function codecs() {
  const zlib = await import("node:zlib");
  return {
    GZIP: (input: Uint8Array) => zlib.gunzipSync(input),
    BROTLI: (input: Uint8Array) => zlib.brotliDecompressSync(input),
    ...("zstdDecompressSync" in zlib ? { ZSTD: zlib.zstdDecompressSync as (input: Uint8Array) => Uint8Array } : {}),
  };
}
