import { IngotError } from "../model/error.js";
import type { ErrorCode } from "../model/error-catalogue.js";
import { nearest } from "../model/nearest.js";
import type { Position, SqlText } from "../model/position.js";
import { type Token, unquoteIdentifier, unquoteString } from "./lexer.js";
import { cut, type Locate, makeLocate } from "./locate.js";

/**
 * Reads the tokens of one text from left to right. Keywords and operators are given in upper case; a name in
 * back-ticks is never a keyword.
 */
export class TokenReader {
  readonly sql: SqlText;
  readonly tokens: readonly Token[];
  index = 0;
  readonly #locate: Locate;
  #closings: ReadonlyMap<number, number> | undefined;

  constructor(sql: SqlText, tokens: readonly Token[]) {
    this.sql = sql;
    this.tokens = tokens;
    this.#locate = makeLocate(sql);
  }

  peek(ahead = 0): Token | undefined {
    return this.tokens[this.index + ahead];
  }

  get done(): boolean {
    return this.index >= this.tokens.length;
  }

  /** The place of the next token, or of the end. */
  at(index = this.index): Position {
    return this.#locate(this.tokens[index]?.start ?? this.tokens.at(-1)?.end ?? this.sql.text.length);
  }

  /** Index of the `)` that ends the `(` at an index; the number of tokens where nothing ends it. */
  closingOf(index: number): number {
    this.#closings ??= findClosings(this.tokens);
    return this.#closings.get(index) ?? this.tokens.length;
  }

  /** Whether these keywords or operators come next. */
  sees(...words: readonly string[]): boolean {
    return words.every((word, ahead) => isToken(this.peek(ahead), word));
  }

  /** Steps over these keywords or operators if they come next. */
  take(...words: readonly string[]): boolean {
    if (!this.sees(...words)) return false;
    this.index += words.length;
    return true;
  }

  /** @throws IngotError PARSE_SYNTAX_ERROR, at the first token that differs */
  expect(...words: readonly string[]): void {
    for (const word of words) if (!this.take(word)) throw this.failure([word]);
  }

  expectEnd(...others: readonly string[]): void {
    if (!this.done) throw this.failure([...others, "the end of the statement"]);
  }

  /** A string's value. */
  readString(): string {
    const token = this.peek();
    if (token?.kind !== "string") throw this.failure(["a string"]);
    this.index += 1;
    return unquoteString(token.text);
  }

  /** One part of a name where no minus may follow. @throws IngotError INVALID_IDENTIFIER */
  readIdentifier(what = "a name"): string {
    const token = this.peek();
    const next = this.peek(1);
    if (token?.kind === "word" && next?.text === "-" && next.start === token.end)
      throw this.notPlain(`${token.text}-…`);
    return this.readName(what);
  }

  /** One part of a name. @throws IngotError INVALID_IDENTIFIER */
  readName(what = "a name"): string {
    const token = this.peek();
    if (token?.kind !== "word" && token?.kind !== "quoted") throw this.failure([what]);
    // Spark lexes more than it takes: a name without back-ticks is ASCII letters, digits and _.
    if (token.kind === "word" && !/^\w+$/.test(token.text)) throw this.notPlain(token.text);
    const name = token.kind === "word" ? token.text : unquoteIdentifier(token.text);
    if (name === "") throw this.invalidName("A name is empty", "Write a name between the back-ticks.");
    this.index += 1;
    return name;
  }

  /** A name of one or more parts. */
  readParts(what = "a name"): string[] {
    const parts = [this.readIdentifier(what)];
    while (this.take(".")) parts.push(this.readIdentifier("a name"));
    return parts;
  }

  /** `( a, b )`: at least one name of one part. */
  readNames(what = "a column"): string[] {
    this.expect("(");
    const names = this.readBareNames(what);
    if (!this.take(")")) throw this.failure([",", ")"]);
    return names;
  }

  /** `a, b`. */
  readBareNames(what = "a column"): string[] {
    const names = [this.readIdentifier(what)];
    while (this.take(",")) names.push(this.readIdentifier(what));
    return names;
  }

  /** What stands between `(` and its `)`; at least one token. */
  readGroup(what: string): SqlText {
    this.expect("(");
    const from = this.index;
    for (let depth = 1; depth > 0; this.index++) {
      if (this.done) throw this.failure([")"]);
      if (this.sees("(")) depth += 1;
      else if (this.sees(")")) depth -= 1;
    }
    const to = this.index - 1;
    if (to > from) return this.cut(from, to);
    this.index = from;
    throw this.failure([what]);
  }

  /** The text of the tokens [from, to), with their places. */
  cut(from: number, to = this.index): SqlText {
    const start = this.tokens[from]?.start ?? this.sql.text.length;
    return cut(this.sql, this.#locate, start, this.tokens[to - 1]?.end ?? start);
  }

  /** All tokens that are left, as text. */
  cutRest(): SqlText {
    const from = this.index;
    this.index = this.tokens.length;
    return this.cut(from);
  }

  /**
   * The error that the next token is none of these. Words in capitals are keywords, the nearest of which is offered;
   * others describe.
   */
  failure(expected: readonly string[], code: ErrorCode = "PARSE_SYNTAX_ERROR", hint?: string): IngotError {
    const token = this.peek();
    const found = token === undefined ? "the end of the statement" : `'${shorten(token.text)}'`;
    const near = token?.kind === "word" ? nearestKeyword(token.text, expected) : undefined;
    const whole = expected.find((phrase) => phrase.startsWith(`${near} `));
    const isWritten = near !== undefined && isToken(token, near);
    const advice =
      near === undefined ? hint : isWritten && whole !== undefined ? `Write ${whole}.` : `Did you mean ${near}?`;
    return new IngotError(code, `Syntax error at or near ${found}: expected ${listAlternatives(expected)}`, {
      at: this.at(),
      ...(advice === undefined ? {} : { hint: advice }),
    });
  }

  /** An error about the next token. */
  error(code: ErrorCode, message: string, hint: string): IngotError {
    return new IngotError(code, message, { at: this.at(), hint });
  }

  private notPlain(written: string): IngotError {
    return this.invalidName(`The name ${written} is more than letters, digits and _`, "Put it in back-ticks: `a-b`.");
  }

  private invalidName(message: string, hint: string): IngotError {
    return this.error("INVALID_IDENTIFIER", message, hint);
  }
}

function findClosings(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (const [i, token] of tokens.entries()) {
    if (isToken(token, "(")) open.push(i);
    const opened = isToken(token, ")") ? open.pop() : undefined;
    if (opened !== undefined) closings.set(opened, i);
  }
  return closings;
}

/** Whether a token is this keyword (any case) or operator. */
export function isToken(token: Token | undefined, word: string): boolean {
  if (token === undefined || token.text.length !== word.length) return false;
  if (token.kind === "word") return token.text.toUpperCase() === word;
  return token.kind === "operator" && token.text === word;
}

export function listAlternatives(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The keyword that was meant; short words are near to everything, so those must share their first letter. */
function nearestKeyword(word: string, expected: readonly string[]): string | undefined {
  const first = word.charAt(0).toUpperCase();
  const keywords = expected
    .map((phrase) => phrase.split(" ")[0] ?? "")
    .filter((k) => /^[A-Z]+$/.test(k) && (k.length > 4 || k.startsWith(first)));
  return word.length > 40 ? undefined : nearest(word, keywords);
}
