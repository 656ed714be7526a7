import type { SqlText } from "../model/position.js";
import { lex } from "./lexer.js";
import { TokenReader } from "./token-reader.js";

/** The names in `a, `b c``. @throws IngotError PARSE_SYNTAX_ERROR, INVALID_IDENTIFIER */
export function readColumns(text: SqlText): string[] {
  const reader = new TokenReader(text, [...lex(text)]);
  const names = reader.readBareNames();
  if (!reader.done) throw reader.failure([",", "the end of the columns"]);
  return names;
}
