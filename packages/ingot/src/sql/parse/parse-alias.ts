import { isAliasInDisguise, seesTableAlias } from "./keywords.js";
import { type Parser, unsupported } from "./parser.js";

export interface Alias {
  readonly alias?: string;
  readonly columns: readonly string[];
}

/** `[AS] name [(columns)]` after a relation, or nothing. */
export function parseAlias(parser: Parser): Alias {
  const { reader } = parser;
  const word = reader.peek()?.text.toUpperCase();
  if (isAliasInDisguise(reader))
    throw unsupported(
      parser,
      `${word} (…) after a relation, which Spark takes for its name and columns`,
      "Leave the parentheses out.",
    );
  if (!reader.take("AS") && !seesTableAlias(reader)) return { columns: [] };
  if (!seesTableAlias(reader)) throw reader.failure(["a name"], "PARSE_SYNTAX_ERROR", "Put the name in back-ticks.");
  const alias = reader.readIdentifier();
  return { alias, columns: reader.sees("(") ? reader.readNames() : [] };
}
