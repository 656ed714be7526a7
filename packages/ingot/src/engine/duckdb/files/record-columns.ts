import { type Field, formatType } from "../../../model/data-type.js";
import type { AnyFileRead, CsvRead, JsonRead, TextRead } from "../../../model/file-read.js";
import { quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { fileUri } from "../../file-uri.js";
import { convertField } from "./csv/convert-field.js";
import { type LocatedFile, textPath } from "./located-file.js";
import {
  type ColumnSource,
  type FileUse,
  fieldColumns,
  metadataColumns,
  partitionColumn,
  pick,
  sourceOf,
} from "./relation-parts.js";

/**
 * What a reader of text gives, as SQL of a query: a row a record, in the order of files and records, with
 * `file` (its place among the files, from 0), `line` (the record as it stands), `fault` (what is wrong with its form,
 * for people; NULL for nothing), `t0`, `t1`, … (the text of each column that comes from a field, NULL where it is
 * null), and where `RecordUse` asks for it `number` (the line on which it begins), `record` (its place in the file, from
 * 1) and `other` (of what no column takes names and values in turn, the values behind a point; NULL for nothing).
 */
export type Records = string;

/** A read of files that hold text. */
export type TextFileRead = CsvRead | JsonRead | TextRead;

export interface RecordUse extends FileUse {
  /** There is a column of rescued data. */
  readonly other: boolean;
}

/** What a query fails with that has rescued data to tell and does not count lines. */
export const LINES_NEEDED = "LINES_NEEDED";

/** What records need to give for a read with these columns. */
export function recordUse(read: AnyFileRead, columns: readonly Field[], use: FileUse): RecordUse {
  const rescues = columns.some((column) => sourceOf(column, read, []) === "rescued");
  return { ...use, lineNumber: use.lineNumber && rescues, other: rescues };
}

/**
 * The columns of a read from its records: texts become values, and what does not fit goes where the read says: whole
 * into the corrupt-record column, in parts into the rescued data, away (DROPMALFORMED), or it stops the query with
 * MALFORMED_RECORD. Whether a record fits does not depend on which columns a query uses (Spark with
 * `spark.sql.csv.parser.columnPruning.enabled=false`).
 */
export function recordColumns(
  read: TextFileRead,
  columns: readonly Field[],
  files: readonly LocatedFile[],
  records: Records,
  use: RecordUse,
): string {
  const fields = fieldColumns(read, columns, files);
  const typed = typedRecords(records, fields);
  const sources = columns.map((column) => [column, sourceOf(column, read, files)] as const);
  const unfit = unfitCondition(fields, use);
  const keeps = read.mode === "PERMISSIVE" && (use.other || sources.some(([, source]) => source === "corrupt"));
  const drops = read.mode === "DROPMALFORMED";
  // Each column asks, so that no filter drops the record before it is told.
  const isChecked = !keeps && !drops;
  const guard = (sql: string) => (isChecked ? `CASE WHEN refused THEN NULL ELSE ${sql} END` : sql);
  const columnValue = (column: Field, source: ColumnSource): string => {
    if (source === "field") return guard(`v${fields.indexOf(column)}`);
    if (source === "partition") return partitionColumn(column, files);
    if (source === "rescued") return guard(rescuedData(fields, files, use.lineNumber || knowsLines(read)));
    return keeps ? `CASE WHEN ${unfit} THEN line END` : "NULL::VARCHAR";
  };
  const selected = sources.map(([column, source]) => `${columnValue(column, source)} AS ${quoteName(column.name)}`);
  const metadata = metadataColumns(columns, files, use);
  const rows = isChecked
    ? `SELECT *, CASE WHEN ${unfit} THEN ${refusal(read, fields, files)} ELSE false END AS refused FROM (${typed})`
    : typed;
  return `SELECT ${selected.join(", ")}${metadata} FROM (${rows})${drops ? ` WHERE NOT (${unfit})` : ""}`;
}

/** Records, and their texts as values `v0`, `v1`, …: NULL for a text that does not fit. */
function typedRecords(records: Records, fields: readonly Field[]): string {
  const values = fields.map(({ type }, i) => `${convertField(`t${i}`, type)} AS v${i}`);
  return `SELECT ${["*", ...values].join(", ")} FROM (${records})`;
}

/** Readers of ours tell the line of each record anyway. */
function knowsLines(read: TextFileRead): boolean {
  return read.format === "json" || (read.format === "csv" && read.multiLine);
}

/** With rescued data a value of another type is no fault of the record. */
function unfitCondition(fields: readonly Field[], { other: rescues }: RecordUse): string {
  const unconverted = rescues ? [] : fields.flatMap((field, i) => isUnconverted(field, i) ?? []);
  return ["fault IS NOT NULL", ...unconverted].join(" OR ");
}

/** Undefined for types that take every text. */
function isUnconverted({ type }: Field, index: number): string | undefined {
  const takesAll = type.kind === "string" || type.kind === "binary";
  return takesAll ? undefined : `(t${index} IS NOT NULL AND v${index} IS NULL)`;
}

/** Always raises. */
function refusal(read: TextFileRead, fields: readonly Field[], files: readonly LocatedFile[]): string {
  const faults = fields.flatMap((field, i) => {
    const what = `column ${field.name} ${formatType(field.type)} cannot hold `;
    const test = isUnconverted(field, i);
    return test === undefined ? [] : `WHEN ${test} THEN ${quoteText(what)} || t${i}`;
  });
  const reason = faults.length === 0 ? "fault" : `coalesce(fault, CASE ${faults.join(" ")} END)`;
  const path = pick(files.map((file) => quoteText(file.path)));
  const text = pick(files.map((file) => quoteText(textPath(file))));
  const number = knowsLines(read) ? "number" : "NULL";
  return `malformed_record('.' || line, ${path}, ${text}, ${reason}, ${number})`;
}

/** JSON of what no column holds; NULL for a record of which nothing is left over. */
function rescuedData(fields: readonly Field[], files: readonly LocatedFile[], lineNumber: boolean): string {
  const unconverted = fields.flatMap((field, i) => {
    const test = isUnconverted(field, i);
    return test === undefined
      ? []
      : [{ test, pair: `CASE WHEN ${test} THEN [${quoteText(field.name)}, '.' || t${i}] END` }];
  });
  const isWhole = ["fault IS NULL", "other IS NULL", ...unconverted.map(({ test }) => `NOT ${test}`)].join(" AND ");
  const pairs = `[${["other", ...unconverted.map(({ pair }) => pair)].join(", ")}]`;
  if (!lineNumber) return `CASE WHEN ${isWhole} THEN NULL ELSE error('${LINES_NEEDED}')::VARCHAR END`;
  const path = pick(files.map((file) => quoteText(fileUri(file.path))));
  return `CASE WHEN ${isWhole} THEN NULL ELSE rescued_data(${pairs}, fault, CASE WHEN fault IS NOT NULL THEN '.' || line END, number, ${path}) END`;
}

/** A query that counts the records which a read with DROPMALFORMED drops. */
export function countUnfit(
  read: AnyFileRead,
  columns: readonly Field[],
  files: readonly LocatedFile[],
  records: Records,
  use: RecordUse,
): string {
  const fields = fieldColumns(read, columns, files);
  return `SELECT count(*) FROM (${typedRecords(records, fields)}) WHERE ${unfitCondition(fields, use)}`;
}
