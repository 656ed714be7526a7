import { type DataType, sameType } from "../../model/data-type.js";
import { subscript } from "../functions/nested.js";
import { lowerCast } from "../lower/lower-cast.js";
import { castTo, quoteText } from "../lower/lower-text.js";
import type { Case, Cast, ColumnRef, Expression, FieldAccess, InList, Like, Subscript } from "../parse/ast.js";
import { bindCall } from "./bind-call.js";
import { bindLiteral } from "./bind-literal.js";
import { bindBinary, bindComparison, bindUnary } from "./bind-operators.js";
import {
  coerce,
  describe,
  expectBoolean,
  fail,
  noCommonType,
  type Place,
  resolveColumn,
  unsupported,
} from "./bind-place.js";
import { extractField, fieldOf, namesColumn } from "./bind-scope.js";
import { bindExists, bindInQuery, bindScalarQuery } from "./bind-subquery.js";
import { anyNullable, type Bound, derive, joinNames } from "./bound.js";
import { BOOLEAN, commonTypeOf } from "./type-rules.js";

/** Resolves an expression's names, types it and lowers it. @throws IngotError with the place of what does not fit */
export function bindExpression(place: Place, expression: Expression): Bound {
  const bound = bindNode(place, expression);
  // What is grouped by may stand outside of aggregate functions.
  return bound.loose.length > 0 && place.grouping.has(bound.sql) ? { ...bound, loose: [] } : bound;
}

function bindNode(place: Place, expression: Expression): Bound {
  switch (expression.kind) {
    case "column":
      return bindColumn(place, expression);
    case "literal": {
      const bound = bindLiteral(expression);
      if (bound !== undefined) return bound;
      throw fail(
        place,
        expression.at,
        "UNSUPPORTED_CLAUSE",
        `The literal ${expression.value} has no translation`,
        "Write it in plain form, such as 1.5 or DATE '2026-10-01'.",
      );
    }
    case "binary":
      return bindBinary(place, expression);
    case "unary":
      return bindUnary(place, expression);
    case "call":
      return bindCall(place, expression);
    case "cast":
      return bindCast(place, expression);
    case "case":
      return bindCase(place, expression);
    case "is-null": {
      const operand = bindExpression({ ...place, filter: false }, expression.operand);
      const test = expression.negated ? "IS NOT NULL" : "IS NULL";
      const name = joinNames([operand], ([x]) => `(${x} ${test})`);
      return derive([operand], {
        sql: `(${operand.sql} ${test})`,
        type: BOOLEAN,
        nullable: false,
        name,
        at: expression.at,
      });
    }
    case "in-list":
      return bindInList(place, expression);
    case "in-query":
      return bindInQuery(place, expression);
    case "exists":
      return bindExists(place, expression);
    case "scalar-query":
      return bindScalarQuery(place, expression);
    case "like":
      return bindLike(place, expression);
    case "field":
      return bindField(place, expression);
    case "subscript":
      return bindSubscript(place, expression);
  }
}

function bindColumn(place: Place, { path, at }: ColumnRef): Bound {
  const [first = "", ...fields] = path;
  const alias = place.scope.aliases.get(first.toLowerCase());
  const isColumn = namesColumn(place.scope, path);
  // `LiteralFunctionResolution`: what is no column may be a function without its parentheses.
  const isClock = path.length === 1 && !isColumn && /^current_(date|timestamp)$/i.test(first);
  if (alias !== undefined && (place.aliasesFirst || !(isColumn || isClock))) {
    if (alias === "ambiguous")
      throw fail(
        place,
        at,
        "AMBIGUOUS_REFERENCE",
        `${first} may mean more than one column`,
        "Name them apart with AS.",
        first,
      );
    const { columnName: _, ...value } = alias;
    return accessFields(place, { ...value, at, name: first }, fields, at);
  }
  if (isClock) return bindCall(place, { kind: "call", at, name: first, args: [], star: false, distinct: false });
  const { column, fields: rest, isOuter } = resolveColumn(place, path, at);
  const name = path[path.length - 1 - rest.length] ?? column.name;
  const bound: Bound = {
    sql: column.sql,
    type: column.type,
    nullable: column.nullable,
    name,
    at,
    throws: false,
    volatile: false,
    loose: isOuter || place.grouping.has(column.sql) ? [] : [{ name, at }],
    aggregate: false,
    window: false,
  };
  return accessFields(place, bound, rest, at);
}

function accessFields(place: Place, bound: Bound, fields: readonly string[], at: number): Bound {
  let value = bound;
  for (const name of fields) value = accessField(place, value, name, at);
  return value;
}

function accessField(place: Place, value: Bound, name: string, at: number): Bound {
  if (value.type.kind !== "struct")
    throw fail(
      place,
      at,
      "FIELD_NOT_FOUND",
      `${describe(value.type)} has no fields, so no ${name}`,
      "Only structs have fields.",
      name,
    );
  const field = fieldOf(value.type, name);
  if (field === undefined) {
    const known = value.type.fields.map((f) => f.name).join(", ");
    throw fail(place, at, "FIELD_NOT_FOUND", `The struct has no field ${name}`, `Its fields are ${known}.`, name);
  }
  return {
    ...value,
    sql: extractField(value.sql, field),
    type: field.type,
    nullable: value.nullable || field.nullable,
    name: joinNames([value], ([v]) => `${v}.${name}`),
    columnName: name,
  };
}

function bindField(place: Place, { operand, field, at }: FieldAccess): Bound {
  const bound = accessField(place, bindExpression({ ...place, filter: false }, operand), field, at);
  const { columnName: _, ...rest } = bound;
  return rest;
}

function bindSubscript(place: Place, { operand, index, at }: Subscript): Bound {
  const inner = { ...place, filter: false };
  const args = [bindExpression(inner, operand), bindExpression(inner, index)];
  const call = { kind: "call", at, name: "[]", args: [], star: false, distinct: false } as const;
  const lowered = subscript({ place, call, args, window: (sql) => sql });
  return derive(args, { ...lowered, sql: `(${lowered.sql})`, name: lowered.name, at });
}

function bindCast(place: Place, cast: Cast): Bound {
  const operand = bindExpression({ ...place, filter: false }, cast.operand);
  const { type } = cast;
  const name = joinNames([operand], ([x]) => `${cast.try ? "TRY_" : ""}CAST(${x} AS ${describe(type)})`);
  const lowered = lowerCast(operand.sql, operand.type, type, cast.try);
  if (lowered === undefined)
    throw unsupported(
      place,
      cast.at,
      `A cast from ${describe(operand.type)} to ${describe(type)}`,
      "Cast by way of another type.",
    );
  const text = sameType(operand.type, type) ? castTo(lowered.sql, type) : lowered.sql;
  const bound = derive([operand], {
    sql: text,
    type,
    nullable: operand.nullable || (cast.try && operand.type.kind !== type.kind),
    name,
    at: cast.at,
    throws: lowered.throws,
  });
  // `ResolveAliases`: a cast of a column is called as the column.
  const isColumn = cast.operand.kind === "column" && operand.columnName === undefined && operand.name !== undefined;
  return isColumn ? { ...bound, columnName: operand.name } : bound;
}

function bindCase(place: Place, node: Case): Bound {
  const inner = { ...place, filter: false };
  const operand = node.operand === undefined ? undefined : bindExpression(inner, node.operand);
  const branches = node.branches.map((branch) => {
    const condition = bindExpression(inner, branch.condition);
    return {
      when: condition,
      test:
        operand === undefined
          ? expectBoolean(inner, condition)
          : bindComparison(inner, "=", operand, condition, condition.at),
      result: bindExpression(inner, branch.result),
    };
  });
  const otherwise = node.otherwise === undefined ? undefined : bindExpression(inner, node.otherwise);
  const results = [...branches.map((b) => b.result), ...(otherwise === undefined ? [] : [otherwise])];
  const type = commonTypeOf(results.map((r) => r.type));
  if (type === undefined)
    throw noCommonType(
      place,
      node.at,
      "CASE",
      results.map((r) => r.type),
    );
  const text = (bound: Bound) => coerce(place, bound, type);
  const values = results.map(text);
  const whens = branches.map((b, i) => `WHEN ${b.test.sql} THEN ${values[i]?.sql}`).join(" ");
  const last = otherwise === undefined ? castTo("NULL", type) : text(otherwise).sql;
  const names = branches.flatMap((b) => [b.test, b.result]);
  return derive([...branches.map((b) => b.test), ...values], {
    sql: `(CASE ${whens} ELSE ${last} END)`,
    type,
    nullable: otherwise === undefined || anyNullable(results),
    name: joinNames([...names, ...(otherwise === undefined ? [] : [otherwise])], (all) =>
      caseName(all, branches.length),
    ),
    at: node.at,
  });
}

function caseName(names: readonly string[], branches: number): string {
  const whens = Array.from({ length: branches }, (_, i) => `WHEN ${names[2 * i]} THEN ${names[2 * i + 1]}`);
  const otherwise = names[2 * branches];
  return `CASE ${whens.join(" ")}${otherwise === undefined ? "" : ` ELSE ${otherwise}`} END`;
}

function bindInList(place: Place, node: InList): Bound {
  const inner = { ...place, filter: false };
  const all = [node.operand, ...node.list].map((e) => bindExpression(inner, e));
  const type = commonTypeOf(all.map((b) => b.type));
  if (type === undefined)
    throw noCommonType(
      place,
      node.at,
      "IN",
      all.map((b) => b.type),
    );
  if (["struct", "array", "map", "void"].includes(type.kind))
    throw unsupported(place, node.at, `IN with ${describe(type)}`, "Compare single values.");
  const values = all.map((b) => coerce(place, b, type));
  const [operand, ...list] = values.map((v) => v.sql);
  return derive(values, {
    sql: `(${operand} IN (${list.join(", ")}))`,
    type: BOOLEAN,
    nullable: anyNullable(all),
    name: joinNames(all, ([x, ...items]) => `(${x} IN (${items.join(", ")}))`),
    at: node.at,
  });
}

/** The pattern is a constant: what Spark says of a wrong escape is said before the query runs. */
function bindLike(place: Place, node: Like): Bound {
  const inner = { ...place, filter: false };
  const operand = bindExpression(inner, node.operand);
  const pattern = bindExpression(inner, node.pattern);
  const sign = node.escapeChar ?? "\\";
  const text = pattern.literal?.type === "string" ? pattern.literal.value : undefined;
  if (text === undefined || [...sign].length !== 1)
    throw unsupported(
      place,
      node.at,
      "LIKE with a computed pattern or a long escape",
      "Write the pattern as a constant.",
    );
  for (let i = text.indexOf(sign); i !== -1; i = text.indexOf(sign, i + 2)) {
    if (![sign, "_", "%"].includes(text.charAt(i + 1)))
      throw fail(
        place,
        pattern.at,
        "UNSUPPORTED_CLAUSE",
        `The escape in the pattern '${text}' stands before no sign of LIKE`,
        `Double it: ${sign}${sign}.`,
      );
  }
  if (operand.type.kind !== "string" && operand.type.kind !== "void")
    throw unsupported(place, operand.at, `LIKE of ${describe(operand.type)}`, "Cast it to STRING.");
  const value = coerce(place, operand, { kind: "string" } satisfies DataType);
  return derive([value, pattern], {
    sql: `(${value.sql} LIKE ${pattern.sql} ESCAPE ${quoteText(sign)})`,
    type: BOOLEAN,
    nullable: value.nullable,
    name: joinNames([operand, pattern], ([x, p]) => `${x} LIKE ${p}${sign === "\\" ? "" : ` ESCAPE '${sign}'`}`),
    at: node.at,
  });
}
