/** A string literal of JavaScript source without values in it: the text between its quotes, and where that begins. */
export interface Literal {
  readonly start: number;
  readonly text: string;
}

/**
 * The offset of the bracket that closes the one just before `start`, or undefined when the source ends first.
 * Brackets within strings, templates, comments and regular expressions do not count.
 *
 * @param onLiteral hears of each string literal on the way
 */
export function findClose(source: string, start: number, onLiteral?: (literal: Literal) => void): number | undefined {
  let depth = 0;
  // Where the last token ended: it tells whether a slash divides.
  let tokenEnd = start;
  for (let at = start; at < source.length; at++) {
    const char = source.charAt(at);
    const next = source.charAt(at + 1);
    if (/\s/.test(char)) continue;
    if (char === "/" && next === "/") {
      at = endOf(source, "\n", at);
      continue;
    }
    if (char === "/" && next === "*") {
      at = endOf(source, "*/", at + 2) + 1;
      continue;
    }
    if (char === '"' || char === "'" || char === "`") {
      const end = char === "`" ? endOfTemplate(source, at + 1, onLiteral) : endOfString(source, at + 1, char);
      if (end === undefined) return undefined;
      onLiteral?.({ start: at + 1, text: source.slice(at + 1, end) });
      at = end;
    } else if (char === "/" && beginsRegExp(source.slice(start, tokenEnd))) {
      at = endOfRegExp(source, at + 1);
    } else if ("([{".includes(char)) {
      depth += 1;
    } else if (")]}".includes(char)) {
      if (depth === 0) return at;
      depth -= 1;
    }
    tokenEnd = at + 1;
  }
  return undefined;
}

/**
 * The offsets at which the pieces of text of a template begin and those at which its values begin, read from the
 * template's back-tick at `open` on. Undefined when the source does not hold exactly these pieces there.
 */
export function findChunks(
  source: string,
  open: number,
  raw: readonly string[],
): { readonly chunks: number[]; readonly values: number[] } | undefined {
  const chunks: number[] = [];
  const values: number[] = [];
  let at = open + 1;
  for (const [i, text] of raw.entries()) {
    const isLast = i === raw.length - 1;
    if (!source.startsWith(text + (isLast ? "`" : "${"), at)) return undefined;
    chunks.push(at);
    if (isLast) break;
    const value = at + text.length + 2;
    const close = findClose(source, value);
    if (close === undefined) return undefined;
    values.push(value + source.slice(value).search(/\S/));
    at = close + 1;
  }
  return { chunks, values };
}

/** The offset of the back-tick that ends a template, whose text begins at `at`. */
function endOfTemplate(source: string, start: number, onLiteral?: (literal: Literal) => void): number | undefined {
  for (let at = start; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "`") return at;
    else if (char === "$" && source.charAt(at + 1) === "{") {
      const close = findClose(source, at + 2, onLiteral);
      if (close === undefined) return undefined;
      at = close;
    }
  }
  return undefined;
}

function endOfString(source: string, start: number, quote: string): number | undefined {
  for (let at = start; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === "\\") at += 1;
    else if (char === quote) return at;
  }
  return undefined;
}

function endOf(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found === -1 ? source.length : found;
}

/** A slash after a value divides; after an operator, an opening bracket or a keyword it begins a regular expression. */
function beginsRegExp(before: string): boolean {
  const word = /[\p{L}\p{N}_$]+$/u.exec(before.slice(-20))?.[0];
  if (word !== undefined) return /^(return|typeof|case|in|of|delete|void|throw|new|do|else|await|yield)$/.test(word);
  return !/[)\]}"'`]$/.test(before);
}

function endOfRegExp(source: string, start: number): number {
  let inClass = false;
  for (let at = start; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "\n" || (char === "/" && !inClass)) return at;
  }
  return source.length;
}
