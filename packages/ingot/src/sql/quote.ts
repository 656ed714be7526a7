import { quoteIdentifier } from "../model/name.js";

/** Words that begin something else where a name may stand, so that a name which is one of them needs back-ticks. */
const AMBIGUOUS = new Set(["CHECK", "CONSTRAINT", "FOREIGN", "IF", "LIVE", "ONCE", "PRIMARY", "SNAPSHOT", "STREAM"]);

/** A part of a name, in back-ticks where it needs them. */
export function quoteName(part: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(part) && !AMBIGUOUS.has(part.toUpperCase()) ? part : quoteIdentifier(part);
}

/** A string literal on one line that means `value`, and in which a `.sql` file finds no `${parameter}`. */
export function quoteString(value: string): string {
  return `'${value.replace(/[\\'\p{Cc}]/gu, escapeChar).replaceAll("${", "$\\{")}'`;
}

const NAMED: Readonly<Record<string, string>> = { "\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeChar(char: string): string {
  return NAMED[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
