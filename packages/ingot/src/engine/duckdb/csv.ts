import type { BatchFile } from "../../model/batch.js";
import { IngotError } from "../../model/error.js";
import type { FileRead } from "../../model/query.js";
import { quoteName, quoteText } from "../../sql/lower/lower-text.js";
import { fileMetadata, METADATA_TYPE } from "./csv-metadata.js";
import { isMisfit, misfitReason } from "./csv-misfit.js";
import { rawLines } from "./csv-raw-lines.js";
import { call, convertField } from "./csv-types.js";
import { emptyRelation } from "./empty-relation.js";

/**
 * A DuckDB query that reads CSV files as Spark 4.2 does (PERMISSIVE, one record a line): the columns of the schema,
 * then `_metadata` (unless the schema has a column of this name); a row a record, in the order of the files and of
 * their lines. It needs `registerCsvFunctions`.
 *
 * A field that does not convert is NULL, and the text of the record stands in the corrupt-record column. Without that
 * column such a record stops every query that uses a column: MALFORMED_RECORD. Whether a record fits does not depend
 * on which columns a query uses (Spark with `spark.sql.csv.parser.columnPruning.enabled=false`). NOT NULL in the
 * schema is not enforced, as in Spark.
 *
 * @throws NOT_SUPPORTED for a dialect or a type that cannot be read exactly.
 */
export function csvRelation(read: FileRead, files: readonly BatchFile[]): string {
  checkDialect(read);
  // Field i of a record is t<i> as text, NULL where it is empty, and v<i> as a value.
  const fields = read.schema.filter((field) => field.name !== read.corruptRecordColumn);
  const texts = fields.map((_, i) => `nullif(fields[${i + 1}], '') AS t${i}`);
  const values = fields.map(({ type }, i) => `${convertField(`t${i}`, type)} AS v${i}`);
  if (files.length === 0) return noRecords(read);
  const split = `SELECT file, line, ${splitLine(read)} AS fields FROM (${rawLines(files)})`;
  const taken = `SELECT file, line, len(fields) AS found, ${texts.join(", ")} FROM (${split})`;
  const records = `SELECT *, ${values.join(", ")} FROM (${taken})`;
  const metadata = hasColumn(read, "_metadata") ? "" : `, ${pick(files.map(fileMetadata))} AS _metadata`;
  if (read.corruptRecordColumn !== undefined) {
    const columns = read.schema.map((field) => {
      const i = fields.indexOf(field);
      return `${i === -1 ? `CASE WHEN ${isMisfit(fields)} THEN line END` : `v${i}`} AS ${quoteName(field.name)}`;
    });
    return `SELECT ${columns.join(", ")}${metadata} FROM (${records})`;
  }
  // The function always raises. Each column asks, so that no filter drops the record before it is told.
  const path = pick(files.map((file) => quoteText(file.path)));
  const refusal = call("csv_malformed", "line", path, misfitReason(fields));
  const checked = `SELECT *, CASE WHEN ${isMisfit(fields)} THEN ${refusal} ELSE false END AS refused FROM (${records})`;
  const columns = fields.map(({ name }, i) => `CASE WHEN refused THEN NULL ELSE v${i} END AS ${quoteName(name)}`);
  return `SELECT ${columns.join(", ")}${metadata} FROM (${checked})`;
}

/**
 * The fields of a line, as SQL. A line without a quote is split at each separator. So is, after its quotes are taken
 * out, a line in which quotes only surround whole fields that hold neither a separator nor an escape. Other lines go
 * to {@link splitRecord}.
 */
function splitLine(read: FileRead): string {
  const sep = quoteText(read.sep);
  // An empty quote is NUL in Spark, which SQL text cannot hold.
  const mark = read.quote === "" ? "chr(0)" : quoteText(read.quote);
  const unquoted = `WHEN NOT contains(line, ${mark}) THEN string_split(line, ${sep})`;
  const other = call("csv_split", "line", sep, quoteText(read.quote), quoteText(read.escape));
  if (read.quote === "" || read.escape === "") return `CASE ${unquoted} ELSE ${other} END`;
  const [s, q, e] = [read.sep, read.quote, read.escape].map((c) => c.replace(/[!-/:-@[-`{-~]/, "\\$&"));
  const field = `(?:${q}[^${q}${s}${e}\\x00]*${q}|[^${q}${s}]*)`;
  const regular = `regexp_full_match(line, ${quoteText(`${field}(?:${s}${field})*`)})`;
  return `CASE ${unquoted} WHEN ${regular} THEN string_split(replace(line, ${mark}, ''), ${sep}) ELSE ${other} END`;
}

/** The element of a list for the file at hand. */
function pick(elements: readonly string[]): string {
  return elements.length === 1 ? (elements[0] as string) : `[${elements.join(", ")}][file + 1]`;
}

function hasColumn(read: FileRead, name: string): boolean {
  return read.schema.some((field) => field.name.toLowerCase() === name);
}

function noRecords(read: FileRead): string {
  const empty = emptyRelation(read.schema);
  return hasColumn(read, "_metadata") ? empty : `SELECT *, NULL::${METADATA_TYPE} AS _metadata FROM (${empty})`;
}

function checkDialect(read: FileRead): void {
  const fault = dialectFault(read);
  if (fault === undefined) return;
  throw new IngotError("NOT_SUPPORTED", `read_files: ${fault}`, {
    hint: 'Give sep, quote and escape one character each, such as , and " and \\; an empty quote turns quoting off.',
  });
}

function dialectFault(read: FileRead): string | undefined {
  if (read.sep.length !== 1) return `the separator ${JSON.stringify(read.sep)} is not one character`;
  if (read.quote.length > 1) return `the quote ${JSON.stringify(read.quote)} is more than one character`;
  if (read.escape.length > 1) return `the escape ${JSON.stringify(read.escape)} is more than one character`;
  if (/[\r\n\0]/.test(read.sep + read.quote + read.escape)) return "a line end or NUL cannot structure a record";
  if (read.sep === read.quote) return "the separator and the quote are the same character";
  return undefined;
}
