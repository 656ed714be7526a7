import type { DataType, Field } from "../model/data-type.js";
import { sqlText } from "../model/position.js";
import { bindExpression } from "./bind/bind-expression.js";
import { type Binder, fail, type Place } from "./bind/bind-place.js";
import { NO_ORIGINS } from "./bind/origins.js";
import { lex } from "./lexer.js";
import { makeLocate } from "./locate.js";
import { quoteName } from "./lower/lower-text.js";
import { parseExpression } from "./parse/parse-expression.js";
import { parseValue } from "./parse/parse-operators.js";
import { type Parser, unexpected, unsupported } from "./parse/parser.js";
import { TokenReader } from "./token-reader.js";

/** An expression over the columns of one row, typed and lowered. */
export interface CompiledExpression {
  /** DuckDB's text, in which a column stands under its own quoted name. */
  readonly duckdb: string;
  readonly type: DataType;
}

/**
 * Types one expression of Spark SQL over some columns and lowers it to DuckDB. Subqueries, aggregates and window
 * functions do not belong to one row and are refused.
 *
 * @param name what the expression is, for the places in errors
 * @throws IngotError as `compileParsed`, and PARSE_SYNTAX_ERROR
 */
export function compileExpression(text: string, columns: readonly Field[], name: string): CompiledExpression {
  const sql = sqlText(text, name);
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

  let names = 0;
  const binder: Binder = {
    sql,
    locate: makeLocate(sql),
    newName: (prefix) => `${prefix}${names++}`,
    bind: bindExpression,
    bindSubquery: () => {
      throw new Error("unreachable: subqueries are not parsed");
    },
  };
  const place: Place = {
    binder,
    scope: {
      columns: columns.map((field) => ({ ...field, sql: quoteName(field.name), qualifier: [], origins: NO_ORIGINS })),
      aliases: new Map(),
    },
    clause: name,
    aggregates: false,
    windows: false,
    grouping: new Set(),
    aliasesFirst: false,
    filter: false,
  };
  const bound = bindExpression(place, expression);
  if (bound.aggregate || bound.window)
    throw fail(place, bound.at, "UNSUPPORTED_CLAUSE", `${name} is not of one row`, "Leave the aggregate function out.");
  return { duckdb: bound.sql, type: bound.type };
}

function refuseQuery(parser: Parser): never {
  throw unsupported(parser, "A subquery", "An expression of a table sees the columns of one row.");
}
