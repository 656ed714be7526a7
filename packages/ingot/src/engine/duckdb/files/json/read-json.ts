import { readFileSync } from "node:fs";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { type DataType, formatType } from "../../../../model/data-type.js";
import { type JsonField, type JsonRecord, readJsonRecords } from "../../../../sources/files/json-records.js";
import { countLineBreaks, type TextLine } from "../../../../sources/files/text-lines.js";
import { duckdb } from "../../node-api.js";
import { readTextLines } from "../csv/read-chunks.js";
import { registerReader } from "../register-reader.js";
import { canConvert } from "./can-convert.js";
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
  readonly type: DataType;
}

/**
 * Registers the table function `json_records(path, reading)`: the records of a JSON file as record-columns.ts wants
 * them, the texts of the columns in the list `texts`. `reading` is JSON of `JsonReading`.
 *
 * @param regions the time zones that a timestamp may name
 */
export function registerJsonRecords(connection: DuckDBConnection, regions: ReadonlySet<string>): void {
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
    read: ([path, reading]) => readRows(String(path), JSON.parse(String(reading)) as JsonReading, regions),
  });
}

function* readRows(path: string, reading: JsonReading, regions: ReadonlySet<string>): Generator<DuckDBValue[]> {
  let count = 0n;
  for (const { text, number } of reading.multiLine ? document(path) : readTextLines(path)) {
    let line = number;
    let counted = 0;
    const found = readJsonRecords(text, reading.isDeclared);
    const isAlone = found.length === 1;
    const records = found.map((record) => {
      line += countLineBreaks(text.slice(counted, record.start));
      counted = record.start;
      const taken = takeFields(record, reading);
      // SQL converts the texts, one record at a time; what is a fault of its neighbours, too, is looked for here.
      const fault =
        taken.fault ?? (reading.isDeclared && !isAlone ? unconverted(taken.texts, reading, regions) : undefined);
      return { own: record.text, line, fault, texts: taken.texts, other: taken.other };
    });
    const shared = reading.isDeclared ? records.find(({ fault }) => fault !== undefined)?.fault : undefined;
    const whole = shared !== undefined || (reading.isDeclared && isAlone) ? text : undefined;
    for (const { own, line, fault = shared, other, texts } of records) {
      count += 1n;
      const left = other.length === 0 ? null : listValue(other);
      yield [whole ?? own, BigInt(line), count, fault ?? null, left, listValue(texts)];
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
    const text = column === undefined ? undefined : fitText(field, column.type.kind);
    if (text !== undefined) texts[place] = text;
    else if (rescues) other.push(field.name, `.${field.text}`);
    else if (column !== undefined) fault ??= misfit(column, field);
  }
  return { texts, other, fault };
}

/** What is wrong with texts that fit their columns in kind; with rescued data nothing is. */
function unconverted(
  texts: readonly (string | null)[],
  { columns, other: rescues }: JsonReading,
  regions: ReadonlySet<string>,
): string | undefined {
  if (rescues) return undefined;
  for (const [place, column] of columns.entries()) {
    const text = texts[place];
    if (typeof text === "string" && !canConvert(text, column.type, regions)) return misfit(column, { text });
  }
  return undefined;
}

function misfit({ name, type }: JsonColumn, { text }: Pick<JsonField, "text">): string {
  return `column ${name} ${formatType(type)} cannot hold ${text}`;
}
