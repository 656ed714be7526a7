import type { SqlText } from "../../model/position.js";
import { lex } from "../lexer.js";
import { TokenReader } from "../token-reader.js";
import type { Expression } from "./ast.js";
import { parseExpression } from "./parse-expression.js";
import { parseValue } from "./parse-operators.js";
import { type Parser, unexpected, unsupported } from "./parser.js";

/** An expression that is a text of its own, in which a subquery has no place. @throws IngotError PARSE_SYNTAX_ERROR, UNSUPPORTED_CLAUSE */
export function parseAlone(sql: SqlText): Expression {
  const reader = new TokenReader(sql, [...lex(sql)]);
  const parser: Parser = {
    reader,
    relations: [],
    ctes: new Map(),
    depth: 0,
    rules: { query: refuseQuery, expression: parseExpression, value: parseValue },
  };
  if (reader.done) throw reader.failure(["an expression"]);
  const expression = parseExpression(parser);
  if (!reader.done) throw unexpected(parser, ["the end of the expression"]);
  return expression;
}

function refuseQuery(parser: Parser): never {
  throw unsupported(parser, "A subquery", "An expression of a table sees the columns of one row.");
}
