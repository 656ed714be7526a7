import { readType } from "../ddl-types.js";
import { isToken } from "../token-reader.js";
import type { Argument, Call, Expression } from "./ast.js";
import { hasKeyword, seesValueName, wordOf } from "./keywords.js";
import { parseKeywordCall } from "./parse-keyword-call.js";
import { parseWindow } from "./parse-window.js";
import { close, deeper, indexAt, offsetOf, type Parser, problem, readList, unexpected, unsupported } from "./parser.js";

/** A name and its parentheses: a function, or one of the forms with a syntax of their own. */
export function parseCall(outer: Parser): Expression {
  const parser = deeper(outer);
  const { reader } = parser;
  const at = offsetOf(parser);
  const word = wordOf(reader.peek());
  if ((word === "CAST" || word === "TRY_CAST") && hasKeyword(reader, 1, "AS")) return parseCast(parser, at);
  if (word === "IDENTIFIER") throw unsupported(parser, "IDENTIFIER (…)", "Write the name itself.");
  const special = parseKeywordCall(parser, at, word);
  if (special !== undefined) return special;
  const name = reader.readName();
  const call = { kind: "call", at, name, ...parseArguments(parser, word) } as const;
  refuseUnit(parser, call);
  return parseSuffixes(parser, call);
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
  const star = reader.sees("*");
  if (star) {
    if (word === "STRUCT") throw unsupported(parser, "struct(*)", "Name the columns.");
    reader.take("*");
    if (reader.sees(",")) throw unsupported(parser, "A star beside other arguments", "Name the columns.");
    if (reader.sees("EXCEPT")) throw unsupported(parser, "EXCEPT within a function", "Name the columns.");
  }
  const args = star ? [] : readList(parser, word === "STRUCT" ? parseField : parseArgument);
  close(parser);
  return { args, star, distinct };
}

function parseArgument(parser: Parser): Argument {
  const { reader } = parser;
  if (reader.sees("*")) throw unsupported(parser, "A star beside other arguments", "Name the columns.");
  if (isToken(reader.peek(1), "=>") && seesValueName(reader))
    throw unsupported(parser, "A named argument", "Give the arguments by their place.");
  return { expression: parser.rules.expression(parser) };
}

/** `struct(a, b AS c, d e)` */
function parseField(parser: Parser): Argument {
  const { reader } = parser;
  const argument = parseArgument(parser);
  const named = reader.take("AS") || reader.peek()?.kind === "word" || reader.peek()?.kind === "quoted";
  return named ? { ...argument, name: reader.readIdentifier("a field") } : argument;
}

const WITH_UNIT = new Set("TIMESTAMPADD DATEADD DATE_ADD TIMESTAMPDIFF DATEDIFF DATE_DIFF TIMEDIFF".split(" "));

/** `dateadd(DAY, 1, x)`, whose first argument is no column. */
function refuseUnit(parser: Parser, { name, args, at }: Call): void {
  if (!WITH_UNIT.has(name.toUpperCase()) || args.length !== 3) return;
  const hint = "Use date_add(x, days), add_months(x, months) or datediff(a, b).";
  throw problem(parser, "UNSUPPORTED_FUNCTION", `${name} with a unit is not supported yet`, hint, indexAt(parser, at));
}

/** FILTER, IGNORE NULLS and OVER. */
function parseSuffixes(parser: Parser, call: Call): Call {
  const { reader } = parser;
  if (reader.sees("WITHIN", "GROUP")) throw unexpected(parser, []);
  let filter: Expression | undefined;
  if (reader.take("FILTER", "(", "WHERE")) {
    filter = parser.rules.expression(parser);
    if (!reader.take(")")) throw unexpected(parser, [")"]);
  }
  if (reader.sees("IGNORE", "NULLS")) throw unexpected(parser, []);
  reader.take("RESPECT", "NULLS");
  const next = reader.peek(1);
  const isWindow = reader.sees("OVER") && (isToken(next, "(") || next?.kind === "word" || next?.kind === "quoted");
  if (isWindow) reader.take("OVER");
  return {
    ...call,
    ...(filter === undefined ? {} : { filter }),
    ...(isWindow ? { over: parseWindow(parser, call.at) } : {}),
  };
}
