import { StringDecoder } from "node:string_decoder";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import type { CsvDialect } from "../../../../sources/files/csv-dialect.js";
import { type CsvFileRecord, CsvRecordSplitter } from "../../../../sources/files/csv-records.js";
import { duckdb } from "../../node-api.js";
import { registerReader } from "../register-reader.js";
import { quotedList, quoteOf } from "./quoted-list.js";
import { readChunks } from "./read-chunks.js";

const { BIGINT, LIST, listValue, VARCHAR } = duckdb;

/**
 * Registers the table function `csv_records(path, dialect, skip)`: the records of a CSV file in which quoted fields may
 * hold line breaks, as `line` (its text), `number` (of the line on which it begins), `record` (from 1) and `fields`.
 * `dialect` is JSON of `CsvDialect`, `fields` is a `quotedList`; `normalizes` in the dialect: a line break within a field becomes
 * `\n` where it is of the kind that ends records, as in Spark. `skip` records are left out.
 */
export function registerCsvRecords(connection: DuckDBConnection): void {
  registerReader(connection, {
    name: "csv_records",
    parameterTypes: [VARCHAR, VARCHAR, BIGINT],
    columns: { line: VARCHAR, number: BIGINT, record: BIGINT, fields: LIST(VARCHAR) },
    read: ([path, dialect, skip]) => readRows(String(path), JSON.parse(String(dialect)), Number(skip)),
  });
}

type Dialect = CsvDialect & { readonly normalizes: boolean };

function* readRows(path: string, dialect: Dialect, skip: number): Generator<DuckDBValue[]> {
  let record = 0n;
  let left = skip;
  const splitter = new CsvRecordSplitter(dialect);
  for (const found of readRecords(path, splitter)) {
    if (left > 0) left -= 1;
    else {
      record += 1n;
      const { lineEnd = "\n" } = splitter;
      const list = quotedList(found, quoteOf(dialect));
      const fields = dialect.normalizes ? list.map((field) => field.replaceAll(lineEnd, "\n")) : list;
      yield [found.text, BigInt(found.line), record, listValue(fields)];
    }
  }
}

function* readRecords(path: string, splitter: CsvRecordSplitter): Generator<CsvFileRecord> {
  const decoder = new StringDecoder("utf8");
  let isFirst = true;
  for (const chunk of readChunks(path)) {
    const text = decoder.write(chunk);
    yield* splitter.add(isFirst && text.startsWith("\ufeff") ? text.slice(1) : text);
    isFirst = false;
  }
  yield* splitter.finish();
}
