import type { LineEnd } from "../../model/batch.js";

const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;

/**
 * The byte that the engine's reader takes for a separator when it is to read whole lines. A file that holds it is
 * read by our own reader.
 */
export const RAW_SEPARATOR = "\x1c";

export interface FirstLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/**
 * Counts the lines of a file as Spark's reader splits them (Hadoop's LineReader: `\n`, `\r\n`, `\r`), fed chunk by
 * chunk of UTF-8. A blank line, one that holds nothing above U+0020, is no record; nor is a comment.
 */
export class LineCounter {
  /** Lines that are records, or the header. */
  filled = 0;
  /** Bytes of the longest line. */
  longest = 0;
  /** The first line that counts. */
  first: FirstLine | undefined;
  /** Lines that have ended. */
  lines = 0;
  /** Where the line in progress starts; its number is `lines + 1`. */
  private lineStart = 0;
  private offset = 0;
  private blank = true;
  /** Undefined before the first byte of a line. */
  private isComment: boolean | undefined;
  private afterCr = false;
  /** Bytes of the line in progress before the chunk, until the first line that counts is known. */
  private head = Buffer.alloc(0);
  private readonly ends = new Set<LineEnd>();
  private readonly comment: number | undefined;

  /** @param comment an ASCII character; lines that begin with it are left out */
  constructor(comment?: string) {
    this.comment = comment?.charCodeAt(0);
  }

  add(chunk: Buffer): void {
    let i = 0;
    if (this.afterCr && chunk.length > 0) {
      this.afterCr = false;
      const pair = chunk[0] === LF;
      this.ends.add(pair ? "\r\n" : "\r");
      if (pair) {
        i = 1;
        this.lineStart += 1;
      }
    }
    // Each is searched again only when it is behind us, so a file without \r is searched for it once a chunk.
    let lf = chunk.indexOf(LF, i);
    let cr = chunk.indexOf(CR, i);
    for (;;) {
      const end = lf === -1 ? cr : cr === -1 ? lf : Math.min(lf, cr);
      this.look(chunk, i, end === -1 ? chunk.length : end);
      if (end === -1) break;
      this.endLine(this.offset + end);
      i = end + 1;
      if (end === cr) {
        if (i === chunk.length) this.afterCr = true;
        else this.ends.add(chunk[i] === LF ? "\r\n" : "\r");
        if (chunk[i] === LF) i += 1;
        cr = chunk.indexOf(CR, i);
      } else this.ends.add("\n");
      if (lf !== -1 && lf < i) lf = chunk.indexOf(LF, i);
      this.lineStart = this.offset + i;
    }
    this.offset += chunk.length;
  }

  /** A piece of the line in progress. */
  private look(chunk: Buffer, start: number, end: number): void {
    if (this.blank) this.blank = isBlank(chunk, start, end);
    if (start < end) this.isComment ??= chunk[start] === this.comment;
    if (this.first === undefined) this.head = Buffer.concat([this.head, chunk.subarray(start, end)]);
  }

  /** Ends the last line where the file does not. */
  finish(): void {
    if (this.afterCr) this.ends.add("\r");
    if (this.lineStart < this.offset) this.endLine(this.offset);
  }

  /** The one way in which all lines end; undefined where there are several. */
  lineEnd(): LineEnd | undefined {
    const [end = "\n"] = this.ends;
    return this.ends.size > 1 ? undefined : end;
  }

  private endLine(end: number): void {
    this.lines += 1;
    this.longest = Math.max(this.longest, end - this.lineStart);
    if (!this.blank && this.isComment !== true) {
      this.filled += 1;
      this.first ??= { number: this.lines, text: this.head.toString() };
    }
    this.head = Buffer.alloc(0);
    this.blank = true;
    this.isComment = undefined;
  }
}

/** What a count of lines looks for beside their ends. */
interface Marks {
  /** See {@link LineCounter}. */
  readonly comment?: string;
  readonly quote?: string;
}

export interface CountedLines {
  readonly lines: LineCounter;
  /** "mixed" also where a line holds the engine's separator. */
  readonly lineEnd: LineEnd | "mixed";
  readonly hasQuote: boolean;
}

/** Counts the lines of a text, given as chunks of UTF-8. */
export async function countLines(text: AsyncIterable<Buffer>, { comment, quote }: Marks = {}): Promise<CountedLines> {
  const lines = new LineCounter(comment);
  let hasRawSeparator = false;
  let hasQuote = false;
  for await (const chunk of text) {
    hasRawSeparator ||= chunk.includes(RAW_SEPARATOR);
    hasQuote ||= quote !== undefined && chunk.includes(quote);
    lines.add(chunk);
  }
  lines.finish();
  return { lines, lineEnd: hasRawSeparator ? "mixed" : (lines.lineEnd() ?? "mixed"), hasQuote };
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] as number) > BLANK) return false;
  return true;
}
