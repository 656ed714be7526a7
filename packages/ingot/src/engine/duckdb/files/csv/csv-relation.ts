import type { Field } from "../../../../model/data-type.js";
import { IngotError } from "../../../../model/error.js";
import type { CsvRead } from "../../../../model/file-read.js";
import { columnNames } from "../../../../sources/files/column-names.js";
import { quoteText } from "../../../../sql/lower/lower-text.js";
import { type FileRun, fileRuns } from "../file-runs.js";
import { type LocatedFile, textPath } from "../located-file.js";
import type { Records, RecordUse } from "../record-columns.js";
import { fieldColumns, same } from "../relation-parts.js";
import { splitLine, textOf } from "./csv-fields.js";
import { rawLines } from "./raw-lines.js";

/** univocity's limit, which Spark leaves as it is: a longer record is an error there too. */
const MAX_FIELDS = 20_480;

/**
 * The records of CSV files as Spark 4.2 splits them. With a declared schema fields come by their place, else by the
 * names that each file gives them.
 *
 * @throws NOT_SUPPORTED for a dialect that cannot be read exactly.
 */
export function csvRecords(
  read: CsvRead,
  columns: readonly Field[],
  files: readonly LocatedFile[],
  use: RecordUse,
): Records {
  checkDialect(read);
  const wanted = fieldColumns(read, columns, files);
  return [...fileRuns(files, isLaidOutAlike)].map((run) => recordsOf(read, wanted, run, use)).join(" UNION ALL ");
}

/** Whether the fields of two files have the same names in the same order. */
function isLaidOutAlike(a: LocatedFile, b: LocatedFile): boolean {
  if (a.fields?.length !== b.fields?.length) return false;
  return a.fields?.every((field, i) => field.name === b.fields?.[i]?.name) ?? true;
}

function namesOf(file: LocatedFile, read: CsvRead, wanted: readonly Field[]): readonly string[] {
  if (read.schema !== undefined || file.fields === undefined) return wanted.map(({ name }) => name);
  return columnNames(
    file.fields.map(({ name }) => name),
    { clean: read.cleanColumnNames },
  );
}

function recordsOf(read: CsvRead, wanted: readonly Field[], { start, first, files }: FileRun, use: RecordUse): Records {
  const names = namesOf(first, read, wanted);
  const texts = wanted.map((column, i) => {
    const place = names.findIndex((name) => same(name, column.name));
    return `${place === -1 ? "NULL::VARCHAR" : textOf(`fields[${place + 1}]`, read)} AS t${i}`;
  });
  const numbers = `${use.lineNumber || read.multiLine ? ", number" : ""}${use.rowNumber ? ", record" : ""}`;
  const other = use.other ? [`${otherFields(read, wanted, names)} AS other`] : [];
  const chosen = [`${start} + file AS file`, `line${numbers}`, `${wrongCount(names)} AS fault`, ...other, ...texts];
  return `SELECT ${chosen.join(", ")} FROM (${splitRecords(read, files, use, numbers)})`;
}

/** `file`, `line`, the numbers, and `fields`. */
function splitRecords(read: CsvRead, files: readonly LocatedFile[], use: RecordUse, numbers: string): string {
  if (!read.multiLine) return splitLines(read, files, use, numbers);
  return files
    .map((file, i) => {
      // Where each line is a record, DuckDB splits them.
      const isByLine = file.lineEnd !== undefined && file.lineEnd !== "mixed";
      return `SELECT ${i} AS file, line${numbers}, fields FROM (${isByLine ? splitLines(read, [file], use, numbers) : ownRecords(read, file)})`;
    })
    .join(" UNION ALL ");
}

function splitLines(read: CsvRead, files: readonly LocatedFile[], use: RecordUse, numbers: string): string {
  const { comment } = read;
  const lines = rawLines(files, {
    lineNumber: use.lineNumber || read.multiLine,
    recordNumber: use.rowNumber,
    ...(comment === undefined ? {} : { comment }),
  });
  return `SELECT file, line${numbers}, ${splitLine(read)} AS fields FROM (${lines})`;
}

function ownRecords(read: CsvRead, file: LocatedFile): string {
  const dialect = quoteText(JSON.stringify(dialectOf(read)));
  return `SELECT * FROM csv_records(${quoteText(textPath(file))}, ${dialect}, ${file.skipLines ?? 0})`;
}

function dialectOf(read: CsvRead) {
  const { sep, quote, escape: escaped, comment, ignoreLeadingWhiteSpace, ignoreTrailingWhiteSpace } = read;
  const normalizes = read.schema !== undefined;
  return { sep, quote, escape: escaped, comment, ignoreLeadingWhiteSpace, ignoreTrailingWhiteSpace, normalizes };
}

/** What is wrong with the number of fields, for people. */
function wrongCount(names: readonly string[]): string {
  const tooLong = quoteText(`[MALFORMED_RECORD] A record has more than ${MAX_FIELDS} fields; Spark refuses it too.`);
  const list = `[${names.map(quoteText).join(", ")}]`;
  const few = `'missing field: ' || array_to_string(${list}[len(fields) + 1:], ', ')`;
  const many = `'it should have ${names.length} fields and has ' || len(fields)`;
  return (
    `CASE WHEN len(fields) = ${names.length} THEN NULL WHEN len(fields) > ${MAX_FIELDS} THEN error(${tooLong})` +
    ` WHEN len(fields) > ${names.length} THEN ${many} ELSE ${few} END`
  );
}

/** Fields that no column takes: by their names, and by their places (from 1) where the header has none for them. */
function otherFields(read: CsvRead, wanted: readonly Field[], names: readonly string[]): string {
  const unknown = names.flatMap((name, i) =>
    wanted.some((column) => same(column.name, name))
      ? []
      : `[${quoteText(name)}, '.' || ${textOf(`fields[${i + 1}]`, read)}]`,
  );
  const count = names.length;
  const beyond = `flatten(list_transform(range(${count + 1}, len(fields) + 1), lambda i: [i::VARCHAR, '.' || ${textOf("fields[i]", read)}]))`;
  const unnamed = `CASE WHEN len(fields) > ${count} THEN ${beyond} END`;
  if (unknown.length === 0) return unnamed;
  const present = `flatten(list_filter([${unknown.join(", ")}], lambda p: p[2] IS NOT NULL))`;
  return `nullif(list_concat(${present}, ${unnamed}), [])`;
}

function checkDialect(read: CsvRead): void {
  const fault = dialectFault(read);
  if (fault === undefined) return;
  throw new IngotError("NOT_SUPPORTED", `read_files: ${fault}`, {
    hint: 'Give sep, quote and escape one character each, such as , and " and \\; an empty quote turns quoting off.',
  });
}

function dialectFault(read: CsvRead): string | undefined {
  if (read.sep.length !== 1) return `the separator ${JSON.stringify(read.sep)} is not one character`;
  if (read.quote.length > 1) return `the quote ${JSON.stringify(read.quote)} is more than one character`;
  if (read.escape.length > 1) return `the escape ${JSON.stringify(read.escape)} is more than one character`;
  if (/[\r\n\0]/.test(read.sep + read.quote + read.escape)) return "a line end or NUL cannot structure a record";
  if (read.sep === read.quote) return "the separator and the quote are the same character";
  if (read.comment !== undefined && !/^[!-~]$/.test(read.comment)) {
    return `the comment ${JSON.stringify(read.comment)} is not one visible ASCII character`;
  }
  return undefined;
}
