import type { LineEnd } from "../../model/batch.js";
import type { CsvDialect } from "./csv-dialect.js";
import { type FieldRead, QuotedField } from "./quoted-field.js";

export interface CsvRecord {
  readonly fields: readonly string[];
  /** Places of the fields that are empty and quoted. */
  readonly quotedEmpty: readonly number[];
  /** Index of the line break behind the record, or the length of the text. */
  readonly end: number;
  /** Index behind that line break. */
  readonly next: number;
}

/**
 * Splits one line into its fields exactly as Spark 4.2's CSV source does (univocity-parsers 2.9.1 with Spark's
 * defaults: unescaped quotes read on to the next separator). An empty field and a quoted empty field are both "".
 *
 * What surprises: with the default escape `\`, `"a""b"` is not an escaped quote; the field keeps its outer quotes.
 * Blanks between a closing quote and the separator vanish. A quote that nobody closes takes the rest of the line.
 */
export function splitRecord(line: string, dialect: CsvDialect): readonly string[] {
  return readRecord(line, 0, dialect).fields;
}

/**
 * Reads the record that begins at `start`; as `splitRecord`, but its quoted fields may hold line breaks.
 *
 * @param lineEnd what ends a record. A `\n` alone does so too behind a quoted field, and where a field begins: there
 * univocity looks for what it makes of all line ends. Without `lineEnd` the text is one line.
 */
export function readRecord(text: string, start: number, dialect: CsvDialect, lineEnd?: LineEnd): CsvRecord {
  const quote = dialect.quote || "\0";
  const fields: string[] = [];
  const quotedEmpty: number[] = [];
  for (let at = start; ; ) {
    if (dialect.ignoreLeadingWhiteSpace === true) at = skipBlanks(text, at, dialect);
    let end: number;
    if (text[at] !== quote) {
      end = findEnd(text, at, dialect.sep, lineEnd);
      fields.push(unquotedValue(text, at, end, dialect));
    } else {
      const field = readPlainQuoted(text, at + 1, dialect) ?? new QuotedField(text, at + 1, dialect, lineEnd);
      if (field.value === "") quotedEmpty.push(fields.length);
      fields.push(field.value);
      end = field.end === -1 ? text.length : field.end;
    }
    if (text[end] !== dialect.sep) return { fields, quotedEmpty, end, next: end + lineEndAt(text, end) };
    at = end + 1;
  }
}

/** Length of the line break at an index; 0 at the end of the text. */
function lineEndAt(text: string, at: number): number {
  return at >= text.length ? 0 : text.startsWith("\r\n", at) ? 2 : 1;
}

/** Index of the next separator or line break, or the length. */
function findEnd(text: string, start: number, sep: string, lineEnd: LineEnd | undefined): number {
  const found = text.indexOf(sep, start);
  const end = found === -1 ? text.length : found;
  if (lineEnd === undefined) return end;
  if (text[start] === "\n") return start;
  const first = lineEnd[0];
  for (let i = start; i < end; i++) if (text[i] === first && text.startsWith(lineEnd, i)) return i;
  return end;
}

function unquotedValue(text: string, start: number, end: number, dialect: CsvDialect): string {
  let last = end;
  if (dialect.ignoreTrailingWhiteSpace === true) while (last > start && (text[last - 1] as string) <= " ") last -= 1;
  return text.slice(start, last);
}

/** Index of the first character that is no blank, or ends a field or record. */
export function skipBlanks(text: string, start: number, { sep, quote }: CsvDialect): number {
  let at = start;
  for (let ch = text[at]; ch !== undefined && ch <= " " && ch !== sep && ch !== quote && ch !== "\n"; ch = text[at]) {
    at += 1;
  }
  return at;
}

/**
 * A quoted field with a separator or `\n` right behind its closing quote and nothing to unescape. Not a mere short cut:
 * with an empty escape such a field escapes the odd rules of {@link QuotedField}.
 */
function readPlainQuoted(text: string, start: number, dialect: CsvDialect): FieldRead | undefined {
  const sep = dialect.sep;
  const q = dialect.quote || "\0";
  const e = dialect.escape || "\0";
  const escapedEscape = e === q ? "\0" : e;
  for (let i = start; i < text.length; i++) {
    if (text[i] === q) {
      if (text[i - 1] === e || (text[i + 1] !== sep && text[i + 1] !== "\n")) return undefined;
      return { value: text.slice(start, i), end: i + 1 };
    }
    if (text[i] === e && (text[i + 1] === q || text[i + 1] === escapedEscape)) return undefined;
  }
  return undefined;
}
