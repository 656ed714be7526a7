import type { DuckDBConnection } from "@duckdb/node-api";
import { duckdb } from "../../node-api.js";
import { registerReader } from "../register-reader.js";
import { readTextLines } from "./read-chunks.js";

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

/** The number of the first line with this text, from 1. */
export function numberOfLine(path: string, text: string): bigint | undefined {
  for (const [line, number] of readLines(path)) if (line === text) return number;
  return undefined;
}

function* readLines(path: string): Generator<[text: string, number: bigint]> {
  let isFirstRecord = true;
  for (const { text, number } of readTextLines(path)) {
    const isMarked = isFirstRecord && text.startsWith("\ufeff");
    if (/[^\0- ]/.test(text)) isFirstRecord = false;
    yield [isMarked ? text.slice(1) : text, BigInt(number)];
  }
}
