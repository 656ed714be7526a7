import type { BinaryOperator, Expression } from "./ast.js";
import {
  before,
  clauseName,
  expectToken,
  type Foreign,
  firstSpan,
  indexOf,
  list,
  type Mapped,
  mapExpression,
  offsetOf,
  part,
  parts,
  refuse,
  type Source,
  stringAt,
  variant,
  wrap,
} from "./parse-query-foreign.js";
import { isDivision } from "./parse-query-paint.js";

/** What Spark's grammar calls a boolean expression; stronger operators may take one only in parentheses. */
const BOOLEAN = new Set(
  "Between InList InSubquery Like IsNull IsNotNull IsDistinctFrom IsNotDistinctFrom Exists".split(" "),
);

/** An operand of arithmetic, comparisons and predicates. The foreign parser's precedence is laxer than Spark's. */
export function mapValue(source: Source, node: unknown): Mapped {
  const [kind, inner] = variant(node);
  const op = (inner as Foreign | undefined)?.["op"];
  if (BOOLEAN.has(kind) || op === "And" || op === "Or" || op === "Not") {
    const index = firstSpan(source, node) ?? 0;
    throw refuse(source, index, "A condition as an operand", "Put the condition in parentheses.");
  }
  return source.mapNode(source, node);
}

const UNARY: Readonly<Record<string, "-" | "+" | "NOT">> = { Minus: "-", Plus: "+", Not: "NOT" };

export function mapUnary(source: Source, node: Foreign): Mapped {
  const op = UNARY[String(node["op"])];
  if (op === undefined)
    throw refuse(source, firstSpan(source, node) ?? 0, `The operator ${clauseName(String(node["op"]))}`);
  const operand = op === "NOT" ? source.mapNode(source, node["expr"]) : mapValue(source, node["expr"]);
  if (op !== "NOT" && variant(node["expr"])[0] === "BinaryOp")
    throw refuse(source, operand.first - 1, `${op} before an operation`, "Put the operation in parentheses.");
  const { first } = before(source, operand, op);
  const at = offsetOf(source, first);
  const negative = op === "-" && variant(node["expr"])[0] !== "Nested" ? negate(operand.expression, at) : undefined;
  return { first, expression: negative ?? { kind: "unary", at, op, operand: operand.expression } };
}

/** Spark's grammar makes the minus part of a number, also of the number in `-1::STRING`. */
function negate(expression: Expression, at: number): Expression | undefined {
  if (expression.kind === "literal" && expression.type === "number" && !expression.value.startsWith("-"))
    return { ...expression, at, value: `-${expression.value}` };
  if (expression.kind !== "cast" || expression.at !== expression.operand.at) return undefined;
  const operand = negate(expression.operand, at);
  return operand === undefined ? undefined : { ...expression, at, operand };
}

const OPERATORS: Readonly<Record<string, BinaryOperator>> = {
  Plus: "+",
  Minus: "-",
  Multiply: "*",
  Divide: "/",
  Modulo: "%",
  StringConcat: "||",
  Eq: "=",
  NotEq: "<>",
  Lt: "<",
  LtEq: "<=",
  Gt: ">",
  GtEq: ">=",
  Spaceship: "<=>",
};
/** Spark's precedence (`valueExpression` in its grammar); || stands beside + and -, other than in the foreign parser. */
const PRECEDENCE: Readonly<Record<string, number>> = { "*": 3, "/": 3, "%": 3, DIV: 3, "+": 2, "-": 2, "||": 2 };

/** A chain of operators without parentheses, taken apart in the order of the text and built by Spark's precedence. */
export function mapOperators(source: Source, node: unknown): Mapped {
  const operands: Mapped[] = [];
  const operators: BinaryOperator[] = [];
  const flatten = (part: unknown): void => {
    const [kind, inner] = variant(part);
    const { op, left, right } = inner as Foreign;
    if (kind !== "BinaryOp" || op === "And" || op === "Or") {
      const operand = mapValue(source, part);
      if (operands.length > 0) operators.push(operatorBefore(source, operand.first));
      operands.push(operand);
      return;
    }
    if (OPERATORS[String(op)] === undefined)
      throw refuse(source, firstSpan(source, right) ?? 0, `The operator ${clauseName(String(op))}`);
    flatten(left);
    flatten(right);
  };
  flatten(node);
  const climb = (minimum: number): Mapped => {
    let left = operands.shift() as Mapped;
    for (let op = operators[0]; op !== undefined && (PRECEDENCE[op] ?? 1) >= minimum; op = operators[0]) {
      operators.shift();
      left = binary(left, op, climb((PRECEDENCE[op] ?? 1) + 1));
    }
    return left;
  };
  return climb(1);
}

function operatorBefore(source: Source, first: number): BinaryOperator {
  const { tokens } = source.reader;
  const text = tokens[first - 1]?.text ?? "";
  if (isDivision(tokens, first - 1)) return "DIV";
  const op = Object.values(OPERATORS).find((o) => o === text);
  if (op !== undefined) return op;
  if (text === "!=") return "<>";
  if (text === "==") return "=";
  throw refuse(source, first - 1, `The operator ${text}`);
}

function binary(left: Mapped, op: BinaryOperator, right: Mapped): Mapped {
  return wrap(left, (l, at) => ({ kind: "binary", at, op, left: l, right: right.expression }));
}

export function mapLogic(source: Source, node: Foreign): Mapped {
  const op = node["op"] === "And" ? "AND" : "OR";
  const left = source.mapNode(source, node["left"]);
  const right = source.mapNode(source, node["right"]);
  expectToken(source, right.first - 1, op);
  return binary(left, op, right);
}

export function mapDistinctFrom(source: Source, sides: readonly unknown[], negated: boolean): Mapped {
  const [left, right] = sides;
  // The foreign parser takes all that follows for the right side, an AND or OR included.
  const op = (variant(right)[1] as Foreign | undefined)?.["op"];
  if (op === "And" || op === "Or") {
    const index = firstSpan(source, right) ?? 0;
    throw refuse(source, index, `IS DISTINCT FROM before ${clauseName(op)}`, "Put (x IS DISTINCT FROM y) in parentheses.");
  }
  const same = binary(mapValue(source, left), "<=>", mapValue(source, right));
  return negated ? wrap(same, (operand, at) => ({ kind: "unary", at, op: "NOT", operand })) : same;
}

export function mapBetween(source: Source, node: Foreign): Mapped {
  const operand = mapValue(source, node["expr"]);
  const args = [operand, mapValue(source, node["low"]), mapValue(source, node["high"])];
  const between = wrap(operand, (_, at) => ({
    kind: "call",
    at,
    name: "between",
    args: args.map(({ expression }) => ({ expression })),
    star: false,
    distinct: false,
  }));
  return node["negated"] === true ? wrap(between, (o, at) => ({ kind: "unary", at, op: "NOT", operand: o })) : between;
}

export function mapIn(source: Source, kind: string, node: Foreign): Mapped {
  const operand = mapValue(source, node["expr"]);
  const negated = node["negated"] === true;
  if (kind === "InSubquery") {
    const query = source.mapQuery(source, node["subquery"]);
    return wrap(operand, (o, at) => ({ kind: "in-query", at, negated, operand: o, query }));
  }
  const items = list(node["list"]).map((item) => mapExpression(source, item));
  return wrap(operand, (o, at) => ({ kind: "in-list", at, negated, operand: o, list: items }));
}

export function mapLike(source: Source, node: Foreign): Mapped {
  const operand = mapValue(source, node["expr"]);
  parts(source, node, ["expr", "pattern", "negated", "escape_char"], operand.first);
  const pattern = mapValue(source, node["pattern"]).expression;
  const escapeChar = part(node, "escape_char");
  return wrap(operand, (o, at) => ({
    kind: "like",
    at,
    negated: node["negated"] === true,
    operand: o,
    pattern,
    ...(escapeChar === undefined ? {} : { escapeChar: stringAt(source, indexOf(source, escapeChar)) }),
  }));
}
