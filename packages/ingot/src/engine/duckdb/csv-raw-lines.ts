import type { BatchFile } from "../../model/batch.js";
import { RAW_SEPARATOR } from "../../sources/files/inspect-file.js";
import { quoteText } from "../../sql/lower/lower-text.js";
import { quotePath } from "./quote-path.js";

/** What DuckDB's reader takes without being told. */
const DEFAULT_LINE_BYTES = 2_097_152;

/**
 * A query of the lines of files that are records, in order: `file` (index among the files, from 0) and `line`. Blank
 * lines and headers are left out.
 *
 * DuckDB's CSV reader gives whole lines when its separator is a byte that no line holds. It is exact where all lines
 * end in the same way; other files are read by `csv_lines`.
 */
export function rawLines(files: readonly BatchFile[]): string {
  const parts: string[] = [];
  for (let start = 0; start < files.length; ) {
    const first = files[start] as BatchFile;
    let end = start + 1;
    while (first.lineEnd !== "mixed" && isReadAlike(first, files[end])) end += 1;
    const lines = first.lineEnd === "mixed" ? ownLines(first) : duckdbLines(files.slice(start, end));
    // A line is blank where nothing in it is above U+0020; the comparison decides for nearly all without the expression.
    parts.push(
      `SELECT ${start} + file AS file, line FROM (${lines}) WHERE line >= '!' OR regexp_matches(line, '[^\\x00-\\x20]')`,
    );
    start = end;
  }
  return parts.join(" UNION ALL ");
}

function isReadAlike(a: BatchFile, b: BatchFile | undefined): boolean {
  return a.lineEnd === b?.lineEnd && a.skipLines === b.skipLines;
}

function ownLines(file: BatchFile): string {
  return `SELECT 0 AS file, line FROM csv_lines(${quoteText(file.path)}) WHERE number > ${file.skipLines}`;
}

function duckdbLines(files: readonly BatchFile[]): string {
  const paths = files.map((file) => quotePath(file.path));
  const longest = Math.max(...files.map((file) => file.longestLine)) + 2;
  const newLine = { "\n": "\\n", "\r\n": "\\r\\n", "\r": "\\r", mixed: "" }[files[0]?.lineEnd ?? "\n"];
  const options = [
    "columns = {'line': 'VARCHAR'}",
    "auto_detect = false",
    "header = false",
    `delim = '${RAW_SEPARATOR}'`,
    "quote = ''",
    "escape = ''",
    `new_line = '${newLine}'`,
    `skip = ${files[0]?.skipLines ?? 0}`,
    ...(longest > DEFAULT_LINE_BYTES ? [`max_line_size = ${longest}`, `buffer_size = ${4 * longest}`] : []),
  ];
  return `SELECT file_index::BIGINT AS file, line FROM read_csv([${paths.join(", ")}], ${options.join(", ")})`;
}
