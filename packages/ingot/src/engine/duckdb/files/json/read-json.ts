import { readFileSync } from "node:fs";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import type { DataType } from "../../../../model/data-type.js";
import { type JsonField, type JsonRecord, readJsonRecords } from "../../../../sources/files/json-records.js";
import { countLineBreaks, type TextLine } from "../../../../sources/files/text-lines.js";
import { duckdb } from "../../node-api.js";
import { readTextLines } from "../csv/read-chunks.js";
import { registerReader } from "../register-reader.js";
import { fitText } from "./fit-text.js";

const { BIGINT, LIST, listValue, VARCHAR } = duckdb;

/** How `json_records` reads a file. */
export interface JsonReading {
  readonly multiLine: boolean;
  /** See `readJsonRecords`. A value that does not fit is then a fault of all records of its line, or document. */
  readonly isDeclared: boolean;
  /** What fits no column goes to the rescued data: a value of another type is then no fault. */
  readonly other: boolean;
  readonly columns: readonly JsonColumn[];
}

export interface JsonColumn {
  /** Of the field in the file; absent for a column that the file lacks. */
  readonly name?: string;
  readonly kind: DataType["kind"];
  /** For people. */
  readonly type: string;
}

/**
 * Registers the table function `json_records(path, reading)`: the records of a JSON file as record-columns.ts wants
 * them, the texts of the columns in the list `texts`. `reading` is JSON of `JsonReading`.
 */
export function registerJsonRecords(connection: DuckDBConnection): void {
  registerReader(connection, {
    name: "json_records",
    parameterTypes: [VARCHAR, VARCHAR],
    columns: {
      line: VARCHAR,
      number: BIGINT,
      record: BIGINT,
      fault: VARCHAR,
      other: LIST(VARCHAR),
      texts: LIST(VARCHAR),
    },
    read: ([path, reading]) => readRows(String(path), JSON.parse(String(reading)) as JsonReading),
  });
}

function* readRows(path: string, reading: JsonReading): Generator<DuckDBValue[]> {
  let count = 0n;
  for (const { text, number } of reading.multiLine ? document(path) : readTextLines(path)) {
    let line = number;
    let counted = 0;
    const records = readJsonRecords(text, reading.isDeclared).map((record) => {
      line += countLineBreaks(text.slice(counted, record.start));
      counted = record.start;
      return { ...record, ...takeFields(record, reading), line };
    });
    const shared = reading.isDeclared ? records.find(({ fault }) => fault !== undefined)?.fault : undefined;
    for (const { text: own, line, fault = shared, other, texts } of records) {
      count += 1n;
      const left = other.length === 0 ? null : listValue(other);
      yield [own, BigInt(line), count, fault ?? null, left, listValue(texts)];
    }
  }
}

function* document(path: string): Generator<TextLine> {
  yield { text: readFileSync(path, "utf8").replace(/^\ufeff/, ""), number: 1 };
}

function takeFields(record: JsonRecord, { columns, other: rescues }: JsonReading) {
  const texts: (string | null)[] = columns.map(() => null);
  const other: string[] = [];
  let fault = record.fault;
  for (const field of record.fields) {
    const place = columns.findIndex(({ name }) => name === field.name);
    const column = columns[place];
    const text = column === undefined ? undefined : fitText(field, column.kind);
    if (text !== undefined) texts[place] = text;
    else if (rescues) other.push(field.name, `.${field.text}`);
    else if (column !== undefined) fault ??= misfit(field, column);
  }
  return { texts, other, ...(fault === undefined ? {} : { fault }) };
}

function misfit({ name, text }: JsonField, { type }: JsonColumn): string {
  return `column ${name} ${type} cannot hold ${text}`;
}
