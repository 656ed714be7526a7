import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import type { BatchFile } from "../../model/batch.js";
import { IngotError } from "../../model/error.js";
import type { FileRead } from "../../model/query.js";
import { checkHeader } from "./check-header.js";
import { LineCounter, type LineSpan } from "./count-lines.js";
import { firstBadByte, unfinishedBytes } from "./utf8.js";

const CHUNK_BYTES = 1 << 20;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The byte that the engine's reader takes for a separator when it is to read whole lines. A file that holds it is
 * read by our own reader.
 */
export const RAW_SEPARATOR = "\x1c";

/**
 * Reads a file once, in bounded memory: its hash, its number of records as Spark splits them, its encoding and its
 * header. An empty file is no error: `size` and `records` are 0.
 *
 * @param path absolute.
 * @throws FILE_BAD_ENCODING, FILE_HEADER_MISMATCH, FILE_NOT_READABLE; FILE_CHANGED when someone still writes it.
 */
export async function inspectFile(path: string, read: FileRead): Promise<BatchFile> {
  const file = await openFile(path);
  try {
    const { mtimeMs } = await file.stat();
    const { lines, sha256, size, hasRawSeparator } = await scan(file, path);
    const after = await file.stat();
    if (after.size !== size || after.mtimeMs !== mtimeMs) throw stillWritten(path);
    const mark = lines.first === undefined ? false : await startsWithMark(file, lines.first);
    const header = read.header ? lines.first : undefined;
    if (header !== undefined && !read.enforceSchema) {
      const start = header.start + (mark ? BOM.length : 0);
      checkHeader(await readText(file, start, header.end), path, header.number, read);
    }
    return {
      path,
      size,
      mtimeMs: Math.floor(mtimeMs),
      sha256,
      records: lines.filled - (header === undefined ? 0 : 1),
      skipLines: header?.number ?? 0,
      lineEnd: hasRawSeparator || mark ? "mixed" : (lines.lineEnd() ?? "mixed"),
      longestLine: lines.longest,
    };
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (cause) {
    throw new IngotError("FILE_NOT_READABLE", `${path} cannot be opened (${(cause as NodeJS.ErrnoException).code}).`, {
      hint: "Give the user that runs the pipeline the right to read it; a file that has gone is no longer offered in the next run.",
      object: path,
      cause,
    });
  }
}

function stillWritten(path: string): IngotError {
  return new IngotError("FILE_CHANGED", `${path} changed while it was read.`, {
    hint: "Run again when its writer is done. Deliver files under a name that begins with _ or . and rename them when complete.",
    object: path,
  });
}

async function scan(file: FileHandle, path: string) {
  const hash = createHash("sha256");
  const lines = new LineCounter();
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let size = 0;
  let hasRawSeparator = false;
  // Bytes of a character that the next chunk ends stand before that chunk.
  let carried = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, carried, CHUNK_BYTES - carried, size);
    const filled = buffer.subarray(0, carried + bytesRead);
    const whole = filled.subarray(0, filled.length - (bytesRead === 0 ? 0 : unfinishedBytes(filled)));
    hash.update(filled.subarray(carried));
    hasRawSeparator ||= whole.includes(RAW_SEPARATOR);
    const bom = size === 0 && whole.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
    lines.skip(bom);
    if (!isUtf8(whole)) throw await badEncoding(file, path, whole, size - carried, lines);
    lines.add(whole.subarray(bom));
    if (bytesRead === 0) break;
    size += bytesRead;
    carried = filled.length - whole.length;
    filled.copy(buffer, 0, whole.length);
  }
  lines.finish();
  return { lines, sha256: hash.digest("hex"), size, hasRawSeparator };
}

/** A second mark, at the start of the first record: Spark drops it too. */
async function startsWithMark(file: FileHandle, line: LineSpan): Promise<boolean> {
  return (await readText(file, line.start, Math.min(line.end, line.start + BOM.length))) === "\ufeff";
}

async function readText(file: FileHandle, start: number, end: number): Promise<string> {
  const bytes = Buffer.alloc(end - start);
  await file.read(bytes, 0, bytes.length, start);
  return bytes.toString();
}

/** @param chunk the bytes with the fault, from `offset` of the file on; `lines` has counted all before it. */
async function badEncoding(file: FileHandle, path: string, chunk: Buffer, offset: number, lines: LineCounter) {
  const index = firstBadByte(chunk);
  lines.add(chunk.subarray(0, index));
  const hex = (chunk[index] as number).toString(16).toUpperCase().padStart(2, "0");
  const line = lines.lines + 1;
  const column = (await readText(file, lines.lineStart, offset + index)).length + 1;
  return new IngotError(
    "FILE_BAD_ENCODING",
    `${path} is not UTF-8: line ${line}, column ${column}, byte offset ${offset + index} holds 0x${hex}.`,
    { hint: "Convert the file to UTF-8 and deliver it again.", object: path, at: { file: path, line, column } },
  );
}
