import { readType } from "../ddl-types.js";
import { isToken } from "../token-reader.js";
import type { Argument, Expression, Literal } from "./ast.js";
import { closing, seesColumnAlias, seesQuery, seesValueName, wordOf } from "./keywords.js";
import { parseCall } from "./parse-call.js";
import { parseInterval, seesInterval } from "./parse-interval.js";
import { parseJsonPath } from "./parse-json-path.js";
import {
  close,
  deeper,
  offsetOf,
  type Parser,
  problem,
  readList,
  readText,
  unexpected,
  unsupported,
} from "./parser.js";

/** An operand and what follows it: `.field`, `[index]`, `::type`, `:path`. */
export function parsePrimary(parser: Parser): Expression {
  return parsePostfix(parser, parseOperand(parser));
}

/** A minus before a number is a part of it. */
function parseNumber(parser: Parser): Literal {
  const at = offsetOf(parser);
  const sign = parser.reader.take("-") ? "-" : "";
  const text = parser.reader.peek()?.text.toUpperCase() ?? "";
  parser.reader.index += 1;
  return { kind: "literal", at, type: "number", value: `${sign}${text}` };
}

function parseOperand(parser: Parser): Expression {
  const { reader } = parser;
  const at = offsetOf(parser);
  const token = reader.peek();
  if (reader.sees("-") && reader.peek(1)?.kind === "number") return parseNumber(parser);
  switch (token?.kind) {
    case "number":
      return parseNumber(parser);
    case "string":
      return { kind: "literal", at, type: "string", value: readText(reader) };
    case "binary":
      reader.index += 1;
      return { kind: "literal", at, type: "binary", value: token.text.slice(2, -1) };
    case "word":
      return parseWord(parser, at);
    case "quoted":
      return parseName(parser, at);
    default:
      if (reader.sees("(")) return parseParentheses(parser);
      if (reader.sees("*")) throw unsupported(parser, "A star within an expression", "Name the columns.");
      throw unexpected(parser, ["an expression"]);
  }
}

const TYPED: Readonly<Record<string, Literal["type"]>> = {
  DATE: "date",
  TIMESTAMP: "timestamp",
  TIMESTAMP_LTZ: "timestamp",
  TIMESTAMP_NTZ: "timestamp_ntz",
  X: "binary",
};

function parseWord(parser: Parser, at: number): Expression {
  const { reader } = parser;
  const word = wordOf(reader.peek());
  const next = reader.peek(1);
  if (word === "NULL" || word === "TRUE" || word === "FALSE") {
    reader.index += 1;
    if (word === "NULL") return { kind: "literal", at, type: "null", value: word };
    return { kind: "literal", at, type: "boolean", value: word.toLowerCase() };
  }
  if (word === "CASE" && !isNameOnly(parser)) return parseCase(parser, at);
  if (word === "INTERVAL" && seesInterval(parser)) return parseInterval(parser);
  if (word === "CURRENT_PATH") throw unsupported(parser, word, "Leave it out.");
  if (!seesValueName(reader)) throw unexpected(parser, ["an expression"]);
  return next?.kind === "string" ? parseTyped(parser, at, word) : parseName(parser, at);
}

/** Whether CASE is a column: no operand follows. */
function isNameOnly({ reader }: Parser): boolean {
  const next = reader.peek(1);
  if (next?.kind === "operator") return !["(", "-", "+", "~", "!"].includes(next.text);
  return next === undefined || wordOf(next) === "FROM" || wordOf(next) === "AS";
}

/** `DATE '2026-10-01'`: one string, which no other may follow. */
function parseTyped(parser: Parser, at: number, word: string): Expression {
  const { reader } = parser;
  const type = Object.hasOwn(TYPED, word) ? TYPED[word] : undefined;
  if (word === "TIME") throw unsupported(parser, "The literal TIME '…'", "Keep the time of day as STRING.");
  if (type === undefined)
    throw problem(
      parser,
      "PARSE_SYNTAX_ERROR",
      `There is no literal ${word} '…'`,
      "Before a string stands DATE or TIMESTAMP.",
    );
  reader.index += 1;
  return { kind: "literal", at, type, value: reader.readString() };
}

/** A column or a call; the parts of a path follow as fields. */
function parseName(parser: Parser, at: number): Expression {
  const { reader } = parser;
  if (isToken(reader.peek(1), "(")) return parseCall(parser);
  return { kind: "column", at, path: [reader.readName()] };
}

function parsePostfix(parser: Parser, first: Expression): Expression {
  const { reader } = parser;
  let operand = first;
  for (;;) {
    const { at } = first;
    if (reader.take(".")) {
      if (reader.sees("*")) throw unsupported(parser, "A star within an expression", "Name the columns.");
      const field = reader.readName("a field");
      if (operand.kind !== "column") operand = { kind: "field", at, operand, field };
      else if (reader.sees("(")) throw unsupported(parser, "A function with a qualified name", "Use its name alone.");
      else operand = { kind: "column", at, path: [...operand.path, field] };
    } else if (reader.take("[")) {
      const index = deeper(parser).rules.value(deeper(parser));
      if (!reader.take("]")) throw unexpected(parser, ["]"]);
      operand = { kind: "subscript", at, operand, index };
    } else if (reader.take("::")) {
      operand = { kind: "cast", at, operand, type: readType(reader), try: false };
    } else if (reader.take(":")) {
      operand = parseJsonPath(parser, operand);
    } else if (reader.sees("COLLATE") && ["word", "quoted"].includes(reader.peek(1)?.kind ?? "")) {
      throw unexpected(parser, []);
    } else return operand;
  }
}

function parseParentheses(parser: Parser): Expression {
  const { reader } = parser;
  const at = offsetOf(parser);
  const isQuery = seesQuery(reader, 1);
  const isLambda = isToken(reader.peek(closing(reader, 0) + 1), "->");
  if (isLambda) throw unsupported(parser, "A lambda that is no argument", "Lambdas stand in transform, filter, ….");
  reader.take("(");
  const inner = deeper(parser);
  if (isQuery) {
    const query = inner.rules.query(inner);
    close(parser);
    return { kind: "scalar-query", at, query };
  }
  const first = parseRowValue(inner);
  if (first.name === undefined && reader.take(")")) return first.expression;
  if (!reader.take(",")) throw unexpected(parser, [",", ")"]);
  const args = [first, ...readList(inner, parseRowValue)];
  close(parser);
  return { kind: "row", at, args };
}

/** A value of a row, with its name. */
function parseRowValue(parser: Parser): Argument {
  const { reader } = parser;
  const expression = parser.rules.expression(parser);
  if (!reader.take("AS") && !seesColumnAlias(reader)) return { expression };
  return { expression, name: reader.readIdentifier("a field") };
}

function parseCase(parser: Parser, at: number): Expression {
  const { reader } = parser;
  const inner = deeper(parser);
  const expression = () => inner.rules.expression(inner);
  reader.take("CASE");
  const operand = reader.sees("WHEN") ? undefined : expression();
  const branches = [];
  while (reader.take("WHEN")) {
    const condition = expression();
    if (!reader.take("THEN")) throw unexpected(parser, ["THEN"]);
    branches.push({ condition, result: expression() });
  }
  if (branches.length === 0) throw unexpected(parser, ["WHEN"]);
  const otherwise = reader.take("ELSE") ? expression() : undefined;
  if (!reader.take("END")) throw unexpected(parser, otherwise === undefined ? ["WHEN", "ELSE", "END"] : ["END"]);
  return {
    kind: "case",
    at,
    branches,
    ...(operand === undefined ? {} : { operand }),
    ...(otherwise === undefined ? {} : { otherwise }),
  };
}
