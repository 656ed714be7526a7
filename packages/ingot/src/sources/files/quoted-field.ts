import type { LineEnd } from "../../model/batch.js";
import type { CsvDialect } from "./csv-dialect.js";

export interface FieldRead {
  readonly value: string;
  /** Index of the separator or line break behind the field, -1 at the end of the text. */
  readonly end: number;
}

/** Reads one quoted field character by character. `ch` is the character in hand, `before` the one that decides about it. */
export class QuotedField implements FieldRead {
  value = "";
  end = -1;
  private ch: string;
  private before = "\0";
  private next: number;
  private broken = false;
  private readonly text: string;
  private readonly sep: string;
  private readonly quote: string;
  private readonly escape: string;
  /** What escapes the escape character: itself, unless it is the quote. */
  private readonly escapedEscape: string;
  private readonly trimsEnd: boolean;
  private readonly lineEnd: LineEnd | undefined;

  constructor(text: string, start: number, dialect: CsvDialect, lineEnd: LineEnd | undefined) {
    this.text = text;
    this.lineEnd = lineEnd;
    this.next = start;
    this.sep = dialect.sep;
    this.quote = dialect.quote || "\0";
    this.escape = dialect.escape || "\0";
    this.escapedEscape = this.escape === this.quote ? "\0" : this.escape;
    this.trimsEnd = dialect.ignoreTrailingWhiteSpace === true;
    this.ch = this.quote;
    if (this.read()) this.end = this.next - 1;
    else if (this.ch === this.quote && this.before !== this.quote && !this.broken) this.value += this.quote;
  }

  /** False at the end of the text; `ch` then stays. */
  private advance(): boolean {
    if (this.next >= this.text.length) return false;
    this.ch = this.text[this.next++] as string;
    return true;
  }

  /** Whether the separator or a line break is in hand. A line of its own has no line break. */
  private atEnd(): boolean {
    return this.ch === this.sep || this.ch === "\n" || (this.ch === "\r" && this.isLineEnd(this.next - 1));
  }

  private isLineEnd(at: number): boolean {
    return this.lineEnd !== undefined && this.text.startsWith(this.lineEnd, at);
  }

  /** All methods below return false when the text ended, true when `ch` ends the field. */
  private read(): boolean {
    const { quote } = this;
    if (!this.advance()) return false;
    for (;;) {
      if (this.before === quote && (this.ch <= " " || this.atEnd())) return this.readBehindClosingQuote();
      if (this.ch !== quote && this.ch !== this.escape) {
        if (this.before === quote) {
          this.broken = true;
          this.value += quote + this.ch;
          return this.readToSeparator();
        }
        if (this.before === this.escape && this.escape !== "\0") this.value += this.escape;
        if (!this.appendText()) return false;
        this.before = this.ch;
        if (!this.advance()) return false;
      } else {
        if (!this.unescape()) return false;
        this.before = this.ch;
        if (!this.advance()) return false;
        if (this.broken && this.atEnd()) return true;
      }
    }
  }

  /** Text up to a quote or an escape. */
  private appendText(): boolean {
    while (this.ch !== this.quote && this.ch !== this.escape && this.ch !== this.escapedEscape) {
      this.value += this.ch;
      if (!this.advance()) return false;
    }
    return true;
  }

  /** A quote or an escape is in hand. */
  private unescape(): boolean {
    const { quote, before } = this;
    if (this.ch === this.escape && before === this.escapedEscape && this.escapedEscape !== "\0") {
      this.value += this.escape;
      this.ch = "\0";
    } else if (before === this.escape) {
      if (this.ch === quote) {
        this.value += quote;
        this.ch = "\0";
      } else this.value += before;
    } else if (this.ch === quote && before === quote) this.value += quote;
    else if (before === quote) return this.readBrokenText();
    return true;
  }

  /** After a quote that closed nothing: reads up to the separator, unescaping on. */
  private readBrokenText(): boolean {
    for (;;) {
      this.value += this.quote;
      this.before = this.ch;
      for (;;) {
        if (this.atEnd()) return true;
        if (this.ch !== this.quote && this.ch !== this.escape) {
          if (this.before === this.quote) break;
          this.value += this.ch;
        } else if (!this.unescape()) return false;
        this.before = this.ch;
        if (!this.advance()) return false;
      }
    }
  }

  private readBehindClosingQuote(): boolean {
    let blanks = "";
    while (this.ch <= " " && !this.atEnd()) {
      blanks += this.ch;
      if (!this.advance()) return false;
    }
    if (this.atEnd()) return true;
    this.value += this.quote + blanks + this.ch;
    return this.readToSeparator();
  }

  /**
   * The field was not quoted after all: it gets its opening quote back and runs to the separator. At the end of the
   * line `ch` is the first character of that run, which decides whether a quote is added (see the constructor).
   */
  private readToSeparator(): boolean {
    this.before = this.ch;
    this.value = this.quote + this.value;
    if (!this.advance()) return false;
    const start = this.next - 1;
    let end = start;
    while (end < this.text.length && this.text[end] !== this.sep && this.text[end] !== "\n" && !this.isLineEnd(end))
      end += 1;
    const rest = this.text.slice(start, end);
    this.value = this.trimsEnd ? (this.value + rest).replace(/[\0-\x20]+$/, "") : this.value + rest;
    if (end === this.text.length) return false;
    this.next = end + 1;
    return true;
  }
}
