import { RAW_SEPARATOR } from "../../../../sources/files/count-lines.js";
import { quoteText } from "../../../../sql/lower/lower-text.js";
import { quotePath } from "../../quote-path.js";
import { fileRuns } from "../file-runs.js";
import { type LocatedFile, textPath } from "../located-file.js";

/** What DuckDB's reader takes without being told. */
const DEFAULT_LINE_BYTES = 2_097_152;

export interface LineUse {
  readonly comment?: string;
  /** Blank lines are records, too. */
  readonly keepsBlank?: boolean;
  /** `number`: of the line in its file, from 1. */
  readonly lineNumber: boolean;
  /** `record`: of the record in its file, from 1. */
  readonly recordNumber: boolean;
}

/**
 * A query of the lines of files that are records, in order: `file` (index among the files, from 0) and `line`. Blank
 * lines, comments and headers are left out.
 *
 * DuckDB's CSV reader gives whole lines when its separator is a byte that no line holds. It is exact where all lines
 * end in the same way; other files are read by `csv_lines`.
 */
export function rawLines(files: readonly LocatedFile[], use: LineUse): string {
  // Numbers begin anew with each file.
  const isNumbered = use.lineNumber || use.recordNumber;
  const isAlike = (a: LocatedFile, b: LocatedFile) => !isNumbered && !isMixed(a) && isReadAlike(a, b);
  const parts = [...fileRuns(files, isAlike)].map(({ start, first, files: alike }) =>
    filledLines(start, isMixed(first) ? ownLines(first) : duckdbLines(alike, use), use),
  );
  return parts.join(" UNION ALL ");
}

function filledLines(start: number, lines: string, { comment, keepsBlank, lineNumber, recordNumber }: LineUse): string {
  const number = lineNumber ? ", number" : "";
  const record = recordNumber ? ", row_number() OVER () AS record" : "";
  // DuckDB gives an empty line as NULL.
  if (keepsBlank === true) {
    return `SELECT ${start} + file AS file, coalesce(line, '') AS line${number}${record} FROM (${lines})`;
  }
  // A line is blank where nothing in it is above U+0020; the comparison decides for nearly all without the expression.
  const filled = "(line >= '!' OR regexp_matches(line, '[^\\x00-\\x20]'))";
  const isRecord = comment === undefined ? filled : `${filled} AND NOT starts_with(line, ${quoteText(comment)})`;
  return `SELECT ${start} + file AS file, line${number}${record} FROM (${lines}) WHERE ${isRecord}`;
}

function isMixed({ lineEnd = "mixed" }: LocatedFile): boolean {
  return lineEnd === "mixed";
}

function isReadAlike(a: LocatedFile, b: LocatedFile): boolean {
  return a.lineEnd === b.lineEnd && a.skipLines === b.skipLines;
}

function ownLines(file: LocatedFile): string {
  return `SELECT 0 AS file, line, number FROM csv_lines(${quoteText(textPath(file))}) WHERE number > ${file.skipLines ?? 0}`;
}

function duckdbLines(files: readonly LocatedFile[], { lineNumber }: LineUse): string {
  const paths = files.map((file) => quotePath(textPath(file)));
  const [first] = files;
  const skip = first?.skipLines ?? 0;
  const longest = Math.max(...files.map((file) => file.longestLine ?? 0)) + 2;
  const newLine = { "\n": "\\n", "\r\n": "\\r\\n", "\r": "\\r", mixed: "" }[first?.lineEnd ?? "\n"];
  const options = [
    "columns = {'line': 'VARCHAR'}",
    "auto_detect = false",
    "header = false",
    `delim = '${RAW_SEPARATOR}'`,
    "quote = ''",
    "escape = ''",
    `new_line = '${newLine}'`,
    `skip = ${skip}`,
    ...(longest > DEFAULT_LINE_BYTES ? [`max_line_size = ${longest}`, `buffer_size = ${4 * longest}`] : []),
  ];
  const number = lineNumber ? `, ${skip} + row_number() OVER () AS number` : "";
  return `SELECT file_index::BIGINT AS file, line${number} FROM read_csv([${paths.join(", ")}], ${options.join(", ")})`;
}
