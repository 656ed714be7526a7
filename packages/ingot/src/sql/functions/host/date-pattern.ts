/** Patterns of `java.time.format.DateTimeFormatter`, as Spark takes them (`DateTimeFormatterHelper`). */

export type PatternItem =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "field"; readonly letter: string; readonly count: number }
  | { readonly kind: "optional"; readonly items: readonly PatternItem[] };

/** A pattern that Spark refuses, or whose reading is not known here. */
export class PatternRefusal extends Error {}

/** Letters with the greatest number of them in a row. */
const FORMAT_LETTERS: Readonly<Record<string, number>> = {
  y: 6,
  M: 4,
  L: 4,
  d: 2,
  D: 3,
  H: 2,
  h: 2,
  K: 2,
  k: 2,
  m: 2,
  s: 2,
  S: 9,
  a: 1,
  E: 4,
  Q: 4,
  q: 4,
  G: 4,
  X: 5,
  x: 5,
  Z: 3,
};
const PARSE_ONLY_NOT = new Set(["E", "Q", "q", "G"]);

/** Zone offsets, which make of a reading of the clock a moment. */
const OFFSETS = new Set(["X", "x", "Z"]);

/** @throws PatternRefusal */
export function readPattern(pattern: string, use: "format" | "parse"): readonly PatternItem[] {
  const stack: PatternItem[][] = [[]];
  const add = (item: PatternItem) => stack.at(-1)?.push(item);
  for (let at = 0; at < pattern.length; ) {
    const char = pattern.charAt(at);
    if (/[A-Za-z]/.test(char)) {
      const count = /^(.)\1*/.exec(pattern.slice(at))?.[0].length ?? 1;
      const most = Object.hasOwn(FORMAT_LETTERS, char) ? (FORMAT_LETTERS[char] ?? 0) : 0;
      if (count > most || (use === "parse" && PARSE_ONLY_NOT.has(char)))
        throw new PatternRefusal(`${char.repeat(count)} in the date pattern ${pattern}`);
      add({ kind: "field", letter: char, count });
      at += count;
      continue;
    }
    if (char === "'") {
      const end = pattern.indexOf("'", at + 1);
      if (end === -1) throw new PatternRefusal(`A quote that is not closed in the date pattern ${pattern}`);
      // Spark takes a pattern to read apart at its quotes and loses doubled ones.
      if (pattern.charAt(end + 1) === "'" || (end === at + 1 && use === "parse"))
        throw new PatternRefusal(`A doubled quote in the date pattern ${pattern}`);
      add({ kind: "literal", text: end === at + 1 ? "'" : pattern.slice(at + 1, end) });
      at = end + 1;
      continue;
    }
    at += 1;
    if (char === "[") stack.push([]);
    else if (char === "]") {
      const items = stack.pop();
      if (items === undefined || stack.length === 0)
        throw new PatternRefusal(`A bracket in the date pattern ${pattern}`);
      add({ kind: "optional", items });
    } else if ("{}#".includes(char)) throw new PatternRefusal(`${char} in the date pattern ${pattern}`);
    else add({ kind: "literal", text: char });
  }
  if (stack.length > 1) throw new PatternRefusal(`A bracket that is not closed in the date pattern ${pattern}`);
  return stack[0] ?? [];
}

export function hasOffset(items: readonly PatternItem[]): boolean {
  return items.some((i) => (i.kind === "optional" ? hasOffset(i.items) : i.kind === "field" && OFFSETS.has(i.letter)));
}

export const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
export const DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");
