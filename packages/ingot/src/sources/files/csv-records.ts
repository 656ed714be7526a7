import type { LineEnd } from "../../model/batch.js";
import type { CsvDialect } from "./csv-dialect.js";
import { type CsvRecord, readRecord, skipBlanks } from "./split-record.js";
import { countLineBreaks } from "./text-lines.js";

/** A record of a CSV file in which quoted fields may hold line breaks. */
export interface CsvFileRecord extends Omit<CsvRecord, "end" | "next"> {
  /** As it stands in the file, without the line break behind it. */
  readonly text: string;
  /** Number of the line on which it begins, from 1. */
  readonly line: number;
}

/** As much of a file as decides how its lines end. */
export const DETECTION_LENGTH = 1 << 20;

/**
 * Splits the text of a CSV file into records as Spark 4.2 does with `multiLine`, fed piece by piece. How records end is
 * told by the first line break of the file; empty lines are no records, and neither are comments.
 */
export class CsvRecordSplitter {
  private rest = "";
  /** A record that did not end within this length is tried again when there is twice as much. */
  private tried = 0;
  private line = 1;
  /** How records end; known when the first one is. */
  lineEnd: LineEnd | undefined;
  private readonly dialect: CsvDialect & { readonly comment?: string };

  constructor(dialect: CsvDialect & { readonly comment?: string }) {
    this.dialect = dialect;
  }

  add(text: string): CsvFileRecord[] {
    this.rest += text;
    return this.split(false);
  }

  finish(): CsvFileRecord[] {
    return this.split(true);
  }

  private split(isLast: boolean): CsvFileRecord[] {
    this.lineEnd ??= this.rest.length >= DETECTION_LENGTH || isLast ? detectLineEnd(this.rest) : undefined;
    if (this.lineEnd === undefined || (!isLast && this.rest.length < 2 * this.tried)) return [];
    const records: CsvFileRecord[] = [];
    let start = 0;
    for (;;) {
      start = this.skipEmpty(start);
      if (start >= this.rest.length) break;
      const { fields, quotedEmpty, end, next } = readRecord(this.rest, start, this.dialect, this.lineEnd);
      // What stands behind the last character may still belong to it.
      if (!isLast && next >= this.rest.length - 1) break;
      const text = this.rest.slice(start, end);
      if (this.rest[start] !== this.dialect.comment) records.push({ fields, quotedEmpty, text, line: this.line });
      this.line += countLineBreaks(this.rest.slice(start, next));
      start = next;
    }
    this.rest = this.rest.slice(start);
    this.tried = this.rest.length;
    return records;
  }

  /** Index of the next character that belongs to a record, from the start of a line on. */
  private skipEmpty(from: number): number {
    const end = this.lineEnd ?? "\n";
    for (let start = from; ; ) {
      const at = this.dialect.ignoreLeadingWhiteSpace === true ? skipBlanks(this.rest, start, this.dialect) : start;
      const length = this.rest.startsWith(end, at) ? end.length : this.rest[at] === "\n" ? 1 : 0;
      if (length === 0) return start;
      start = at + length;
      this.line += 1;
    }
  }
}

function detectLineEnd(text: string): LineEnd {
  return (/\r\n|\n|\r/.exec(text.slice(0, DETECTION_LENGTH))?.[0] ?? "\n") as LineEnd;
}
