import type { Token } from "../lexer.js";
import { isToken, type TokenReader } from "../token-reader.js";

/*
 * Spark reserves no word: `order`, `end` or `limit` may be columns, tables and aliases, and its parser tries all
 * readings. Here a word that begins a clause is that clause, unless what follows leaves only the name. Where Spark
 * would find yet another reading, the text is refused: back-ticks say what is meant.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Words that begin what may follow a select item or a relation. */
const CLAUSES = words(
  "CLUSTER DISTRIBUTE EXCEPT FROM GROUP HAVING IDENTIFIED INTERSECT LATERAL LIMIT MINUS OFFSET ORDER PIVOT QUALIFY SORT TABLESAMPLE UNION UNPIVOT WATERMARK WHERE WINDOW WITH",
);

/** Of these, the ones that a name may follow: `WHERE order`. */
const CONDITIONS = words("HAVING LIMIT OFFSET QUALIFY WHERE");

/** `strictNonReserved` of Spark's grammar: no aliases of relations. */
const STRICT = words(
  "ANTI CROSS EXCEPT FULL INNER INTERSECT JOIN LATERAL LEFT MINUS NATURAL ON RIGHT SEMI UNION USING",
);

/** Words that are no column without back-ticks: where one stands in place of a value, a value is missing. */
const NO_VALUE = words(
  "AND AS BETWEEN DISTINCT ELSE EXCEPT FROM HAVING ILIKE IN INTERSECT IS JOIN LIKE NOT ON OR QUALIFY REGEXP RLIKE SELECT THEN UNION USING WHEN WHERE WITH",
);

/** Of these, the functions: `like(a, b)`. */
const FUNCTIONS = words("BETWEEN ILIKE LIKE REGEXP RLIKE");

/** The keyword that a token may be, in capitals; empty for names in back-ticks and for all that is no word. */
export function wordOf(token: Token | undefined): string {
  return token?.kind === "word" ? token.text.toUpperCase() : "";
}

function isName(token: Token | undefined): boolean {
  return token?.kind === "word" || token?.kind === "quoted";
}

/** Whether the next token can be a column or a function, or begin a path. */
export function seesValueName(reader: TokenReader): boolean {
  const word = wordOf(reader.peek());
  const next = reader.peek(1);
  if (NO_VALUE.has(word)) return FUNCTIONS.has(word) && (isToken(next, "(") || endsItem(next));
  return isName(reader.peek()) && isNoClause(word, next);
}

/** Whether the next token can be a relation. */
export function seesTableName(reader: TokenReader): boolean {
  const word = wordOf(reader.peek());
  const next = reader.peek(1);
  if (STRICT.has(word) || ["AS", "FROM", "SELECT"].includes(word)) return false;
  if (CONDITIONS.has(word) && CLAUSES.has(wordOf(next))) return false;
  return isName(reader.peek()) && isNoClause(word, next);
}

/** Whether a word begins no clause, by what stands after it. */
function isNoClause(word: string, next: Token | undefined): boolean {
  return !CLAUSES.has(word) || next?.kind === "operator" || endsItem(next);
}

/** Whether the next token is the name of a select item, given without AS. */
export function seesColumnAlias(reader: TokenReader): boolean {
  const word = wordOf(reader.peek());
  if (word === "FROM" || word === "AND" || word === "OR") return false;
  return isName(reader.peek()) && (!(CLAUSES.has(word) || NO_VALUE.has(word)) || endsItem(reader.peek(1)));
}

/** Whether the next token is the name of a relation, given without AS. */
export function seesTableAlias(reader: TokenReader): boolean {
  return !STRICT.has(wordOf(reader.peek())) && seesColumnAlias(reader);
}

/** Whether a token can follow a whole select item or relation. */
function endsItem(token: Token | undefined): boolean {
  if (token === undefined || isToken(token, ",") || isToken(token, ")")) return true;
  return CLAUSES.has(wordOf(token)) || STRICT.has(wordOf(token));
}

/**
 * Whether a clause word and its condition could also be a relation's name and its columns, as in `t WHERE (a)`: this
 * is how Spark reads them.
 */
export function isAliasInDisguise(reader: TokenReader): boolean {
  const word = wordOf(reader.peek());
  if (!CLAUSES.has(word) || STRICT.has(word) || !isToken(reader.peek(1), "(")) return false;
  let ahead = 2;
  for (; isName(reader.peek(ahead)); ahead += 2) {
    if (isToken(reader.peek(ahead + 1), ",") || isToken(reader.peek(ahead + 1), "-")) continue;
    return isToken(reader.peek(ahead + 1), ")") && endsItem(reader.peek(ahead + 2));
  }
  return false;
}

const SET_OPERATORS = words("EXCEPT INTERSECT MINUS UNION");
const QUERY_TAIL = words("CLUSTER DISTRIBUTE LIMIT OFFSET ORDER SORT WINDOW");

/** Whether a query begins `ahead` tokens from here; asked after an open parenthesis. */
export function seesQuery(reader: TokenReader, ahead = 0): boolean {
  let at = ahead;
  for (; isToken(reader.peek(at), "("); at++) {
    const after = reader.peek(closing(reader, at) + 1);
    const word = wordOf(after);
    const goesOn = SET_OPERATORS.has(word) || QUERY_TAIL.has(word) || isToken(after, "|>");
    if (!goesOn && !isToken(after, ")")) return false;
  }
  const next = reader.peek(at + 1);
  switch (wordOf(reader.peek(at))) {
    case "SELECT":
      return next === undefined || next.kind !== "operator" || ["*", "(", "-", "+", "~", "!", "?"].includes(next.text);
    case "VALUES":
      return next !== undefined && (next.kind !== "operator" || ["(", "-", "+", "~"].includes(next.text));
    case "WITH":
    case "FROM":
    case "TABLE":
      return isName(next);
    default:
      return false;
  }
}

/** How far ahead the parenthesis closes that opens `ahead` tokens from here; beyond the last token if it never does. */
export function closing(reader: TokenReader, ahead: number): number {
  return reader.closingOf(reader.index + ahead) - reader.index;
}

/** Whether a keyword stands in the parentheses that open `ahead` tokens from here, and in none within. */
export function hasKeyword(reader: TokenReader, ahead: number, keyword: string): boolean {
  const end = closing(reader, ahead);
  for (let i = ahead + 1; i < end; i++) {
    const token = reader.peek(i);
    if (isToken(token, "(")) i = closing(reader, i);
    else if (isToken(token, keyword) && !isToken(reader.peek(i - 1), "DISTINCT")) return true;
  }
  return false;
}
