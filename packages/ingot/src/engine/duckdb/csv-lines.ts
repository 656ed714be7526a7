import { closeSync, openSync, readSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import { duckdb } from "./node-api.js";

const { BIGINT, DuckDBTableFunction, VARCHAR } = duckdb;

const CHUNK_BYTES = 1 << 20;
/** Rows that DuckDB takes at a time. */
const VECTOR_SIZE = 2048;

/**
 * Registers the table function `csv_lines(path)`: the lines of a file, whatever mixture of `\n`, `\r\n` and `\r` ends
 * them, as `line` and `number` (from 1). It is for the files that DuckDB's reader would split wrong or refuse: a file
 * in which a byte order mark comes twice belongs here too.
 */
export function registerCsvLines(connection: DuckDBConnection): void {
  connection.registerTableFunction(
    DuckDBTableFunction.create({
      name: "csv_lines",
      parameterTypes: [VARCHAR],
      bindFunction(info) {
        info.addResultColumn("line", VARCHAR);
        info.addResultColumn("number", BIGINT);
        info.setBindData({ path: String(info.getParameter(0)) });
      },
      initFunction(info) {
        const { path } = info.getBindData() as { path: string };
        info.setInitData({ lines: readLines(path) });
        info.setMaxThreads(1);
      },
      mainFunction(info, output) {
        const { lines } = info.getInitData() as { lines: Iterator<Line> };
        const rows: Line[] = [];
        while (rows.length < VECTOR_SIZE) {
          const next = lines.next();
          if (next.done === true) break;
          rows.push(next.value);
        }
        output.rowCount = rows.length;
        output.setRows(rows);
      },
    }),
  );
}

type Line = [text: string, number: bigint];

/** The number of the first line with this text, from 1. */
export function numberOfLine(path: string, text: string): bigint | undefined {
  for (const [line, number] of readLines(path)) if (line === text) return number;
  return undefined;
}

function* readLines(path: string): Generator<Line> {
  let rest = Buffer.alloc(0);
  let number = 0n;
  let isFirstRecord = true;
  const line = (bytes: Buffer): Line => {
    number += 1n;
    let text = bytes.toString();
    if (number === 1n) text = dropMark(text);
    if (isFirstRecord && /[^\0- ]/.test(text)) {
      isFirstRecord = false;
      text = dropMark(text);
    }
    return [text, number];
  };
  for (let offset = 0; ; ) {
    const chunk = readChunk(path, offset);
    const isLast = chunk.length === 0;
    offset += chunk.length;
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = findEnd(bytes, 0); end < bytes.length; end = findEnd(bytes, start)) {
      const isPair = bytes[end] === CR && bytes[end + 1] === LF;
      if (bytes[end] === CR && end === bytes.length - 1 && !isLast) break;
      yield line(bytes.subarray(start, end));
      start = end + (isPair ? 2 : 1);
    }
    rest = bytes.subarray(start);
    if (isLast) break;
  }
  if (rest.length > 0) yield line(rest);
}

const LF = 0x0a;
const CR = 0x0d;

/** Index of the next byte that ends a line, or the length. */
function findEnd(bytes: Buffer, start: number): number {
  let i = start;
  while (i < bytes.length && bytes[i] !== LF && bytes[i] !== CR) i += 1;
  return i;
}

function dropMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Opens the file anew each time: DuckDB does not tell when it stops reading early, and an open file would stay open. */
function readChunk(path: string, offset: number): Buffer {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    return buffer.subarray(0, readSync(file, buffer, 0, CHUNK_BYTES, offset));
  } finally {
    closeSync(file);
  }
}
