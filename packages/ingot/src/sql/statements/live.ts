import type { SqlText } from "../../model/position.js";
import { lex, type Token } from "../lexer.js";
import { concat, cut, makeLocate } from "../locate.js";
import { isToken } from "../token-reader.js";

/** A bracket's inside: whether a query stands there, and whether its FROM list is being read. */
interface Level {
  query: boolean;
  from: boolean;
}

const FROM_LIST_ENDS = new Set(
  "SELECT WHERE GROUP HAVING ORDER SORT CLUSTER DISTRIBUTE WINDOW QUALIFY LIMIT UNION EXCEPT INTERSECT MINUS".split(
    " ",
  ),
);
const QUERY_STARTS = new Set(["SELECT", "FROM", "WITH", "TABLE"]);

/**
 * Takes the old prefix `LIVE.`, "a dataset of this pipeline", from the relations of a query. Elsewhere `live.x` is a
 * column and stays.
 *
 * @param relation the text is one relation, such as the source of a flow, and not a query
 */
export function removeLive(sql: SqlText, { relation = false } = {}): SqlText {
  if (!/\blive\b/i.test(sql.text)) return sql;
  const locate = makeLocate(sql);
  const parts: SqlText[] = [];
  let from = 0;
  for (const [live, dot] of livePrefixes(lex(sql), relation)) {
    parts.push(cut(sql, locate, from, live.start));
    from = dot.end;
  }
  return from === 0 ? sql : concat([...parts, cut(sql, locate, from, sql.text.length)]);
}

function livePrefixes(tokens: readonly Token[], relation: boolean): [Token, Token][] {
  const found: [Token, Token][] = [];
  const levels: Level[] = [{ query: !relation, from: relation }];
  let expectsRelation = relation;
  for (const [i, token] of tokens.entries()) {
    const level = levels.at(-1) ?? { query: false, from: false };
    const previous = tokens[i - 1];
    const dot = tokens[i + 1];
    const word = token.kind === "word" ? token.text.toUpperCase() : token.kind === "operator" ? token.text : "";
    if (isToken(previous, "(") && QUERY_STARTS.has(word)) level.query = true;
    if (word === "(") levels.push({ query: false, from: false });
    else if (word === ")" && levels.length > 1) levels.pop();
    else if (word === "SELECT") level.query = true;
    if (FROM_LIST_ENDS.has(word)) level.from = false;
    if (expectsRelation && word === "LIVE" && dot !== undefined && isToken(dot, ".")) found.push([token, dot]);
    // `EXTRACT(DAY FROM x)` and `IS DISTINCT FROM x` read no relation.
    const startsList = word === "FROM" && level.query && !isToken(previous, "DISTINCT");
    if (startsList) level.from = true;
    if (startsList || word === "JOIN") expectsRelation = true;
    else if (word === ",") expectsRelation = level.from;
    else if (word !== "STREAM" && word !== "(") expectsRelation = false;
  }
  return found;
}
