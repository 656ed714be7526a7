import type { CsvRead } from "../../../../model/file-read.js";
import { quoteText } from "../../../../sql/lower/lower-text.js";
import { call } from "./convert-field.js";
import { quoteOf } from "./quoted-list.js";

/**
 * The text of an element of `splitLine`'s list, as SQL: NULL where it is null. Without a schema, and where another text
 * stands for null, a quoted empty field is an empty text.
 */
export function textOf(element: string, read: CsvRead): string {
  const quote = quoteOf(read);
  const between = `substr(${element}, 2, length(${element}) - 2)`;
  const isEmptyNull = read.schema !== undefined && read.nullValue === "";
  const cases = [
    // Nearly all texts begin with a character behind the quote, and a comparison costs less than a call.
    ...(quote < "\x7f" ? [`WHEN ${element} >= chr(${quote.charCodeAt(0) + 1}) THEN ${element}`] : []),
    `WHEN ${element} = '' THEN NULL`,
    `WHEN starts_with(${element}, ${sqlChar(quote)}) THEN ${isEmptyNull ? `nullif(${between}, '')` : between}`,
  ];
  const text = `CASE ${cases.join(" ")} ELSE ${element} END`;
  return read.nullValue === "" ? text : `nullif(${text}, ${quoteText(read.nullValue)})`;
}

/**
 * The fields of a line as SQL of a list, its elements as `quotedList` says. A line without a quote is split at each
 * separator; so is a line in which quotes only surround whole fields that hold neither a separator nor an escape. Other
 * lines go to `readRecord`.
 */
export function splitLine(read: CsvRead): string {
  const { ignoreLeadingWhiteSpace, ignoreTrailingWhiteSpace } = read;
  const sep = quoteText(read.sep);
  const trims = [ignoreLeadingWhiteSpace, ignoreTrailingWhiteSpace].map((flag) => `'${flag}'`);
  const other = call("csv_split", "line", sep, quoteText(read.quote), quoteText(read.escape), ...trims);
  if (ignoreLeadingWhiteSpace || ignoreTrailingWhiteSpace) return other;
  const split = `string_split(line, ${sep})`;
  // An empty quote is NUL in Spark, which SQL text cannot hold.
  const marks = read.quote === "" ? ["chr(0)", sqlChar(quoteOf(read))] : [quoteText(read.quote)];
  const plain = `WHEN ${marks.map((mark) => `NOT contains(line, ${mark})`).join(" AND ")} THEN ${split}`;
  if (read.quote === "" || read.escape === "") return `CASE ${plain} ELSE ${other} END`;
  const [s, q, e] = [read.sep, read.quote, read.escape].map((c) => c.replace(/[!-/:-@[-`{-~]/, "\\$&"));
  const field = `(?:${q}[^${q}${s}${e}\\x00]*${q}|[^${q}${s}]*)`;
  const regular = `regexp_full_match(line, ${quoteText(`${field}(?:${s}${field})*`)})`;
  return `CASE ${plain} WHEN ${regular} THEN ${split} ELSE ${other} END`;
}

function sqlChar(character: string): string {
  return `chr(${character.charCodeAt(0)})`;
}
