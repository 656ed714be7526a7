import { lex } from "../../packages/ingot/src/sql/lexer.js";
import { isToken } from "../../packages/ingot/src/sql/token-reader.js";

/** The statements of a script, which `;` divides. */
export function splitStatements(script: string): string[] {
  const ends = lex(script)
    .filter((token) => isToken(token, ";"))
    .map((token) => token.start);
  const starts = [0, ...ends.map((end) => end + 1)];
  return starts.map((start, i) => script.slice(start, ends[i]).trim()).filter((text) => lex(text).length > 0);
}

/**
 * What `CREATE [OR REPLACE] [TEMP] VIEW|TABLE name AS query` names, and its query.
 *
 * @throws Error for any other statement
 */
export function tableOf(statement: string): { readonly name: string; readonly query: string } {
  const tokens = lex(statement);
  const kind = tokens.findIndex((token) => isToken(token, "VIEW") || isToken(token, "TABLE"));
  const as = tokens.findIndex((token) => isToken(token, "AS"));
  const name = tokens[as - 1];
  const start = tokens[as]?.end;
  if (!isToken(tokens[0], "CREATE") || kind === -1 || as !== kind + 2 || name === undefined || start === undefined)
    throw new Error(`it can make tables by CREATE … VIEW name AS query alone, not by ${statement.slice(0, 60)}`);
  return { name: name.text.replaceAll("`", ""), query: statement.slice(start) };
}
