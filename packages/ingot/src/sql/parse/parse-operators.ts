import type { Token } from "../lexer.js";
import { isToken } from "../token-reader.js";
import type { BinaryOperator, Expression } from "./ast.js";
import { wordOf } from "./keywords.js";
import { parsePrimary } from "./parse-primary.js";
import { deeper, offsetOf, type Parser } from "./parser.js";

interface Infix {
  /** Greater binds tighter: the order of `valueExpression` in Spark's grammar. */
  readonly precedence: number;
  readonly op: BinaryOperator;
}

const infix = (precedence: number, ...ops: readonly (readonly [string, BinaryOperator])[]) =>
  ops.map(([text, op]) => [text, { precedence, op }] as const);

const INFIX: ReadonlyMap<string, Infix> = new Map([
  ...infix(7, ["*", "*"], ["/", "/"], ["%", "%"], ["DIV", "DIV"]),
  ...infix(6, ["+", "+"], ["-", "-"], ["||", "||"]),
  ...infix(5, ["<<", "<<"], [">>", ">>"], [">>>", ">>>"]),
  ...infix(4, ["&", "&"]),
  ...infix(3, ["^", "^"]),
  ...infix(2, ["|", "|"]),
  ...infix(1, ["=", "="], ["==", "="], ["<>", "<>"], ["!=", "<>"], ["<=>", "<=>"], ["<", "<"], [">", ">"]),
  ...infix(1, ["<=", "<="], ["!>", "<="], [">=", ">="], ["!<", ">="]),
]);

/** A value: operands and operators, comparisons being the weakest; all group to the left. */
export function parseValue(parser: Parser, weakest = 1): Expression {
  let left = parseUnary(parser);
  for (let next = seesInfix(parser); next !== undefined && next.precedence >= weakest; next = seesInfix(parser)) {
    // The lexer gives >> as two tokens, since they also close nested types.
    parser.reader.index += next.op.startsWith(">>") ? next.op.length : 1;
    const right = parseValue(parser, next.precedence + 1);
    left = { kind: "binary", at: left.at, op: next.op, left, right };
  }
  return left;
}

function seesInfix(parser: Parser): Infix | undefined {
  const { reader } = parser;
  const token = reader.peek();
  const next = reader.peek(1);
  if (token?.kind !== "operator") return wordOf(token) === "DIV" && !isLastWord(parser) ? INFIX.get("DIV") : undefined;
  if (token.text !== ">" || !isNext(token, next)) return INFIX.get(token.text);
  return INFIX.get(isNext(next, reader.peek(2)) ? ">>>" : ">>");
}

function isNext(token: Token | undefined, next: Token | undefined): boolean {
  return isToken(next, ">") && next?.start === token?.end;
}

/** Whether DIV is the name of what stands before it: nothing follows that it could divide by. */
function isLastWord({ reader }: Parser): boolean {
  const next = reader.peek(1);
  if (next?.kind === "operator") return !["(", "-", "+", "~"].includes(next.text);
  return next === undefined;
}

/** A sign binds tighter than all operators, and is a part of the number that it stands before. */
function parseUnary(parser: Parser): Expression {
  const { reader } = parser;
  const at = offsetOf(parser);
  if (reader.peek(1)?.kind === "number" && reader.sees("-")) return parsePrimary(parser);
  for (const op of ["-", "+", "~"] as const)
    if (reader.take(op)) return { kind: "unary", at, op, operand: parseUnary(deeper(parser)) };
  return parsePrimary(parser);
}
