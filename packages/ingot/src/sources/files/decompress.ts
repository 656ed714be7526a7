import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Decompress } from "fzstd";
import type { BatchFile } from "../../model/batch.js";
import { IngotError } from "../../model/error.js";
import type { Compression } from "../../model/file-read.js";

/** By Hadoop's endings, unless the read says it. */
export function compressionOf(path: string, declared: Compression | undefined): BatchFile["compression"] {
  if (declared !== undefined) return declared === "none" ? undefined : declared;
  return path.endsWith(".gz") ? "gzip" : path.endsWith(".zst") ? "zstd" : undefined;
}

/**
 * The content of a compressed file, from its bytes; several members, or frames, one after another are one content.
 *
 * @throws FILE_CORRUPT where it is cut off, or no such file
 */
export async function* decompress(
  path: string,
  raw: AsyncIterable<Buffer>,
  compression: NonNullable<BatchFile["compression"]>,
): AsyncGenerator<Buffer> {
  try {
    yield* compression === "gzip" ? gunzip(raw) : unzstd(raw);
  } catch (error) {
    if (error instanceof IngotError) throw error;
    throw new IngotError("FILE_CORRUPT", `${path} is no whole ${compression} file: ${(error as Error).message}.`, {
      hint: "Deliver it again, or set ignoreCorruptFiles => true to go on without it.",
      object: path,
      cause: error,
    });
  }
}

async function* gunzip(raw: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = Readable.from(raw);
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  source.on("error", (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    yield* gunzip;
  } finally {
    source.destroy();
  }
}

async function* unzstd(raw: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let done: Buffer[] = [];
  const decoder = new Decompress((data) => {
    if (data.length > 0) done.push(Buffer.from(data));
  });
  const take = () => {
    const chunks = done;
    done = [];
    return chunks;
  };
  for await (const chunk of raw) {
    // The decoder may keep what it is given.
    decoder.push(Uint8Array.from(chunk));
    yield* take();
  }
  decoder.push(new Uint8Array(0), true);
  yield* take();
}
