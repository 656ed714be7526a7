import type { SqlText } from "../../model/position.js";
import type { Relation } from "../../model/query.js";
import { lex } from "../lexer.js";
import { isToken, TokenReader } from "../token-reader.js";
import type { Cte, Query, QueryBody, SetOperation } from "./ast.js";
import { checkDepth } from "./check-depth.js";
import { seesQuery, wordOf } from "./keywords.js";
import { parseExpression } from "./parse-expression.js";
import { parseValues } from "./parse-from.js";
import { parseValue } from "./parse-operators.js";
import { parseSelect } from "./parse-select.js";
import { parseSortKey } from "./parse-window.js";
import { close, deeper, offsetOf, type Parser, problem, readList, unexpected, unsupported } from "./parser.js";

/** A query before the schemas of what it reads are known. */
export interface ParsedQuery {
  readonly sql: SqlText;
  readonly query: Query;
  /** What it reads, CTEs left out, in the order of the text. */
  readonly relations: readonly Relation[];
}

const CLAUSES = ["FROM", "WHERE", "GROUP BY", "HAVING", "ORDER BY", "LIMIT", "UNION"];

/** What begins a statement of Spark SQL that is no query. */
const STATEMENTS = new Set(
  `ALTER ANALYZE CACHE CALL CREATE DELETE DESC DESCRIBE DROP EXECUTE EXPLAIN INSERT LOAD MERGE MSCK OPTIMIZE REFRESH
  REPLACE RESTORE SET SHOW TRUNCATE UNCACHE UPDATE USE VACUUM`.split(/\s+/),
);
const ONLY_QUERIES =
  "Write SELECT …. Tables are written by a pipeline's runs; `ingot show` lists them with their rows.";

/**
 * Reads one query by the grammar of Spark 4.2 (`SqlBaseParser.g4`); a trailing `;` is allowed.
 *
 * @throws IngotError PARSE_SYNTAX_ERROR; UNSUPPORTED_CLAUSE, UNSUPPORTED_FUNCTION, NOT_SUPPORTED for what has no
 *   translation; UNKNOWN_OPTION, BAD_OPTION, BAD_SCHEMA for read_files. Each with its place.
 */
export function parseQuery(sql: SqlText): ParsedQuery {
  const tokens = [...lex(sql)];
  while (isToken(tokens.at(-1), ";")) tokens.pop();
  const reader = new TokenReader(sql, tokens);
  const rules = { query: parseNested, expression: parseExpression, value: parseValue };
  const parser: Parser = { reader, relations: [], ctes: new Map(), depth: 0, rules };
  if (reader.done) throw reader.failure(["a query"]);
  const statement = wordOf(tokens[0]);
  if (STATEMENTS.has(statement))
    throw problem(parser, "UNSUPPORTED_CLAUSE", `${statement} is a statement, and a query stands here`, ONLY_QUERIES);
  const query = parseNested(parser);
  if (!reader.done) throw unexpected(parser, [...CLAUSES, "the end of the query"]);
  checkDepth(parser, query);
  return { sql, query, relations: parser.relations };
}

/** A query with its WITH and its tail. */
function parseNested(outer: Parser): Query {
  const at = offsetOf(outer);
  const { ctes, parser } = parseCtes(deeper(outer));
  const body = parseSetOperations(parser);
  const { reader } = parser;
  const orderBy = reader.take("ORDER", "BY") ? readList(parser, parseSortKey) : [];
  const limit = reader.take("LIMIT") && !reader.take("ALL") ? parseExpression(parser) : undefined;
  const offset = reader.take("OFFSET") ? parseExpression(parser) : undefined;
  return {
    at,
    ctes,
    body,
    orderBy,
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
  };
}

/** `WITH name [(columns)] [AS] (query), …`: each sees those before it. */
function parseCtes(outer: Parser): { readonly ctes: readonly Cte[]; readonly parser: Parser } {
  const { reader } = outer;
  const ctes: Cte[] = [];
  let parser = outer;
  if (!reader.take("WITH")) return { ctes, parser };
  if (reader.sees("RECURSIVE") && reader.peek(1)?.kind !== "operator")
    throw unsupported(parser, "WITH RECURSIVE", "Write the levels as joins.");
  do {
    const at = offsetOf(parser);
    const start = reader.index;
    const name = reader.readIdentifier();
    const key = name.toLowerCase();
    if (ctes.some((cte) => cte.name.toLowerCase() === key))
      throw problem(parser, "PARSE_SYNTAX_ERROR", `WITH names ${name} twice`, "Rename one of them.", start);
    const columns = reader.sees("(") && !seesQuery(reader, 1) ? reader.readNames() : [];
    if (reader.sees("MAX", "RECURSION")) throw unsupported(parser, "MAX RECURSION LEVEL", "Leave it out.");
    reader.take("AS");
    reader.expect("(");
    const cte: Cte = { at, name, columns, query: parseNested(parser) };
    close(parser);
    ctes.push(cte);
    parser = { ...parser, ctes: new Map([...parser.ctes, [key, cte]]) };
  } while (reader.take(","));
  return { ctes, parser };
}

/** INTERSECT binds tighter than UNION and EXCEPT; all group to the left. */
const PRECEDENCE: Readonly<Record<SetOperation["op"], number>> = { INTERSECT: 2, UNION: 1, EXCEPT: 1 };

function parseSetOperations(parser: Parser, weakest = 1): QueryBody {
  const { reader } = parser;
  const at = offsetOf(parser);
  let left = parseTerm(parser);
  for (let op = seesSetOperator(parser); op !== undefined && PRECEDENCE[op] >= weakest; op = seesSetOperator(parser)) {
    reader.index += 1;
    const all = reader.take("ALL");
    if (!all) reader.take("DISTINCT");
    left = { kind: "set", at, op, all, left, right: parseSetOperations(parser, PRECEDENCE[op] + 1) };
  }
  return left;
}

function seesSetOperator({ reader }: Parser): SetOperation["op"] | undefined {
  const word = wordOf(reader.peek());
  if (word === "MINUS") return "EXCEPT";
  return word === "UNION" || word === "INTERSECT" || word === "EXCEPT" ? word : undefined;
}

function parseTerm(parser: Parser): QueryBody {
  const { reader } = parser;
  switch (wordOf(reader.peek())) {
    case "SELECT":
      return parseSelect(parser);
    case "VALUES":
      return parseValues(parser);
    case "FROM":
      throw unsupported(parser, "A query that begins with FROM", "Begin with SELECT.");
    case "TABLE":
      throw unsupported(parser, "TABLE t", "Write SELECT * FROM t.");
  }
  if (!reader.take("(")) throw unexpected(parser, ["SELECT", "WITH", "VALUES", "("]);
  const query = parseNested(parser);
  close(parser);
  return { kind: "query", query };
}
