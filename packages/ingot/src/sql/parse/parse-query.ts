import type { SqlText } from "../../model/position.js";
import type { Relation } from "../../model/query.js";
import { lex, type Token } from "../lexer.js";
import { isToken, TokenReader } from "../token-reader.js";
import type { Cte, Query, QueryBody, SetOperation } from "./ast.js";
import { checkDepth } from "./check-depth.js";
import { seesQuery, wordOf } from "./keywords.js";
import { parseExpression } from "./parse-expression.js";
import { parseValues } from "./parse-from.js";
import { parseValue } from "./parse-operators.js";
import { parsePipe } from "./parse-pipe.js";
import { parseFromFirst, parseSelect } from "./parse-select.js";
import { parseTable } from "./parse-table.js";
import { parseDirection, parseSortKey } from "./parse-window.js";
import { close, deeper, offsetOf, type Parser, problem, readList, unexpected, unsupported } from "./parser.js";
import { selectAll } from "./select-all.js";

/** A query before the schemas of what it reads are known. */
export interface ParsedQuery {
  readonly sql: SqlText;
  readonly query: Query;
  /** What it reads, CTEs left out, in the order of the text. */
  readonly relations: readonly Relation[];
  readonly tokens: readonly Token[];
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
  return { sql, query, relations: parser.relations, tokens };
}

/** A query with its WITH and its tail. */
function parseNested(outer: Parser): Query {
  const at = offsetOf(outer);
  const { ctes, parser } = parseCtes(deeper(outer));
  const body = parseSetOperations(parser);
  const { reader } = parser;
  const order = parseOrder(parser);
  const limit = reader.take("LIMIT") && !reader.take("ALL") ? parseExpression(parser) : undefined;
  const offset = reader.take("OFFSET") ? parseExpression(parser) : undefined;
  return {
    at,
    ctes,
    body,
    ...order,
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
  };
}

/**
 * ORDER BY, SORT BY, DISTRIBUTE BY, CLUSTER BY. An order within the parts of a cluster is any order of the whole that
 * keeps it: here the whole is sorted.
 */
function parseOrder(parser: Parser): Pick<Query, "orderBy" | "orderByAll" | "distributeBy"> {
  const { reader } = parser;
  const list = <T>(rule: (parser: Parser) => T) => readList(parser, rule);
  if (reader.take("CLUSTER", "BY"))
    return { orderBy: list((p) => ({ expression: p.rules.expression(p), descending: false })) };
  const distributeBy = reader.take("DISTRIBUTE", "BY") ? list((p) => p.rules.expression(p)) : undefined;
  const distributed = distributeBy === undefined ? {} : { distributeBy };
  if (reader.take("SORT", "BY")) return { orderBy: list(parseSortKey), ...distributed };
  if (distributeBy !== undefined || !reader.take("ORDER", "BY")) return { orderBy: [], ...distributed };
  const all = reader.sees("ALL") && !["operator", "string"].includes(reader.peek(1)?.kind ?? "");
  if (!all) return { orderBy: list(parseSortKey) };
  reader.take("ALL");
  return { orderBy: [], orderByAll: parseDirection(parser) };
}

/** `WITH name [(columns)] [AS] (query), …`: each sees those before it. */
function parseCtes(outer: Parser): { readonly ctes: readonly Cte[]; readonly parser: Parser } {
  const { reader } = outer;
  const ctes: Cte[] = [];
  let parser = outer;
  if (!reader.take("WITH")) return { ctes, parser };
  const recursive = reader.sees("RECURSIVE") && reader.peek(1)?.kind !== "operator" && reader.take("RECURSIVE");
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
    const cte = recursive
      ? parseRecursive(parser, { at, name, columns })
      : { at, name, columns, query: parseNested(parser) };
    close(parser);
    ctes.push(cte);
    parser = { ...parser, ctes: new Map([...parser.ctes, [key, cte]]) };
  } while (reader.take(","));
  return { ctes, parser };
}

/** A CTE that is in sight of its own query. */
function parseRecursive(parser: Parser, named: Pick<Cte, "at" | "name" | "columns">): Cte {
  const cte: { -readonly [K in keyof Cte]: Cte[K] } = {
    ...named,
    recursive: true,
    query: { at: named.at, ctes: [], orderBy: [], body: { kind: "values", at: named.at, rows: [] } },
  };
  cte.query = parseNested({ ...parser, ctes: new Map([...parser.ctes, [named.name.toLowerCase(), cte]]) });
  return cte;
}

/** INTERSECT binds tighter than UNION and EXCEPT; all group to the left. */
const PRECEDENCE: Readonly<Record<SetOperation["op"], number>> = { INTERSECT: 2, UNION: 1, EXCEPT: 1 };

function parseSetOperations(parser: Parser, weakest = 1): QueryBody {
  const { reader } = parser;
  const at = offsetOf(parser);
  const term = parseTerm(parser);
  let left = weakest === 1 ? parsePipes(parser, term) : term;
  for (let op = seesSetOperator(parser); op !== undefined && PRECEDENCE[op] >= weakest; op = seesSetOperator(parser)) {
    reader.index += 1;
    const all = reader.take("ALL");
    if (!all) reader.take("DISTINCT");
    left = { kind: "set", at, op, all, left, right: parseSetOperations(parser, PRECEDENCE[op] + 1) };
    if (weakest === 1) left = parsePipes(parser, left);
  }
  return left;
}

/** `|> operator`, as often as it stands; a set operator after `|>` is what it is without. */
function parsePipes(parser: Parser, first: QueryBody): QueryBody {
  let body = first;
  while (parser.reader.take("|>") && seesSetOperator(parser) === undefined) body = parsePipe(parser, body);
  return body;
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
      return parseFromFirst(parser);
    case "TABLE": {
      const at = offsetOf(parser);
      reader.take("TABLE");
      return selectAll(at, parseTable(parser));
    }
  }
  if (!reader.take("(")) throw unexpected(parser, ["SELECT", "WITH", "VALUES", "("]);
  const query = parseNested(parser);
  close(parser);
  return { kind: "query", query };
}
