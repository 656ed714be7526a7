/** Characters that structure a record. Each is one UTF-16 unit; quote and escape may be empty, which means NUL, as in Spark. */
export interface CsvDialect {
  readonly sep: string;
  readonly quote: string;
  readonly escape: string;
}

/**
 * Splits one line into its fields exactly as Spark 4.2's CSV source does (univocity-parsers 2.9.1 with Spark's
 * defaults: unescaped quotes read on to the next separator, nothing trimmed). An empty field and a quoted empty
 * field are both "".
 *
 * What surprises: with the default escape `\`, `"a""b"` is not an escaped quote; the field keeps its outer quotes.
 * Blanks between a closing quote and the separator vanish. A quote that nobody closes takes the rest of the line.
 */
export function splitRecord(line: string, dialect: CsvDialect): string[] {
  const sep = dialect.sep;
  const quote = dialect.quote || "\0";
  const fields: string[] = [];
  let start = 0;
  for (;;) {
    if (line[start] !== quote) {
      const end = line.indexOf(sep, start);
      fields.push(end === -1 ? line.slice(start) : line.slice(start, end));
      if (end === -1) return fields;
      start = end + 1;
    } else {
      const field = readPlainQuoted(line, start + 1, dialect) ?? new QuotedField(line, start + 1, dialect);
      fields.push(field.value);
      if (field.end === -1) return fields;
      start = field.end + 1;
    }
  }
}

interface FieldRead {
  readonly value: string;
  /** Index of the separator behind the field, -1 at the end of the line. */
  readonly end: number;
}

/**
 * A quoted field with a separator right behind its closing quote and nothing to unescape. Not a mere short cut:
 * with an empty escape such a field escapes the odd rules of {@link QuotedField}.
 */
function readPlainQuoted(line: string, start: number, dialect: CsvDialect): FieldRead | undefined {
  const sep = dialect.sep;
  const q = dialect.quote || "\0";
  const e = dialect.escape || "\0";
  const escapedEscape = e === q ? "\0" : e;
  for (let i = start; i < line.length; i++) {
    if (line[i] === q) {
      if (line[i - 1] === e || line[i + 1] !== sep) return undefined;
      return { value: line.slice(start, i), end: i + 1 };
    }
    if (line[i] === e && (line[i + 1] === q || line[i + 1] === escapedEscape)) return undefined;
  }
  return undefined;
}

/** Reads one quoted field character by character. `ch` is the character in hand, `before` the one that decides about it. */
class QuotedField implements FieldRead {
  value = "";
  end = -1;
  private ch: string;
  private before = "\0";
  private next: number;
  private broken = false;
  private readonly line: string;
  private readonly sep: string;
  private readonly quote: string;
  private readonly escape: string;
  /** What escapes the escape character: itself, unless it is the quote. */
  private readonly escapedEscape: string;

  constructor(line: string, start: number, dialect: CsvDialect) {
    this.line = line;
    this.next = start;
    this.sep = dialect.sep;
    this.quote = dialect.quote || "\0";
    this.escape = dialect.escape || "\0";
    this.escapedEscape = this.escape === this.quote ? "\0" : this.escape;
    this.ch = this.quote;
    if (this.read()) this.end = this.next - 1;
    else if (this.ch === this.quote && this.before !== this.quote && !this.broken) this.value += this.quote;
  }

  /** False at the end of the line; `ch` then stays. */
  private advance(): boolean {
    if (this.next >= this.line.length) return false;
    this.ch = this.line[this.next++] as string;
    return true;
  }

  /** All methods below return false when the line ended, true when `ch` is the separator. */
  private read(): boolean {
    const { quote, sep } = this;
    if (!this.advance()) return false;
    for (;;) {
      if (this.before === quote && (this.ch <= " " || this.ch === sep)) return this.readBehindClosingQuote();
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
        if (this.broken && this.ch === sep) return true;
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
        if (this.ch === this.sep) return true;
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
    while (this.ch <= " " && this.ch !== this.sep) {
      blanks += this.ch;
      if (!this.advance()) return false;
    }
    if (this.ch === this.sep) return true;
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
    const end = this.line.indexOf(this.sep, start);
    this.value += this.line.slice(start, end === -1 ? undefined : end);
    if (end === -1) return false;
    this.next = end + 1;
    return true;
  }
}
