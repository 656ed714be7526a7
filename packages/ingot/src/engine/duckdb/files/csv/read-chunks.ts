import { closeSync, openSync, readSync } from "node:fs";

const CHUNK_BYTES = 1 << 20;

/**
 * The bytes of a file, piece by piece. Opens it anew each time: DuckDB does not tell when it stops reading early, and an
 * open file would stay open.
 */
export function* readChunks(path: string): Generator<Buffer> {
  for (let offset = 0; ; ) {
    const chunk = readChunk(path, offset);
    if (chunk.length === 0) return;
    offset += chunk.length;
    yield chunk;
  }
}

function readChunk(path: string, offset: number): Buffer {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    return buffer.subarray(0, readSync(file, buffer, 0, CHUNK_BYTES, offset));
  } finally {
    closeSync(file);
  }
}
