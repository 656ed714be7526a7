import type { TextRead } from "../../../model/file-read.js";
import { quotePath } from "../quote-path.js";
import { rawLines } from "./csv/raw-lines.js";
import { type LocatedFile, textPath } from "./located-file.js";
import type { Records, RecordUse } from "./record-columns.js";

/** The records of text files: their lines, blank ones too, or whole files. */
export function textRecords(read: TextRead, files: readonly LocatedFile[], use: RecordUse): Records {
  const taken = "NULL::VARCHAR AS fault, NULL::VARCHAR[] AS other, line AS t0";
  const texts = read.wholeText ? wholeTexts(files) : lines(files, use);
  return `SELECT *, ${taken} FROM (${texts})`;
}

function lines(files: readonly LocatedFile[], use: RecordUse): string {
  return rawLines(files, { keepsBlank: true, lineNumber: use.lineNumber, recordNumber: use.rowNumber });
}

function wholeTexts(files: readonly LocatedFile[]): string {
  const withoutMark = "CASE WHEN starts_with(content, chr(65279)) THEN substr(content, 2) ELSE content END";
  const parts = files.map(
    (file, i) =>
      `SELECT ${i} AS file, ${withoutMark} AS line, 1::BIGINT AS number, 1::BIGINT AS record FROM read_text(${quotePath(textPath(file))})`,
  );
  return parts.join(" UNION ALL ");
}
