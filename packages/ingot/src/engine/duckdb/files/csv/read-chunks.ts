import { closeSync, openSync, readSync } from "node:fs";
import { type TextLine, TextLines } from "../../../../sources/files/text-lines.js";

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

/** The lines of a file, without the byte order mark before the first one. */
export function* readTextLines(path: string): Generator<TextLine> {
  const lines = new TextLines();
  for (const chunk of readChunks(path)) yield* lines.add(chunk);
  yield* lines.finish();
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
