import type { Query } from "./ast.js";
import { mapCall, mapStruct } from "./parse-query-call.js";
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
  nameOf,
  offsetOf,
  part,
  parts,
  queryStart,
  refuse,
  type Source,
  stringAt,
  variant,
  wrap,
} from "./parse-query-foreign.js";
import {
  mapBetween,
  mapDistinctFrom,
  mapIn,
  mapLike,
  mapLogic,
  mapOperators,
  mapUnary,
  mapValue,
} from "./parse-query-operators.js";
import { isToken } from "./token-reader.js";

export function mapNode(source: Source, node: unknown): Mapped {
  const [kind, inner] = variant(node);
  const foreign = inner as Foreign;
  switch (kind) {
    case "Identifier":
    case "CompoundIdentifier":
      return mapColumn(source, kind === "Identifier" ? [inner] : list(inner));
    case "Value":
      return mapLiteral(source, inner);
    case "TypedString":
      return mapTypedString(source, foreign);
    case "Nested":
      return before(source, mapNode(source, inner), "(");
    case "UnaryOp":
      return mapUnary(source, foreign);
    case "BinaryOp":
      return foreign["op"] === "And" || foreign["op"] === "Or" ? mapLogic(source, foreign) : mapOperators(source, node);
    case "IsNull":
    case "IsNotNull":
      return wrap(mapValue(source, inner), (operand, at) => ({
        kind: "is-null",
        at,
        negated: kind === "IsNotNull",
        operand,
      }));
    case "IsDistinctFrom":
    case "IsNotDistinctFrom":
      return mapDistinctFrom(source, list(inner), kind === "IsDistinctFrom");
    case "Between":
      return mapBetween(source, foreign);
    case "InList":
    case "InSubquery":
      return mapIn(source, kind, foreign);
    case "Like":
      return mapLike(source, foreign);
    case "Case":
      return mapCase(source, foreign);
    case "Cast":
      return mapCast(source, foreign);
    case "Exists":
      return mapExists(source, foreign);
    case "Subquery": {
      const first = queryStart(source, inner) - 1;
      return {
        first,
        expression: { kind: "scalar-query", at: offsetOf(source, first), query: source.mapQuery(source, inner) },
      };
    }
    case "Function":
      return mapCall(source, foreign);
    case "Struct":
      return mapStruct(source, foreign);
    case "CompoundFieldAccess":
      return mapAccess(source, foreign);
    default:
      throw refuse(source, firstSpan(source, node) ?? 0, clauseName(kind));
  }
}

function mapColumn(source: Source, idents: readonly unknown[]): Mapped {
  const first = indexOf(source, idents[0]);
  const path = idents.map((ident) => nameOf(source, ident));
  return { first, expression: { kind: "column", at: offsetOf(source, first), path } };
}

function mapLiteral(source: Source, node: unknown): Mapped {
  const first = indexOf(source, node);
  const at = offsetOf(source, first);
  const token = source.reader.tokens[first];
  const literal = (type: "number" | "string" | "boolean" | "null" | "binary", value: string): Mapped => ({
    first,
    expression: { kind: "literal", at, type, value },
  });
  if (token?.kind === "number") return literal("number", token.text.toUpperCase());
  if (token?.kind === "string") return literal("string", stringAt(source, first));
  if (token?.kind === "binary") return literal("binary", token.text.slice(2, -1));
  const word = token?.text.toUpperCase() ?? "";
  if (word === "NULL") return literal("null", "NULL");
  if (word === "TRUE" || word === "FALSE") return literal("boolean", word.toLowerCase());
  throw refuse(source, first, `The literal ${word}`);
}

const TYPED: Readonly<Record<string, "date" | "timestamp" | "timestamp_ntz">> = {
  DATE: "date",
  TIMESTAMP: "timestamp",
  TIMESTAMP_LTZ: "timestamp",
  TIMESTAMP_NTZ: "timestamp_ntz",
};

function mapTypedString(source: Source, node: Foreign): Mapped {
  const value = indexOf(source, node["value"]);
  const first = value - 1;
  const type = TYPED[source.reader.tokens[first]?.text.toUpperCase() ?? ""];
  if (type === undefined) throw refuse(source, first, `The literal ${source.reader.tokens[first]?.text} '…'`);
  return {
    first,
    expression: { kind: "literal", at: offsetOf(source, first), type, value: stringAt(source, value) },
  };
}

function mapCase(source: Source, node: Foreign): Mapped {
  const first = indexOf(source, node["case_token"]);
  const operand = part(node, "operand");
  const mapped = operand === undefined ? undefined : mapExpression(source, operand);
  const branches = list(node["conditions"]).map((branch) => {
    const { condition, result } = branch as Foreign;
    return { condition: mapExpression(source, condition), result: mapExpression(source, result) };
  });
  const otherwise = part(node, "else_result");
  return {
    first,
    expression: {
      kind: "case",
      at: offsetOf(source, first),
      branches,
      ...(mapped === undefined ? {} : { operand: mapped }),
      ...(otherwise === undefined ? {} : { otherwise: mapExpression(source, otherwise) }),
    },
  };
}

function mapCast(source: Source, node: Foreign): Mapped {
  const kind = node["kind"];
  const operand = mapNode(source, node["expr"]);
  parts(source, node, ["kind", "expr", "data_type"], operand.first);
  if (kind === "DoubleColon") {
    const colon = source.colons.shift() ?? 0;
    const type = source.painted.types.get(colon + 1);
    if (type === undefined || colon < operand.first) throw refuse(source, operand.first, "This cast");
    return wrap(operand, (o, at) => ({ kind: "cast", at, operand: o, type, try: false }));
  }
  const start = before(source, operand, kind === "TryCast" ? "TRY_CAST" : "CAST", "(");
  // The type belongs to the first AS at the depth of the cast's own parenthesis.
  const type = typeWithin(source, start.first + 1);
  return {
    first: start.first,
    expression: {
      kind: "cast",
      at: offsetOf(source, start.first),
      operand: operand.expression,
      type,
      try: kind === "TryCast",
    },
  };
}

function typeWithin(source: Source, open: number): { readonly start: number; readonly end: number } {
  const { tokens } = source.reader;
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (isToken(tokens[i], "(")) depth += 1;
    else if (isToken(tokens[i], ")")) depth -= 1;
    const type = depth === 1 && isToken(tokens[i], "AS") ? source.painted.types.get(i + 1) : undefined;
    if (type !== undefined) return type;
  }
  throw refuse(source, open, "This cast");
}

function mapExists(source: Source, node: Foreign): Mapped {
  const negated = node["negated"] === true;
  const words = negated ? ["NOT", "EXISTS", "("] : ["EXISTS", "("];
  const first = queryStart(source, node["subquery"]) - words.length;
  for (const [i, word] of words.entries()) expectToken(source, first + i, word);
  const query: Query = source.mapQuery(source, node["subquery"]);
  return { first, expression: { kind: "exists", at: offsetOf(source, first), negated, query } };
}

/** `a.b[0].c`, `f(x).y`. */
function mapAccess(source: Source, node: Foreign): Mapped {
  let mapped = mapNode(source, node["root"]);
  for (const step of list(node["access_chain"])) {
    const [kind, inner] = variant(step);
    if (kind === "Dot") {
      const [what, ident] = variant(inner);
      if (what !== "Identifier") throw refuse(source, mapped.first, "This access to a field");
      const field = nameOf(source, ident);
      mapped = wrap(mapped, (operand, at) =>
        operand.kind === "column"
          ? { kind: "column", at, path: [...operand.path, field] }
          : { kind: "field", at, operand, field },
      );
    } else {
      const [what, index] = variant((inner as Foreign | undefined) ?? "nothing");
      if (kind !== "Subscript" || what !== "Index") throw refuse(source, mapped.first, "A slice");
      const expression = mapExpression(source, (index as Foreign)["index"]);
      mapped = wrap(mapped, (operand, at) => ({ kind: "subscript", at, operand, index: expression }));
    }
  }
  return mapped;
}
