import type { DuckDBConnection } from "@duckdb/node-api";
import { duckdb } from "../../node-api.js";
import { registerReader } from "../register-reader.js";
import { readChunks } from "./read-chunks.js";

const { BIGINT, VARCHAR } = duckdb;

/**
 * Registers the table function `csv_lines(path)`: the lines of a file, whatever mixture of `\n`, `\r\n` and `\r` ends
 * them, as `line` and `number` (from 1). It is for the files that DuckDB's reader would split wrong or refuse: a file
 * in which a byte order mark comes twice belongs here too.
 */
export function registerCsvLines(connection: DuckDBConnection): void {
  registerReader(connection, {
    name: "csv_lines",
    parameterTypes: [VARCHAR],
    columns: { line: VARCHAR, number: BIGINT },
    read: ([path]) => readLines(String(path)),
  });
}

type Line = [text: string, number: bigint];

/** The number of the first line with this text, from 1. */
export function numberOfLine(path: string, text: string): bigint | undefined {
  for (const [line, number] of readLines(path)) if (line === text) return number;
  return undefined;
}

function* readLines(path: string): Generator<Line> {
  let rest: Buffer = Buffer.alloc(0);
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
  const take = function* (bytes: Buffer, isLast: boolean): Generator<Line> {
    let start = 0;
    for (let end = findEnd(bytes, 0); end < bytes.length; end = findEnd(bytes, start)) {
      const isPair = bytes[end] === CR && bytes[end + 1] === LF;
      if (bytes[end] === CR && end === bytes.length - 1 && !isLast) break;
      yield line(bytes.subarray(start, end));
      start = end + (isPair ? 2 : 1);
    }
    rest = bytes.subarray(start);
  };
  for (const chunk of readChunks(path)) yield* take(Buffer.concat([rest, chunk]), false);
  yield* take(rest, true);
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
