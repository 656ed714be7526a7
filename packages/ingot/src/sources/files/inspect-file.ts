import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { BatchFile } from "../../model/batch.js";
import { IngotError } from "../../model/error.js";
import type { CsvRead, FileRead, JsonRead, TextRead } from "../../model/file-read.js";
import { compressionOf } from "./decompress.js";
import { inspectBinary } from "./inspect-binary.js";
import { type Contents, inspectCsv } from "./inspect-csv.js";
import { inspectJson } from "./inspect-json.js";
import { inspectParquet } from "./inspect-parquet.js";
import { inspectText } from "./inspect-text.js";
import { openFile, readBytes, readText } from "./read-text.js";

/**
 * Reads a file once, in bounded memory: its hash, its number of records as Spark splits them, and what else its reader
 * has to know. An empty file is no error: `size` and `records` are 0.
 *
 * @param path absolute.
 * @throws FILE_BAD_ENCODING, FILE_CORRUPT, FILE_HEADER_MISMATCH, FILE_NOT_READABLE; FILE_CHANGED when someone still
 * writes it.
 */
export async function inspectFile(path: string, read: FileRead): Promise<BatchFile> {
  const file = await openFile(path);
  try {
    const before = await file.stat();
    const hash = createHash("sha256");
    let size = 0;
    const onBytes = (bytes: Buffer) => {
      size += bytes.length;
      hash.update(bytes);
    };
    const contents = await inspectContents(path, read, file, before.size, onBytes);
    await checkStable(path, file, size, before.mtimeMs);
    return {
      path,
      size,
      mtimeMs: Math.floor(before.mtimeMs),
      sha256: hash.digest("hex"),
      ...contents,
    };
  } finally {
    await file.close();
  }
}

async function inspectContents(
  path: string,
  read: FileRead,
  file: FileHandle,
  size: number,
  onBytes: (bytes: Buffer) => void,
): Promise<Contents> {
  if (size === 0 && read.format !== "binaryFile") return { records: 0 };
  if (read.format === "parquet" || read.format === "binaryFile") {
    for await (const bytes of readBytes(file)) onBytes(bytes);
    return read.format === "parquet" ? inspectParquet(path, file) : inspectBinary();
  }
  const compression = compressionOf(path, read.compression);
  const form = {
    ...(read.encoding === "UTF-8" ? {} : { encoding: read.encoding }),
    ...(compression === undefined ? {} : { compression }),
  };
  const text = (tell?: typeof onBytes) => readText(path, file, { encoding: read.encoding, ...form }, tell);
  return { ...(await inspectRecords(path, read, text(onBytes), text)), ...form };
}

function inspectRecords(
  path: string,
  read: CsvRead | JsonRead | TextRead,
  text: AsyncIterable<Buffer>,
  again: () => AsyncIterable<Buffer>,
): Promise<Contents> {
  switch (read.format) {
    case "csv":
      return inspectCsv(path, read, text, again);
    case "json":
      return inspectJson(path, read, text);
    case "text":
      return inspectText(read, text);
  }
}

async function checkStable(path: string, file: FileHandle, size: number, mtimeMs: number): Promise<void> {
  const after = await file.stat();
  if (after.size === size && after.mtimeMs === mtimeMs) return;
  throw new IngotError("FILE_CHANGED", `${path} changed while it was read.`, {
    hint: "Run again when its writer is done. Deliver files under a name that begins with _ or . and rename them when complete.",
    object: path,
  });
}
