import { IngotError } from "../../model/error.js";

/**
 * Globs as Hadoop's file systems read them, and so Spark's `load` and `pathGlobFilter`: `*` and `?` stay within one
 * name and match a leading dot, `[abc]`, `[a-z]`, `[^a]` or `[!a]`, `{ab,cd}`; `\` takes the next character as it is.
 * `**` is no more than `*`.
 */
export function isGlob(path: string): boolean {
  return /[*?[{\\]/.test(path);
}

/**
 * Tests one name (no `/` in it) against a pattern.
 * @throws BAD_OPTION where a bracket or a brace is not closed.
 */
export function compileGlob(pattern: string): (name: string) => boolean {
  const expressions = expandBraces(pattern).map((p) => new RegExp(`^${translate(p)}$`, "su"));
  return (name) => expressions.some((expression) => expression.test(name));
}

/**
 * The patterns without braces that a pattern stands for. Braces nest, and their parts may hold `/`.
 * @throws BAD_OPTION where a brace is not closed.
 */
export function expandBraces(pattern: string): string[] {
  const open = findUnescaped(pattern, "{");
  if (open === -1) return [pattern];
  const parts: string[] = [];
  let depth = 1;
  let start = open + 1;
  for (let i = start; i < pattern.length; i++) {
    const c = pattern[i];
    if (c === "\\") i += 1;
    else if (c === "{") depth += 1;
    else if (c === "}") depth -= 1;
    if (depth === 0 || (depth === 1 && c === ",")) {
      parts.push(pattern.slice(start, i));
      start = i + 1;
    }
    if (depth === 0) {
      const head = pattern.slice(0, open);
      const tails = expandBraces(pattern.slice(start));
      return parts.flatMap(expandBraces).flatMap((part) => tails.map((tail) => head + part + tail));
    }
  }
  throw unclosed(pattern, "{");
}

/** What a pattern without wildcards names. */
export function unescapeGlob(pattern: string): string {
  return pattern.replace(/\\(.)/gsu, "$1");
}

/** A pattern without braces, as a regular expression. */
function translate(pattern: string): string {
  let out = "";
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i];
    if (c === "*") out += ".*";
    else if (c === "?") out += ".";
    else if (c === "[") {
      const set = /^\[[!^]?(?:\\.|[^\\[])(?:\\.|[^\\\][])*\]/su.exec(pattern.slice(i))?.[0];
      if (set === undefined) throw unclosed(pattern, "[");
      out += translateSet(set);
      i += set.length - 1;
    } else {
      if (c === "\\") i += 1;
      out += escapeCharacter(pattern[i] ?? "\\");
    }
  }
  return out;
}

/** `[!a-c]` as `[^a-c]`: only `-` keeps a meaning inside. */
function translateSet(set: string): string {
  const negated = set[1] === "!" || set[1] === "^";
  const members = unescapeGlob(set.slice(negated ? 2 : 1, -1)).replace(/[\\\]^]/gu, "\\$&");
  return `[${negated ? "^" : ""}${members}]`;
}

function escapeCharacter(c: string): string {
  return c.replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&");
}

function findUnescaped(text: string, what: string): number {
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\") i += 1;
    else if (text[i] === what) return i;
  }
  return -1;
}

function unclosed(pattern: string, bracket: string): IngotError {
  return new IngotError("BAD_OPTION", `The glob ${pattern} has a ${bracket} that is not closed.`, {
    hint: `Close it, or write \\${bracket} where the name holds this character.`,
  });
}
