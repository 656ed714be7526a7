import { hostFunction, SparkCondition } from "./host-function.js";

/** Functions of characters, which are code points. */

export const UPPER = hostFunction("upper", ["string"], "string", (text) => text.toUpperCase());
export const LOWER = hostFunction("lower", ["string"], "string", (text) => text.toLowerCase());
export const REVERSE = hostFunction("reverse", ["string"], "string", (text) => [...text].reverse().join(""));

/** Words are parted by spaces alone. The first character of each is a title's, the others are small. */
export const INITCAP = hostFunction("initcap", ["string"], "string", (text) =>
  text
    .toLowerCase()
    .split(" ")
    .map((word) => {
      const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
      return word === "" ? word : titleOf(first) + word.slice(first.length);
    })
    .join(" "),
);

/** Letters that are two in one, which a title writes as a capital and a small one. */
const DIGRAPHS: Readonly<Record<string, string>> = { ǆ: "ǅ", ǉ: "ǈ", ǌ: "ǋ", ǳ: "ǲ" };

function titleOf(char: string): string {
  const upper = char.toUpperCase();
  if (upper.length === char.length) return DIGRAPHS[char] ?? upper;
  if (!/[ß\uFB00-\uFB17և]/.test(char)) throw new SparkCondition("NOT_SUPPORTED", `The title letter of ${char}.`);
  return upper.charAt(0) + upper.slice(1).toLowerCase();
}

/** Counts changes of one character; more than `limit` of them are -1. */
export const LEVENSHTEIN = hostFunction("levenshtein", ["string", "string", "int"], "int", (left, right, limit) => {
  const [a, b] = [[...left], [...right]];
  let row = b.map((_, i) => i + 1);
  for (const [i, char] of a.entries()) {
    let above = i;
    let last = i + 1;
    row = row.map((up, j) => {
      last = Math.min(up + 1, last + 1, above + (char === b[j] ? 0 : 1));
      above = up;
      return last;
    });
  }
  const distance = row.at(-1) ?? a.length;
  return distance > limit ? -1 : distance;
});

/** The part before (negative: after) the n-th delimiter. Occurrences may overlap, as `UTF8String.subStringIndex` finds them. */
export const SUBSTRING_INDEX = hostFunction(
  "substring_index",
  ["string", "string", "int"],
  "string",
  (text, delimiter, count) => {
    if (count === 0 || delimiter === "") return "";
    let at = count > 0 ? -1 : text.length - delimiter.length + 1;
    for (let left = Math.abs(count); left > 0; left--) {
      if (count < 0 && at <= 0) return text;
      at = count > 0 ? text.indexOf(delimiter, at + 1) : text.lastIndexOf(delimiter, at - 1);
      if (at === -1) return text;
    }
    return count > 0 ? text.slice(0, at) : text.slice(at + delimiter.length);
  },
);

const CODES = "01230127022455012623017202";

/** `UTF8String.soundex`: H and W do not part equal codes; a text that begins with no ASCII letter stays. */
export const SOUNDEX = hostFunction("soundex", ["string"], "string", (text) => {
  const first = text.charAt(0).toUpperCase();
  if (!/^[A-Z]/.test(first) || text.charCodeAt(0) > 127) return text;
  const codeOf = (char: string) => CODES.charAt(char.toUpperCase().charCodeAt(0) - 65);
  let result = first;
  let last = codeOf(first);
  for (const byte of Buffer.from(text).subarray(1)) {
    const char = String.fromCharCode(byte).toUpperCase();
    if (!/^[A-Z]$/.test(char)) {
      last = "0";
      continue;
    }
    const code = codeOf(char);
    if (code === "7") continue;
    if (code !== "0" && code !== last) {
      result += code;
      if (result.length === 4) break;
    }
    last = code;
  }
  return result.padEnd(4, "0");
});

/** Replaces letters and digits; a NULL replacement, which comes as an empty text, keeps the character. */
export const MASK = hostFunction(
  "mask",
  ["string", "string", "string", "string", "string"],
  "string",
  (text, upper, lower, digit, other) => {
    const replaced = (char: string) => {
      if (/\p{Lu}/u.test(char)) return upper;
      if (/\p{Ll}/u.test(char)) return lower;
      return /\p{Nd}/u.test(char) ? digit : other;
    };
    return [...text].map((char) => replaced(char) || char).join("");
  },
);

/** The sum of digits of card numbers (Luhn). */
export const LUHN = hostFunction("luhn_check", ["string"], "boolean", (text) => {
  if (!/^[0-9]+$/.test(text)) return false;
  const digits = [...text].reverse().map((d, i) => Number(d) * (i % 2 === 0 ? 1 : 2));
  return digits.reduce((sum, d) => sum + (d > 9 ? d - 9 : d), 0) % 10 === 0;
});

/** Each character of `from` becomes the one at its place in `to`, or goes. The first of two equal ones counts. */
export const TRANSLATE = hostFunction("translate", ["string", "string", "string"], "string", (text, from, to) => {
  const replacements = [...to];
  const map = new Map<string, string>();
  for (const [i, char] of [...from].entries()) if (!map.has(char)) map.set(char, replacements[i] ?? "");
  return [...text].map((char) => map.get(char) ?? char).join("");
});

export const TEXT = [UPPER, LOWER, INITCAP, REVERSE, LEVENSHTEIN, SUBSTRING_INDEX, SOUNDEX, MASK, LUHN, TRANSLATE];
