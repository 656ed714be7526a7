import { IngotError } from "../model/error.js";
import type { SqlText } from "../model/position.js";
import type { Relation } from "../model/query.js";
import type { Query } from "./ast.js";
import { lex } from "./lexer.js";
import { mapNode } from "./parse-query-expression.js";
import { problem, type Source } from "./parse-query-foreign.js";
import { paint } from "./parse-query-paint.js";
import { mapQuery } from "./parse-query-select.js";
import { isToken, TokenReader } from "./token-reader.js";

/** A query before the schemas of what it reads are known. */
export interface ParsedQuery {
  readonly sql: SqlText;
  readonly query: Query;
  /** What it reads, CTEs left out, in the order of the text. */
  readonly relations: readonly Relation[];
}

type Parser = typeof import("@guanmingchiu/sqlparser-ts");
let loading: Promise<Parser> | undefined;

/** Loads the foreign parser, once for the process: some 50 ms, for which nobody waits who parses no query. */
function loadParser(): Promise<Parser> {
  loading ??= import("@guanmingchiu/sqlparser-ts").then(async (parser) => {
    await parser.init();
    return parser;
  });
  return loading;
}

/**
 * Reads one query of Spark SQL (a trailing `;` is allowed).
 *
 * @throws IngotError PARSE_SYNTAX_ERROR; UNSUPPORTED_CLAUSE, UNSUPPORTED_FUNCTION, NOT_SUPPORTED for what has no
 *   translation; UNKNOWN_OPTION, BAD_OPTION, BAD_SCHEMA for read_files. Each with its place.
 */
export async function parseQuery(sql: SqlText): Promise<ParsedQuery> {
  const { source, statement } = await parseForeign(sql);
  return { sql, query: mapQuery(source, statement), relations: source.relations };
}

async function parseForeign(sql: SqlText): Promise<{ source: Source; statement: unknown }> {
  const tokens = [...lex(sql)];
  while (isToken(tokens.at(-1), ";")) tokens.pop();
  const reader = new TokenReader(sql, tokens);
  if (tokens.length === 0) throw reader.failure(["a query"]);
  const painted = paint(reader);
  const source: Source = {
    reader,
    painted,
    tokenAt: new Map(tokens.map((token, index) => [token.start, index])),
    colons: tokens.flatMap((token, index) => (isToken(token, "::") ? [index] : [])),
    relations: [],
    ctes: new Map(),
    mapQuery,
    mapNode,
  };
  const parser = await loadParser();
  let statements: readonly unknown[];
  try {
    statements = parser.parse(painted.text, "databricks");
  } catch (error) {
    throw syntaxError(source, error);
  }
  const [statement, second] = statements;
  if (second !== undefined)
    throw problem(source, 0, "PARSE_SYNTAX_ERROR", "The text holds more than one query", "Keep one query.");
  const query = (statement as { Query?: unknown }).Query;
  if (query === undefined)
    throw problem(source, 0, "PARSE_SYNTAX_ERROR", "The text is no query", "Begin with SELECT or WITH.");
  return { source, statement: query };
}

/** The foreign parser's reason, with our token in place of the placeholder that it saw. */
function syntaxError(source: Source, error: unknown): IngotError {
  const reason = error instanceof Error ? error.message : String(error);
  const column = /Column: (\d+)/.exec(reason)?.[1];
  const { tokens } = source.reader;
  const offset = column === undefined ? undefined : Number(column) - 1;
  const found = offset === undefined ? -1 : tokens.findIndex((token) => token.end > offset);
  const index = found === -1 ? tokens.length : found;
  const near = tokens[index] === undefined ? "the end of the query" : `'${tokens[index]?.text}'`;
  const expected = /Expected:? ?(?:an? )?([^,]+), found/i.exec(reason)?.[1];
  if (/recursion limit/i.test(reason))
    return problem(source, index, "UNSUPPORTED_CLAUSE", "The query is nested too deep", "Split it with WITH or views.");
  return new IngotError(
    "PARSE_SYNTAX_ERROR",
    `Syntax error at or near ${near}${expected === undefined ? "" : `: expected ${expected}`}`,
    { at: source.reader.at(index), hint: "Check the text before this place: a comma, a parenthesis or a keyword." },
  );
}
