/**
 * A condition: the whole text matches. The pattern keeps to classes, groups and repetitions that Java's regular
 * expressions and RE2 read alike; `\z` is the end of the text, where `$` would let a last line end pass.
 */
export function matches(sql: string, pattern: string): string {
  return `${sql} RLIKE '^(?:${pattern})\\\\z'`;
}

/** The part of the text in the pattern's first group, where the whole text matches; empty where it does not. */
export function firstGroup(sql: string, pattern: string): string {
  return `regexp_extract(${sql}, '^(?:${pattern})\\\\z', 1)`;
}

/** A class of one character, which has no other meaning then. */
export function only(character: string): string {
  return character === "" ? "" : `[${character}]`;
}

/** A text of one line as a literal. */
export function textLiteral(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/** Spark SQL has no local names but those of a lambda: `body` with the value of `sql` under a name. */
export function local(name: string, sql: string, body: string): string {
  return `get(transform(array(${sql}), ${name} -> ${body}), 0)`;
}
