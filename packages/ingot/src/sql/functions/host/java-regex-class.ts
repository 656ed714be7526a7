/** Character classes of Java's regular expressions, as JavaScript writes them with the flag `v`. */

export type ClassSet =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "range"; readonly from: string; readonly to: string }
  /** JavaScript's text of a set, usable within `[…]`. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "union"; readonly negated: boolean; readonly sets: readonly ClassSet[] }
  | { readonly kind: "intersection"; readonly negated: boolean; readonly sets: readonly ClassSet[] };

type Refuse = (what: string) => never;

const SPACE = " \\t\\n\\x0B\\f\\r";
const HORIZONTAL = " \\t\\xA0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000";
const VERTICAL = "\\n\\x0B\\f\\r\\x85\\u2028\\u2029";
const SETS: Readonly<Record<string, string>> = {
  d: "[0-9]",
  D: "[^0-9]",
  w: "[A-Za-z0-9_]",
  W: "[^A-Za-z0-9_]",
  s: `[${SPACE}]`,
  S: `[^${SPACE}]`,
  h: `[${HORIZONTAL}]`,
  H: `[^${HORIZONTAL}]`,
  v: `[${VERTICAL}]`,
  V: `[^${VERTICAL}]`,
};
const CONTROLS: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f", a: "\x07", e: "\x1b" };
const POSIX: Readonly<Record<string, string>> = {
  Lower: "a-z",
  Upper: "A-Z",
  ASCII: "\\x00-\\x7F",
  Alpha: "A-Za-z",
  Digit: "0-9",
  Alnum: "A-Za-z0-9",
  Punct: "\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E",
  Graph: "\\x21-\\x7E",
  Print: "\\x20-\\x7E",
  Blank: " \\t",
  Cntrl: "\\x00-\\x1F\\x7F",
  XDigit: "0-9A-Fa-f",
  Space: SPACE,
};
const PROPERTIES: Readonly<Record<string, string>> = {
  IsAlphabetic: "\\p{Alphabetic}",
  IsUppercase: "\\p{Uppercase}",
  IsLowercase: "\\p{Lowercase}",
  IsDigit: "\\p{Nd}",
  IsLatin: "\\p{Script=Latin}",
  IsGreek: "\\p{Script=Greek}",
  IsCyrillic: "\\p{Script=Cyrillic}",
  IsHan: "\\p{Script=Han}",
};

/** What an escape stands for, within a class or outside of one. */
export function escapeClass(chars: readonly string[], start: number, refuse: Refuse): { set: ClassSet; at: number } {
  const next = chars[start + 1] ?? refuse("A backslash at the end");
  const rest = chars.slice(start, start + 24).join("");
  const char = (value: string, length: number) => ({ set: { kind: "char", char: value } as const, at: start + length });
  const point = (pattern: RegExp, radix: number) => {
    const [whole, digits] = pattern.exec(rest) ?? refuse(`The escape \\${next}`);
    const value = Number.parseInt(digits ?? "", radix);
    if (value > 0x10ffff) refuse("A code point beyond Unicode");
    return char(String.fromCodePoint(value), whole.length);
  };
  if (Object.hasOwn(SETS, next)) return { set: { kind: "text", text: SETS[next] ?? "" }, at: start + 2 };
  if (Object.hasOwn(CONTROLS, next)) return char(CONTROLS[next] ?? "", 2);
  switch (next) {
    case "0":
      return point(/^\\0([0-3]?[0-7]{1,2})/, 8);
    case "x":
      return rest.startsWith("\\x{") ? point(/^\\x\{([0-9A-Fa-f]+)\}/, 16) : point(/^\\x([0-9A-Fa-f]{2})/, 16);
    case "u":
      return point(/^\\u([0-9A-Fa-f]{4})/, 16);
    case "p":
    case "P":
      return property(rest, start, next === "P", refuse);
  }
  if (/[A-Za-z1-9]/.test(next)) refuse(`The escape \\${next}`);
  return char(next, 2);
}

function property(rest: string, start: number, negated: boolean, refuse: Refuse) {
  const [whole, braced, single] = /^\\[pP](?:\{([A-Za-z]+)\}|([A-Z]))/.exec(rest) ?? refuse("A \\p without a name");
  const name = braced ?? single ?? "";
  const posix = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;
  const isCategory = /^(Is)?(L[ulmot]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|M[nce]?)$/.test(name);
  const text =
    posix ??
    (Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name] : isCategory ? `\\p{${name.replace("Is", "")}}` : undefined) ??
    refuse(`The property ${name}`);
  return { set: { kind: "text", text: `[${negated ? "^" : ""}${text}]` } as const, at: start + whole.length };
}

/** `[…]`: unions, ranges, classes within, and `&&`, which binds least. */
export function parseClass(chars: readonly string[], start: number, refuse: Refuse): { set: ClassSet; at: number } {
  let at = start + 1;
  const negated = chars[at] === "^";
  if (negated) at += 1;
  const operands: ClassSet[][] = [[]];
  const current = () => operands.at(-1) as ClassSet[];
  for (let isFirst = true; ; isFirst = false) {
    const char = chars[at] ?? refuse("A class that is not closed");
    if (char === "]" && !isFirst) break;
    if (char === "&" && chars[at + 1] === "&") {
      if (isFirst || chars[at + 2] === "]" || chars[at + 2] === "&") refuse("An empty side of &&");
      operands.push([]);
      at += 2;
      continue;
    }
    if (char === "[") {
      const inner = parseClass(chars, at, refuse);
      current().push(inner.set);
      at = inner.at;
      continue;
    }
    if (char === "\\" && (chars[at + 1] === "Q" || chars[at + 1] === "E")) refuse("\\Q in a class");
    const from = char === "\\" ? escapeClass(chars, at, refuse) : { set: { kind: "char", char } as const, at: at + 1 };
    at = from.at;
    const isRange = chars[at] === "-" && chars[at + 1] !== "]" && chars[at + 1] !== "[" && from.set.kind === "char";
    if (!isRange) {
      current().push(from.set);
      continue;
    }
    if (chars[at + 1] === "&" && chars[at + 2] === "&") refuse("A range before &&");
    const end = chars[at + 1] === "\\" ? escapeClass(chars, at + 1, refuse) : undefined;
    const to = end === undefined ? (chars[at + 1] ?? "") : end.set.kind === "char" ? end.set.char : refuse("A range");
    at = end?.at ?? at + 2;
    const low = from.set.kind === "char" ? from.set.char : "";
    if ((low.codePointAt(0) ?? 0) > (to.codePointAt(0) ?? 0)) refuse("A range that runs down");
    current().push({ kind: "range", from: low, to });
  }
  const [only = [], ...others] = operands;
  if (others.length === 0) return { set: { kind: "union", negated, sets: only }, at: at + 1 };
  const sets = operands.map((parts): ClassSet => ({ kind: "union", negated: false, sets: parts }));
  return { set: { kind: "intersection", negated, sets }, at: at + 1 };
}

/** JavaScript's text. Without regard to case is meant for ASCII letters alone, as in Java. */
export function printClass(set: ClassSet, anyCase: boolean): string {
  switch (set.kind) {
    case "char": {
      const other = otherCase(set.char);
      return anyCase && other !== undefined ? `[${set.char}${other}]` : escapeChar(set.char);
    }
    case "range":
      return `[${escapeChar(set.from)}-${escapeChar(set.to)}${anyCase ? otherRanges(set.from, set.to) : ""}]`;
    case "text":
      return anyCase && /\[\^?(a-z|A-Z)\]/.test(set.text) ? set.text.replace(/a-z|A-Z/, "a-zA-Z") : set.text;
    case "union":
      return `[${set.negated ? "^" : ""}${set.sets.map((s) => printClass(s, anyCase)).join("")}]`;
    case "intersection":
      return `[${set.negated ? "^" : ""}${set.sets.map((s) => printClass(s, anyCase)).join("&&")}]`;
  }
}

function escapeChar(char: string): string {
  if (/^[A-Za-z0-9]$/.test(char)) return char;
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

function otherCase(char: string): string | undefined {
  if (/^[a-z]$/.test(char)) return char.toUpperCase();
  return /^[A-Z]$/.test(char) ? char.toLowerCase() : undefined;
}

function otherRanges(from: string, to: string): string {
  const [low, high] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
  const others: string[] = [];
  for (let point = Math.max(low, 65); point <= Math.min(high, 122); point++) {
    const other = otherCase(String.fromCodePoint(point));
    if (other !== undefined) others.push(other);
  }
  return others.join("");
}
