import { IngotError } from "../model/error.js";
import { positionAt, type SqlText, sqlText } from "../model/position.js";

/** `quoted` is a name in back-ticks, `string` any of '…' "…" r'…' r"…", `binary` is X'…'. */
export type TokenKind = "word" | "quoted" | "string" | "binary" | "number" | "operator";

/** A token of Spark SQL; `text` is the text as written, [start, end) its UTF-16 offsets. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Why a text has no more tokens: something begins at `offset` and never ends. */
export interface Unterminated {
  readonly what: "comment" | "string" | "quoted name";
  readonly offset: number;
}

/**
 * The tokens of a text, without comments (`--`, nested block comments, hints, which change no result) and white space,
 * by the rules of Spark's `SqlBaseLexer`. `>>` and `>>>` come as single `>`, since they also close nested types; a
 * character that no rule knows comes as an operator, for the parser to refuse.
 *
 * @throws IngotError PARSE_SYNTAX_ERROR for a comment, string or quoted name without an end
 */
export function lex(input: SqlText | string): readonly Token[] {
  const sql = typeof input === "string" ? sqlText(input) : input;
  const { tokens, unterminated } = scan(sql.text);
  if (unterminated !== undefined) throw unterminatedError(sql, unterminated);
  return tokens;
}

/** As {@link lex}, but keeps the tokens before a part that never ends. */
export function scan(text: string): { readonly tokens: readonly Token[]; readonly unterminated?: Unterminated } {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      at += 1;
      continue;
    }
    const commentEnd = endOfComment(text, at);
    if (commentEnd === UNTERMINATED) return { tokens, unterminated: { what: "comment", offset: at } };
    if (commentEnd !== at) {
      at = commentEnd;
      continue;
    }
    const [kind, end] = tokenAt(text, at, code);
    if (end === UNTERMINATED)
      return { tokens, unterminated: { what: kind === "quoted" ? "quoted name" : "string", offset: at } };
    tokens.push({ kind, text: text.slice(at, end), start: at, end });
    at = end;
  }
  return { tokens };
}

export function unterminatedError(
  sql: SqlText,
  { what, offset }: Unterminated,
  code: "PARSE_SYNTAX_ERROR" | "BAD_SCHEMA" = "PARSE_SYNTAX_ERROR",
): IngotError {
  const close = what === "comment" ? "*/" : sql.text.slice(offset).match(/['"`]/)?.[0];
  return new IngotError(code, `A ${what} begins here and has no end`, {
    at: positionAt(sql, offset),
    hint: `Close it with ${close}.`,
  });
}

/** What a `string` token means: its quotes taken off, its escapes resolved as Spark does (`\%` and `\_` stay). */
export function unquoteString(literal: string): string {
  const quote = literal.charAt(0);
  if (quote === "r" || quote === "R") return literal.slice(2, -1);
  return literal.slice(1, -1).replace(ESCAPES[quote === '"' ? '"' : "'"], resolveEscape);
}

/** What a `quoted` token means: its back-ticks taken off. */
export function unquoteIdentifier(quoted: string): string {
  return quoted.slice(1, -1).replaceAll("``", "`");
}

// SparkParserUtils.unescapeSQLString: 16 and 32 bits in hexadecimal, octal up to \177, any other character.
const ESCAPE = String.raw`\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\[01][0-7]{2}|\\[^]`;
const ESCAPES = { "'": new RegExp(`${ESCAPE}|''`, "g"), '"': new RegExp(`${ESCAPE}|""`, "g") };
const CONTROL: Readonly<Record<string, string>> = { "0": "\0", b: "\b", n: "\n", r: "\r", t: "\t", Z: "\x1a" };

function resolveEscape(found: string): string {
  const char = found.charAt(1);
  if (!found.startsWith("\\")) return char;
  if (found.length === 6) return String.fromCharCode(Number.parseInt(found.slice(2), 16));
  if (found.length === 10) return fromCodePoint(Number.parseInt(found.slice(2), 16));
  if (found.length === 4) return String.fromCharCode(Number.parseInt(found.slice(1), 8));
  if (char === "%" || char === "_") return found;
  return CONTROL[char] ?? char;
}

/** Not `String.fromCodePoint`: numbers beyond Unicode give two halves as in Spark, and no exception. */
function fromCodePoint(code: number): string {
  if (code < 0x10000) return String.fromCharCode(code);
  const rest = code - 0x10000;
  return String.fromCharCode(0xd800 + Math.floor(rest / 0x400), 0xdc00 + (rest % 0x400));
}

const UNTERMINATED = -1;

function tokenAt(text: string, at: number, code: number): [TokenKind, number] {
  const char = text.charAt(at);
  if (char === "'" || char === '"') return ["string", endOfString(text, at)];
  if (char === "`") return ["quoted", endOfQuoted(text, at)];
  const next = text.charAt(at + 1);
  if ((char === "r" || char === "R") && (next === "'" || next === '"')) return ["string", after(text, next, at + 2)];
  if ((char === "x" || char === "X") && (next === "'" || next === '"')) return ["binary", after(text, next, at + 2)];
  if (isDigit(code) || (char === "." && isDigit(text.charCodeAt(at + 1)))) {
    const end = endOfNumber(text, at);
    if (end !== at) return ["number", end];
  }
  const end = endOfWord(text, at);
  if (end !== at) return ["word", end];
  return ["operator", at + operatorLength(text, at)];
}

/** The end of the comment that begins at `at`; `at` itself when none does. */
function endOfComment(text: string, at: number): number {
  const char = text.charAt(at);
  const next = text.charAt(at + 1);
  if (char === "-" && next === "-") {
    let end = lineEnd(text, at);
    // A backslash before the line break carries a comment on, in Spark too.
    while (text.charAt(end) === "\n" && text.charAt(end - 1) === "\\") end = lineEnd(text, end + 1);
    return end;
  }
  if (char !== "/" || next !== "*") return at;
  let depth = 1;
  for (let i = at + 2; i < text.length; i++) {
    if (text.charAt(i) === "*" && text.charAt(i + 1) === "/") {
      depth -= 1;
      i += 1;
      if (depth === 0) return i + 1;
    } else if (text.charAt(i) === "/" && text.charAt(i + 1) === "*") {
      depth += 1;
      i += 1;
    }
  }
  return UNTERMINATED;
}

function lineEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && text.charAt(end) !== "\n" && text.charAt(end) !== "\r") end += 1;
  return end;
}

function after(text: string, close: string, from: number): number {
  const end = text.indexOf(close, from);
  return end === -1 ? UNTERMINATED : end + 1;
}

function endOfString(text: string, at: number): number {
  const quote = text.charAt(at);
  for (let i = at + 1; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === "\\") i += 1;
    else if (char === quote) {
      if (text.charAt(i + 1) !== quote) return i + 1;
      i += 1;
    }
  }
  return UNTERMINATED;
}

function endOfQuoted(text: string, at: number): number {
  let end = text.indexOf("`", at + 1);
  while (end !== -1 && text.charAt(end + 1) === "`") end = text.indexOf("`", end + 2);
  return end === -1 ? UNTERMINATED : end + 1;
}

/**
 * A number runs as far as it can (`1`, `1.`, `.5`, `1e-3`, with a type suffix), but never ends within a word: in
 * `t.1a` the `1a` is a name, and `1.5a` is `1`, `.`, `5a`. Gives `at` when a word or a dot stands here.
 */
function endOfNumber(text: string, at: number): number {
  const whole = endOfDigits(text, at);
  const fraction = text.charAt(whole) === "." ? endOfDigits(text, whole + 1) : whole;
  const exponent = endOfExponent(text, fraction);
  const suffix = text.slice(exponent, exponent + 2).toUpperCase();
  let end = exponent;
  if (suffix === "BD") end += 2;
  else if ("DF".includes(suffix.charAt(0) || " ")) end += 1;
  else if (exponent === whole && "LSY".includes(suffix.charAt(0) || " ")) end += 1;
  if (endOfWord(text, end) === end) return end;
  if (whole === at) return at;
  return endOfWord(text, at) === whole ? whole : at;
}

function endOfDigits(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function endOfExponent(text: string, at: number): number {
  if (text.charAt(at) !== "e" && text.charAt(at) !== "E") return at;
  const sign = text.charAt(at + 1);
  const digits = sign === "+" || sign === "-" ? at + 2 : at + 1;
  const end = endOfDigits(text, digits);
  return end === digits ? at : end;
}

/** Letters of any alphabet, digits and `_`; a name may begin with a digit. */
function endOfWord(text: string, at: number): number {
  let end = at;
  for (;;) {
    const code = text.charCodeAt(end);
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isDigit(code) || code === 95) end += 1;
    else if (code > 127 && /^\p{L}/u.test(String.fromCodePoint(text.codePointAt(end) ?? 0)))
      end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    else return end;
  }
}

const OPERATORS = new Set(["=>", "->", "::", "<>", "!=", "<=", ">=", "==", "||", "|>", "!<", "!>", "<<"]);

function operatorLength(text: string, at: number): number {
  if (text.startsWith("<=>", at)) return 3;
  return OPERATORS.has(text.slice(at, at + 2)) ? 2 : 1;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Spark's white space: ASCII's and Unicode's space separators (U+2029 is none). */
function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code < 0xa0) return false;
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    "\u2028\u202f\u205f\u3000".includes(String.fromCharCode(code))
  );
}
