import { readType } from "../ddl-types.js";
import { isToken } from "../token-reader.js";
import type { Argument, Call, Expression, SortKey } from "./ast.js";
import { closing, hasKeyword, seesValueName, wordOf } from "./keywords.js";
import { parseIdentifier } from "./parse-identifier.js";
import { parseKeywordCall } from "./parse-keyword-call.js";
import { parseStar } from "./parse-star.js";
import { parseSortKey, parseWindow } from "./parse-window.js";
import {
  close,
  deeper,
  offsetOf,
  type Parser,
  readColumn,
  readGroup,
  readList,
  unexpected,
  unsupported,
} from "./parser.js";

/** A name and its parentheses: a function, or one of the forms with a syntax of their own. */
export function parseCall(outer: Parser): Expression {
  const parser = deeper(outer);
  const { reader } = parser;
  const at = offsetOf(parser);
  const word = wordOf(reader.peek());
  if ((word === "CAST" || word === "TRY_CAST") && hasKeyword(reader, 1, "AS")) return parseCast(parser, at);
  if (word === "IDENTIFIER") {
    const path = parseIdentifier(parser);
    if (path === undefined || reader.sees("("))
      throw unsupported(parser, "IDENTIFIER as a function", "Write its name.");
    return { kind: "column", at, path };
  }
  const special = parseKeywordCall(parser, at, word);
  if (special !== undefined) return special;
  const name = reader.readName();
  const call = { kind: "call", at, name, ...parseArguments(parser, word) } as const;
  return parseSuffixes(parser, withUnit(call));
}

function parseCast(parser: Parser, at: number): Expression {
  const { reader } = parser;
  const isTry = reader.sees("TRY_CAST");
  reader.index += 2;
  const operand = parser.rules.expression(parser);
  if (!reader.take("AS")) throw unexpected(parser, ["AS"]);
  const type = readType(reader);
  if (!reader.take(")")) throw unexpected(parser, [")"]);
  return { kind: "cast", at, operand, type, try: isTry };
}

type Arguments = Pick<Call, "args" | "star" | "distinct">;

function parseArguments(parser: Parser, word: string): Arguments {
  const { reader } = parser;
  reader.expect("(");
  if (reader.take(")")) return { args: [], star: false, distinct: false };
  const isLast = isToken(reader.peek(1), ")") || isToken(reader.peek(1), ",");
  const distinct = !isLast && reader.take("DISTINCT");
  if (!isLast && !distinct) reader.take("ALL");
  // Of `count`, a star alone is no column.
  const star = word === "COUNT" && !distinct && reader.take("*", ")");
  if (star) return { args: [], star, distinct };
  const args = readList(parser, word === "STRUCT" ? parseField : parseArgument);
  close(parser);
  return { args, star, distinct };
}

function parseArgument(parser: Parser): Argument {
  const { reader } = parser;
  const star = parseStar(parser);
  if (star !== undefined) return { expression: star };
  if (!isToken(reader.peek(1), "=>") || !seesValueName(reader)) return { expression: parseValueOrLambda(parser) };
  const name = reader.readName();
  reader.take("=>");
  return { expression: parseValueOrLambda(parser), name, keyword: true };
}

function parseValueOrLambda(parser: Parser): Expression {
  const { reader } = parser;
  const at = offsetOf(parser);
  const isOne = isToken(reader.peek(1), "->") && seesValueName(reader);
  const isGroup = reader.sees("(") && isToken(reader.peek(closing(reader, 0) + 1), "->");
  if (!isOne && !isGroup) return parser.rules.expression(parser);
  const parameters = isOne ? [readColumn(parser)] : readGroup(parser, readColumn);
  reader.take("->");
  return { kind: "lambda", at, parameters, body: parser.rules.expression(deeper(parser)) };
}

/** `struct(a, b AS c, d e)` */
function parseField(parser: Parser): Argument {
  const { reader } = parser;
  const argument = parseArgument(parser);
  const named = reader.take("AS") || reader.peek()?.kind === "word" || reader.peek()?.kind === "quoted";
  return named ? { ...argument, name: reader.readIdentifier("a field") } : argument;
}

const WITH_UNIT = new Set("TIMESTAMPADD DATEADD DATE_ADD TIMESTAMPDIFF DATEDIFF DATE_DIFF TIMEDIFF".split(" "));

/** `dateadd(DAY, 1, x)`: the unit, a word that is no column, becomes a text. */
function withUnit(call: Call): Call {
  const [unit, ...rest] = call.args;
  if (!WITH_UNIT.has(call.name.toUpperCase()) || rest.length !== 2 || unit?.expression.kind !== "column") return call;
  const { at, path } = unit.expression;
  return { ...call, args: [{ expression: { kind: "literal", at, type: "string", value: path.join(".") } }, ...rest] };
}

/** WITHIN GROUP, FILTER, IGNORE NULLS and OVER. */
function parseSuffixes(parser: Parser, call: Call): Call {
  const { reader } = parser;
  let within: readonly SortKey[] | undefined;
  if (reader.take("WITHIN", "GROUP", "(", "ORDER", "BY")) {
    within = readList(parser, parseSortKey);
    close(parser);
  }
  let filter: Expression | undefined;
  if (reader.take("FILTER", "(", "WHERE")) {
    filter = parser.rules.expression(parser);
    if (!reader.take(")")) throw unexpected(parser, [")"]);
  }
  const ignoreNulls = reader.take("IGNORE", "NULLS");
  if (!ignoreNulls) reader.take("RESPECT", "NULLS");
  const next = reader.peek(1);
  const isWindow = reader.sees("OVER") && (isToken(next, "(") || next?.kind === "word" || next?.kind === "quoted");
  if (isWindow) reader.take("OVER");
  return {
    ...call,
    ...(within === undefined ? {} : { within }),
    ...(filter === undefined ? {} : { filter }),
    ...(ignoreNulls ? { ignoreNulls } : {}),
    ...(isWindow ? { over: parseWindow(parser, call.at) } : {}),
  };
}
