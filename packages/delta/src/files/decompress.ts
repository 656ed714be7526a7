import { decompressLz4 } from "./lz4.js";
import { decompressSnappy } from "./snappy-decompress.js";

type Decompressor = (input: Uint8Array, outputLength: number) => Uint8Array;

type Codec = "SNAPPY" | "GZIP" | "BROTLI" | "ZSTD" | "LZ4_RAW";

/**
 * What hyparquet needs: a faster Snappy than its own, gzip and brotli from Node, zstd from Node 22.15 on and before in
 * JavaScript, raw LZ4. A file in another codec is refused by hyparquet with the codec's name.
 */
export async function decompressors(): Promise<Partial<Record<Codec, Decompressor>>> {
  const zlib = await import("node:zlib");
  const zstd = await zstdDecompressor(zlib);
  return {
    // Of few bytes they may make a thousand times as many: no more than the page is said to have.
    GZIP: (input, length) => zlib.gunzipSync(input, { maxOutputLength: Math.max(length, 1) }),
    BROTLI: (input, length) => zlib.brotliDecompressSync(input, { maxOutputLength: Math.max(length, 1) }),
    SNAPPY: decompressSnappy,
    LZ4_RAW: decompressLz4,
    ZSTD: zstd,
  };
}

async function zstdDecompressor(zlib: object): Promise<Decompressor> {
  if ("zstdDecompressSync" in zlib) {
    const decompress = zlib.zstdDecompressSync as (input: Uint8Array, options: object) => Uint8Array;
    return (input, length) => decompress(input, { maxOutputLength: Math.max(length, 1) });
  }
  const { decompress } = await import("fzstd");
  return (input) => decompress(input);
}
