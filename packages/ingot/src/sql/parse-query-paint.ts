import { IngotError } from "../model/error.js";
import { readType } from "./ddl-types.js";
import type { Token } from "./lexer.js";
import { isToken, type TokenReader } from "./token-reader.js";

/** A query's text as the foreign parser gets it, and what was taken out of it. */
export interface Painted {
  /** One line of ASCII, as long as the query's text: what stands at an offset here stands there too. */
  readonly text: string;
  /** Index of the first token of each relation that is read with STREAM. */
  readonly streams: ReadonlySet<number>;
  /** `CAST(x AS type)` and `x::type`: index of the type's first token to the type's end. */
  readonly types: ReadonlyMap<number, { readonly start: number; readonly end: number }>;
  /** Tokens that are not in the painted text: STREAM, its parentheses, strings after a string. */
  readonly gone: ReadonlySet<number>;
}

/**
 * Rewrites what the foreign parser reads otherwise than Spark, and keeps every offset. Literals, quoted names, types
 * and the names of functions become placeholders of the same length, which are looked up by their offset later: so
 * escapes, number suffixes, other alphabets and the foreign parser's own function syntax play no part.
 *
 * @throws IngotError UNSUPPORTED_CLAUSE for syntax that the foreign parser does not know
 */
export function paint(reader: TokenReader): Painted {
  const { tokens } = reader;
  const text = new Array<string>(reader.sql.text.length).fill(" ");
  const gone = new Set<number>();
  const streams = findStreams(tokens, gone);
  const types = findTypes(reader);
  const put = (start: number, what: string) => {
    for (let i = 0; i < what.length; i++) text[start + i] = what.charAt(i);
  };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined || gone.has(i)) continue;
    refuseToken(reader, i);
    const type = types.get(i);
    if (type !== undefined) {
      put(type.start, "INT");
      while ((tokens[i + 1]?.start ?? Number.POSITIVE_INFINITY) < type.end) i += 1;
    } else if (token.kind === "string" && tokens[i - 1]?.kind === "string") gone.add(i);
    else put(token.start, placeholder(tokens, i, token));
  }
  return { text: text.join(""), streams, types, gone };
}

function placeholder(tokens: readonly Token[], i: number, token: Token): string {
  const length = token.text.length;
  switch (token.kind) {
    case "string":
      return `'${"x".repeat(length - 2)}'`;
    case "binary":
      return `x'${"0".repeat(length - 3)}'`;
    case "number":
      return "1".repeat(length);
    case "quoted":
      return `\`${"x".repeat(Math.max(1, length - 2))}\``.slice(0, length);
    case "operator":
      return token.text;
    default:
      if (isDivision(tokens, i)) return "%";
      return isFunctionName(tokens, i) || /[^\x20-\x7e]/.test(token.text) ? "f".repeat(length) : token.text;
  }
}

/** Words before `(` that are no names of functions. */
const BEFORE_PARENTHESIS = new Set(
  "ALL AND ANTI AS BETWEEN BY CASE CROSS CUBE DISTINCT ELSE EXCEPT EXISTS FILTER FROM FULL GROUPING GROUP HAVING IN INNER INTERSECT JOIN LATERAL LIKE LIMIT MINUS NATURAL NOT OFFSET ON OR ORDER OUTER OVER PIVOT QUALIFY ROLLUP SELECT SEMI SETS STRUCT TABLESAMPLE THEN UNION UNPIVOT USING VALUES WHEN WHERE WITH CAST TRY_CAST".split(
    " ",
  ),
);

function isFunctionName(tokens: readonly Token[], i: number): boolean {
  const token = tokens[i];
  if (token === undefined || !isToken(tokens[i + 1], "(")) return false;
  // Casts and struct() keep their own syntax: types are read from the tokens, and a struct names its fields with AS.
  return !BEFORE_PARENTHESIS.has(token.text.toUpperCase());
}

/** Clause words: what stands after one of them begins an operand, what stands before one ends there. */
const CLAUSE = new Set(
  "ALL AND AS ASC BETWEEN BY CASE CROSS DESC DISTINCT ELSE END EXCEPT FROM FULL GROUP HAVING IN INNER INTERSECT IS JOIN LATERAL LEFT LIKE LIMIT MINUS NATURAL NOT NULLS OFFSET ON OR ORDER QUALIFY RIGHT SELECT THEN UNION USING WHEN WHERE WINDOW".split(
    " ",
  ),
);

/** Whether DIV at `i` is the operator and not a name. */
export function isDivision(tokens: readonly Token[], i: number): boolean {
  if (!isToken(tokens[i], "DIV")) return false;
  const before = tokens[i - 1];
  const after = tokens[i + 1];
  if (before === undefined || after === undefined) return false;
  const ends =
    before.kind === "operator" ? [")", "]"].includes(before.text) : !isClause(before) || isToken(before, "END");
  const begins =
    after.kind === "operator" ? ["(", "-", "+"].includes(after.text) : !isClause(after) || isToken(after, "CASE");
  return ends && begins;
}

function isClause(token: Token): boolean {
  return token.kind === "word" && CLAUSE.has(token.text.toUpperCase());
}

/** `STREAM t`, `STREAM (t)`, `STREAM read_files(…)` where a relation may stand. */
function findStreams(tokens: readonly Token[], gone: Set<number>): Set<number> {
  const streams = new Set<number>();
  const clauses: string[] = [""];
  for (const [i, token] of tokens.entries()) {
    if (isToken(token, "(")) clauses.push("");
    else if (isToken(token, ")")) clauses.pop();
    else if (isClause(token) || isToken(token, ",")) {
      const inFrom = clauses.at(-1) === "FROM";
      const word = token.text.toUpperCase();
      if (word === "FROM" || word === "JOIN" || (word === "," && inFrom)) {
        clauses[clauses.length - 1] = "FROM";
        const relation = streamed(tokens, i + 1, gone);
        if (relation !== undefined) streams.add(relation);
      } else if (["SELECT", "WHERE", "GROUP", "ORDER", "HAVING"].includes(word)) clauses[clauses.length - 1] = word;
    }
  }
  return streams;
}

/** Where STREAM stands at `i`: the index of what is streamed. STREAM itself and its parentheses are taken out. */
function streamed(tokens: readonly Token[], i: number, gone: Set<number>): number | undefined {
  const next = tokens[i + 1];
  if (!isToken(tokens[i], "STREAM") || next === undefined) return undefined;
  if (next.kind === "quoted" || (next.kind === "word" && !isClause(next))) {
    gone.add(i);
    return i + 1;
  }
  if (!isToken(next, "(")) return undefined;
  const close = closing(tokens, i + 1);
  for (const k of [i, i + 1, close]) gone.add(k);
  return i + 2;
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (isToken(tokens[i], "(")) depth += 1;
    else if (isToken(tokens[i], ")")) depth -= 1;
    if (depth === 0) return i;
  }
  return tokens.length;
}

function findTypes(reader: TokenReader): Map<number, { start: number; end: number }> {
  const { tokens } = reader;
  const types = new Map<number, { start: number; end: number }>();
  const read = (index: number) => {
    reader.index = index;
    readType(reader);
    types.set(index, { start: tokens[index]?.start ?? 0, end: tokens[reader.index - 1]?.end ?? 0 });
  };
  const casts: boolean[] = [];
  for (const [i, token] of tokens.entries()) {
    if (isToken(token, "(")) casts.push(isToken(tokens[i - 1], "CAST") || isToken(tokens[i - 1], "TRY_CAST"));
    else if (isToken(token, ")")) casts.pop();
    else if (isToken(token, "::") || (isToken(token, "AS") && casts.at(-1) === true)) read(i + 1);
  }
  return types;
}

/** Syntax that the foreign parser would refuse with a wrong reason, or take for something else. */
function refuseToken(reader: TokenReader, i: number): void {
  const { tokens } = reader;
  const token = tokens[i];
  if (token === undefined || token.kind === "quoted") return;
  const refuse = (what: string, hint: string) => {
    throw new IngotError("UNSUPPORTED_CLAUSE", `${what} is not supported yet`, { at: reader.at(i), hint });
  };
  if (token.kind === "operator") {
    const hint = REFUSED_OPERATORS[token.text];
    if (hint !== undefined) refuse(`'${token.text}'`, hint);
    return;
  }
  if (token.kind !== "word") return;
  const word = token.text.toUpperCase();
  if (word === "IDENTIFIER" && isToken(tokens[i + 1], "(")) refuse("IDENTIFIER()", "Write the name itself.");
  if (word === "WATERMARK" && tokens.slice(i).some((t, k) => isToken(t, "DELAY") && isToken(tokens[i + k + 1], "OF")))
    refuse("WATERMARK", "Leave it out; aggregate in a materialized view.");
  if (word === "LATERAL" && isToken(tokens[i + 1], "VIEW"))
    refuse("LATERAL VIEW", "Explode the array before it is read.");
  if (word === "PIVOT" || word === "UNPIVOT") refusePivot(tokens, i, word, refuse);
  if (word === "LIKE" && ["ANY", "SOME", "ALL"].some((w) => isToken(tokens[i + 1], w)))
    refuse(`LIKE ${tokens[i + 1]?.text.toUpperCase()}`, "Join the patterns with OR or AND.");
  if (word === "STRUCT" && isToken(tokens[i + 1], "(") && isToken(tokens[i + 2], "*"))
    refuse("struct(*)", "Name the columns.");
  const keyword = isFunctionName(tokens, i) ? keywordWithin(tokens, i + 1) : undefined;
  if (keyword !== undefined)
    refuse(`${word}(… ${keyword} …)`, "Write the arguments with commas, such as ltrim('0', x) or substring(x, 1, 2).");
  if (word === "INTERVAL" && ["number", "string"].includes(tokens[i + 1]?.kind ?? ""))
    refuse("An interval", "Use date_add, date_sub or datediff.");
  if (i > 0 || tokens.length < 2) return;
  if (word === "FROM") refuse("A query that begins with FROM", "Begin with SELECT.");
  if (word === "TABLE") refuse("TABLE t", "Write SELECT * FROM t.");
}

function refusePivot(
  tokens: readonly Token[],
  i: number,
  word: string,
  refuse: (what: string, hint: string) => void,
): void {
  const next = tokens[i + 1];
  if (isToken(next, "(") || isToken(next, "INCLUDE") || isToken(next, "EXCLUDE"))
    refuse(word, word === "PIVOT" ? "Write sum(CASE WHEN … END) for each column." : "Write UNION ALL.");
}

/** The keyword that gives a function call its own syntax, `trim(BOTH x FROM y)`, `position(x IN y)`. */
function keywordWithin(tokens: readonly Token[], open: number): string | undefined {
  const end = closing(tokens, open);
  const name = tokens[open - 1]?.text.toUpperCase();
  let depth = 0;
  for (let i = open; i < end; i++) {
    if (isToken(tokens[i], "(")) depth += 1;
    else if (isToken(tokens[i], ")")) depth -= 1;
    else if (depth === 1) {
      const found = ["FROM", "PLACING"].find((k) => isToken(tokens[i], k));
      if (found !== undefined) return found;
      if (name === "POSITION" && isToken(tokens[i], "IN")) return "IN";
    }
  }
  return undefined;
}

const REFUSED_OPERATORS: Readonly<Record<string, string>> = {
  "|>": "Write the query with SELECT … FROM ….",
  ":": "Parameters and JSON paths have no translation: write the value, or read the field from a struct.",
  "?": "Write the value itself.",
  "@": "Use VERSION AS OF or TIMESTAMP AS OF.",
  "&": "Bitwise operators have no translation.",
  "|": "Bitwise operators have no translation.",
  "^": "Bitwise operators have no translation.",
  "~": "Bitwise operators have no translation.",
  "<<": "Bitwise operators have no translation.",
  "!": "Write NOT.",
  "!<": "Write >=.",
  "!>": "Write <=.",
  "->": "Functions with a lambda have no translation.",
  "{": "Braces have no meaning here.",
};
