import { isToken } from "../token-reader.js";
import type { Expression, Like } from "./ast.js";
import { closing, hasKeyword, seesQuery, wordOf } from "./keywords.js";
import { close, deeper, offsetOf, type Parser, readGroup, readText, unexpected, unsupported } from "./parser.js";

/** `booleanExpression` of Spark's grammar: OR, AND, NOT, EXISTS and the predicates after a value. */
export function parseExpression(parser: Parser): Expression {
  return parseChain(parser, "OR", () => parseChain(parser, "AND", () => parseNot(parser)));
}

function parseChain(parser: Parser, op: "AND" | "OR", parseOperand: () => Expression): Expression {
  const first = parseOperand();
  const rest: Expression[] = [];
  while (parser.reader.take(op)) rest.push(parseOperand());
  return balance(op, first, rest);
}

/**
 * A chain as Spark builds it (`AstBuilder.visitLogicalBinary`): halved again and again, so that a long one is not deep.
 * Its shape shows in the names of columns: `((a AND b) AND (c AND d))`.
 */
function balance(op: "AND" | "OR", first: Expression, rest: readonly Expression[]): Expression {
  const half = Math.floor(rest.length / 2);
  const [middle, ...last] = rest.slice(half);
  if (middle === undefined) return first;
  const left = balance(op, first, rest.slice(0, half));
  return { kind: "binary", at: left.at, op, left, right: balance(op, middle, last) };
}

function not(operand: Expression, at = operand.at): Expression {
  return { kind: "unary", at, op: "NOT", operand };
}

function parseNot(parser: Parser): Expression {
  const { reader } = parser;
  const at = offsetOf(parser);
  if (reader.take("NOT") || reader.take("!")) return not(parseNot(deeper(parser)), at);
  if (reader.sees("EXISTS", "(") && seesQuery(reader, 2)) {
    reader.take("EXISTS", "(");
    const query = parser.rules.query(parser);
    close(parser);
    return { kind: "exists", at, query };
  }
  return parsePredicate(parser, parser.rules.value(parser));
}

const NEGATABLE = new Set(["BETWEEN", "IN", "LIKE", "ILIKE", "RLIKE", "REGEXP"]);

/** At most one predicate follows a value. */
function parsePredicate(parser: Parser, operand: Expression): Expression {
  const { reader } = parser;
  const negated = reader.sees("NOT") && NEGATABLE.has(wordOf(reader.peek(1)));
  if (negated) reader.take("NOT");
  const word = wordOf(reader.peek());
  if (word === "IS") return parseIs(parser, operand);
  if (!NEGATABLE.has(word)) return operand;
  const predicate = parseNegatable(parser, operand, word, negated);
  return negated && predicate.kind !== "like-list" ? not(predicate) : predicate;
}

function parseNegatable(parser: Parser, operand: Expression, word: string, negated: boolean): Expression {
  const { reader } = parser;
  reader.index += 1;
  switch (word) {
    case "BETWEEN":
      return parseBetween(parser, operand);
    case "IN":
      return parseIn(parser, operand);
    case "RLIKE":
    case "REGEXP": {
      const args = [operand, parser.rules.value(parser)].map((expression) => ({ expression }));
      return { kind: "call", at: operand.at, name: "rlike", args, star: false, distinct: false };
    }
    default:
      return parseLikeList(parser, operand, word === "ILIKE", negated) ?? parseLike(parser, operand, word === "ILIKE");
  }
}

function parseBetween(parser: Parser, operand: Expression): Expression {
  const low = parser.rules.value(parser);
  if (!parser.reader.take("AND")) throw unexpected(parser, ["AND"]);
  const args = [operand, low, parser.rules.value(parser)].map((expression) => ({ expression }));
  return { kind: "call", at: operand.at, name: "between", args, star: false, distinct: false };
}

function parseIn(parser: Parser, operand: Expression): Expression {
  const { reader } = parser;
  // `IN ((SELECT 1))` is a list of one value.
  const isList = reader.sees("(", "(") && isToken(reader.peek(closing(reader, 1) + 1), ")");
  if (isList || !seesQuery(reader, 1)) {
    const inner = deeper(parser);
    return { kind: "in-list", at: operand.at, operand, list: readGroup(inner, inner.rules.expression) };
  }
  // Spark reads these as the values of functions that are called `select` and `values`.
  const first = reader.peek(2);
  const isCall = first?.kind === "string" || (first?.kind === "operator" && first.text !== "*");
  if (isCall && ["SELECT", "VALUES"].includes(wordOf(reader.peek(1))) && !hasKeyword(reader, 0, "FROM"))
    throw unsupported(parser, "IN with a subquery that reads nothing", "Write the values: IN (1, 2).");
  reader.expect("(");
  const query = parser.rules.query(parser);
  close(parser);
  return { kind: "in-query", at: operand.at, operand, query };
}

/** `LIKE ANY (…)`, `LIKE SOME (…)`, `LIKE ALL (…)` */
function parseLikeList(parser: Parser, operand: Expression, anyCase: boolean, negated: boolean) {
  const { reader } = parser;
  const quantifier = wordOf(reader.peek());
  if (!["ANY", "SOME", "ALL"].includes(quantifier) || !isToken(reader.peek(1), "(")) return undefined;
  reader.index += 1;
  const patterns = readGroup(deeper(parser), parser.rules.expression);
  const all = quantifier === "ALL";
  return { kind: "like-list", at: operand.at, operand, patterns, all, negated, anyCase } as const;
}

function parseLike(parser: Parser, operand: Expression, anyCase: boolean): Expression {
  const { reader } = parser;
  const pattern = parser.rules.value(parser);
  const like: Like = { kind: "like", at: operand.at, operand, pattern, ...(anyCase ? { anyCase } : {}) };
  return reader.take("ESCAPE") ? { ...like, escapeChar: readText(reader) } : like;
}

function parseIs(parser: Parser, operand: Expression): Expression {
  const { reader } = parser;
  const { at } = operand;
  reader.take("IS");
  const negated = reader.take("NOT");
  if (reader.take("NULL")) return { kind: "is-null", at, negated, operand };
  if (reader.take("UNKNOWN")) return { kind: "is-null", at, negated, operand };
  // IS DISTINCT FROM is the negation of `<=>`, IS TRUE is `<=> true`.
  const isDistinct = reader.take("DISTINCT", "FROM");
  const right = isDistinct ? parser.rules.value(parser) : parseTruth(parser);
  const same: Expression = { kind: "binary", at, op: "<=>", left: operand, right };
  return negated === isDistinct ? same : not(same);
}

function parseTruth(parser: Parser): Expression {
  const { reader } = parser;
  const at = offsetOf(parser);
  for (const value of ["TRUE", "FALSE"] as const)
    if (reader.take(value)) return { kind: "literal", at, type: "boolean", value: value.toLowerCase() };
  throw unexpected(parser, ["NULL", "TRUE", "FALSE", "DISTINCT FROM"]);
}
