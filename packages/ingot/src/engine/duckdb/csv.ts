import type { BatchFile } from "../../model/batch.js";
import { formatType } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import type { FileRead } from "../../model/query.js";
import { fileMetadata, METADATA_TYPE } from "./csv-metadata.js";
import { rawLines } from "./csv-raw-lines.js";
import { call, convertField } from "./csv-types.js";
import { quoteName, quoteText } from "./quote.js";
import { duckdbType } from "./types.js";

/** univocity's limit, which Spark leaves as it is: a longer record is an error there too. */
const MAX_FIELDS = 20_480;

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
  const fields = read.schema.filter((field) => field.name !== read.corruptRecordColumn);
  const converted = fields.map(({ type }, i) => `${convertField(`t${i}`, type)} AS v${i}`);
  if (files.length === 0) return noRecords(read);

  const split = `SELECT file, line, ${splitLine(read)} AS fields FROM (${rawLines(files)})`;
  const texts = fields.map((_, i) => `nullif(fields[${i + 1}], '') AS t${i}`);
  const taken = `SELECT file, line, len(fields) AS found, ${texts.join(", ")} FROM (${split})`;
  const values = `SELECT *, ${converted.join(", ")} FROM (${taken})`;

  const misfits = fields.map((_, i) => `(t${i} IS NOT NULL AND v${i} IS NULL)`);
  const tooLong = quoteText(`[MALFORMED_RECORD] A record has more than ${MAX_FIELDS} fields; Spark refuses it too.`);
  const isBad = [
    `(found <> ${fields.length} AND (found <= ${MAX_FIELDS} OR error(${tooLong})::BOOLEAN))`,
    ...misfits,
  ].join(" OR ");
  const metadata = hasColumn(read, "_metadata") ? [] : [`${pick(files.map(fileMetadata))} AS _metadata`];

  if (read.corruptRecordColumn !== undefined) {
    const columns = read.schema.map((field) => {
      const i = fields.indexOf(field);
      return `${i === -1 ? `CASE WHEN ${isBad} THEN line END` : `v${i}`} AS ${quoteName(field.name)}`;
    });
    return `SELECT ${[...columns, ...metadata].join(", ")} FROM (${values})`;
  }
  const reasons = fields.map(
    ({ name, type }, i) =>
      `WHEN ${misfits[i]} THEN ${quoteText(`column ${name} ${formatType(type)} cannot hold `)} || t${i}`,
  );
  const reason = `CASE WHEN found <> ${fields.length} THEN ${quoteText(`it should have ${fields.length} fields and has `)} || found ${reasons.join(" ")} END`;
  const path = pick(files.map((file) => quoteText(file.path)));
  // The function always raises. Each column asks, so that no filter can drop the record before it is told.
  const checked = `SELECT *, CASE WHEN ${isBad} THEN ${call("csv_malformed", "line", path, reason)} ELSE false END AS bad FROM (${values})`;
  const columns = fields.map(({ name }, i) => `CASE WHEN bad THEN NULL ELSE v${i} END AS ${quoteName(name)}`);
  return `SELECT ${[...columns, ...metadata].join(", ")} FROM (${checked})`;
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
  const columns = read.schema.map(({ name, type }) => `NULL::${duckdbType(type)} AS ${quoteName(name)}`);
  if (!hasColumn(read, "_metadata")) columns.push(`NULL::${METADATA_TYPE} AS _metadata`);
  return `SELECT ${columns.join(", ")} WHERE false`;
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
