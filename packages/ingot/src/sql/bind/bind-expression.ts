import { type DataType, formatType, type StructType, sameType } from "../../model/data-type.js";
import { subscript } from "../functions/nested.js";
import { type Operand, once } from "../lower/lower-once.js";
import { castTo, normalizeZero } from "../lower/lower-text.js";
import type { Case, Cast, ColumnRef, Expression, FieldAccess, InList, Row, Subscript } from "../parse/ast.js";
import { bindCall } from "./bind-call.js";
import { bindInterval } from "./bind-interval.js";
import { VARIABLE, variableNamed } from "./bind-lambda.js";
import { bindLike, bindLikeList } from "./bind-like.js";
import { bindLiteral, bindText } from "./bind-literal.js";
import { bindBinary, bindComparison, bindLogic, bindUnary, fitsLambda } from "./bind-operators.js";
import {
  castBound,
  coerce,
  describe,
  expectCondition,
  fail,
  noCommonType,
  type Place,
  resolveColumn,
  unsupported,
} from "./bind-place.js";
import { columnBound, extractField, fieldOf, namesColumn, type ScopeColumn } from "./bind-scope.js";
import { bindExists, bindInQuery, bindScalarQuery } from "./bind-subquery.js";
import { anyNullable, type Bound, derive, joinNames } from "./bound.js";
import { fieldOrigins } from "./origins.js";
import { BOOLEAN, commonTypeOf, isAtomic, isComparable } from "./type-rules.js";

/** Resolves an expression's names, types it and lowers it. @throws IngotError with the place of what does not fit */
export function bindExpression(place: Place, expression: Expression): Bound {
  const bound = bindNode(place, expression);
  // What is grouped by may stand outside of aggregate functions.
  return ofGroup(place, bound);
}

function ofGroup(place: Place, bound: Bound): Bound {
  const sql = normalizeZero(bound.sql, bound.type);
  if (bound.loose.length === 0 || !place.grouping.has(sql)) return bound;
  return { ...bound, sql, loose: [], nullable: bound.nullable || place.groupingSets === true };
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
    case "interval":
      return bindInterval(expression);
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
    case "like-list":
      return bindLikeList(place, expression);
    case "row":
      return bindRow(place, expression);
    case "lambda":
      throw unsupported(place, expression.at, "A lambda that is no argument", "Lambdas stand in transform, filter, ….");
    case "star":
      throw unsupported(place, expression.at, "A star within an expression", "Name the columns.");
    case "field":
      return bindField(place, expression);
    case "subscript":
      return bindSubscript(place, expression);
  }
}

function bindColumn(place: Place, { path, at }: ColumnRef): Bound {
  const [first = "", ...fields] = path;
  const variable = variableNamed(place, first);
  if (variable !== undefined) return accessFields(place, variableBound(variable, at), fields, at);
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
    if (place.aliasesFirst || alias.name === undefined)
      return accessFields(place, { ...value, at, name: first }, fields, at);
    // What generators make is there before the list; the names of all other values are told from columns.
    const isRows = alias.name === first && alias.loose.length === 1 && alias.sql.startsWith('"');
    const name = isRows ? first : fields.length > 0 ? undefined : `lateralAliasReference(${first})`;
    return { ...accessFields(place, { ...value, at, name }, fields, at), columnName: fields.at(-1) ?? first };
  }
  if (isClock) return bindCall(place, { kind: "call", at, name: first, args: [], star: false, distinct: false });
  const { column, fields: rest, isOuter } = resolveColumn(place, path, at);
  const name = path[path.length - 1 - rest.length] ?? column.name;
  const bound = columnBound({ ...column, name }, at, !isOuter);
  return accessFields(place, ofGroup(place, bound), rest, at);
}

function variableBound({ sql, type, nullable, origins }: ScopeColumn, at: number): Bound {
  return derive([], { sql, type, nullable, name: VARIABLE, at, origins });
}

function accessFields(place: Place, bound: Bound, fields: readonly string[], at: number): Bound {
  let value = bound;
  for (const name of fields) value = accessField(place, value, name, at);
  return value;
}

function accessField(place: Place, value: Bound, name: string, at: number): Bound {
  if (value.type.kind === "array" && value.type.element.kind === "struct")
    return accessFieldOfEach(place, value, value.type.element, name, at);
  if (value.type.kind === "map") return { ...subscriptOf(place, value, bindText(name, at), at), columnName: name };
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
    origins: fieldOrigins(value.origins, field),
  };
}

/** `items.price`: the field of every element. */
function accessFieldOfEach(place: Place, value: Bound, element: StructType, name: string, at: number): Bound {
  const each: Bound = { ...value, sql: "e", type: element, nullable: true };
  const { sql, type, nullable, origins } = accessField(place, each, name, at);
  return {
    ...value,
    sql: `list_transform(${value.sql}, lambda e: ${sql})`,
    type: { kind: "array", element: type, containsNull: nullable },
    // Spark numbers the names of a struct that is made in the same expression.
    name: value.name?.includes(" AS ") === true ? undefined : joinNames([value], ([v]) => `${v}.${name}`),
    columnName: name,
    origins,
  };
}

function bindField(place: Place, { operand, field, at }: FieldAccess): Bound {
  const bound = accessField(place, bindExpression({ ...place, filter: false }, operand), field, at);
  const { columnName: _, ...rest } = bound;
  return rest;
}

function bindSubscript(place: Place, { operand, index, at }: Subscript): Bound {
  const inner: Place = { ...place, filter: false };
  return subscriptOf(place, bindExpression(inner, operand), bindExpression(inner, index), at);
}

function subscriptOf(place: Place, operand: Bound, index: Bound, at: number): Bound {
  const args = [operand, index];
  const call = { kind: "call", at, name: "[]", args: [], star: false, distinct: false } as const;
  const lowered = subscript({ place, call, args, window: (sql) => sql });
  return derive(args, { ...lowered, sql: `(${lowered.sql})`, name: lowered.name, at });
}

/** `(a, b)` is `struct(a, b)`, shown as `named_struct`. */
function bindRow(place: Place, { args, at }: Row): Bound {
  const bound = bindCall(place, { kind: "call", at, name: "struct", args, star: false, distinct: false });
  const { type } = bound;
  if (type.kind !== "struct") return bound;
  const parts = args.map((a) => bindExpression({ ...place, filter: false }, a.expression));
  const name = joinNames(parts, (names) => names.map((n, i) => `${type.fields[i]?.name}, ${n}`).join(", "));
  return { ...bound, name: name === undefined ? undefined : `named_struct(${name})` };
}

function bindCast(place: Place, cast: Cast): Bound {
  const operand = bindExpression({ ...place, filter: false }, cast.operand);
  const { type } = cast;
  // Casts of parts do not show.
  const name = isAtomic(type)
    ? joinNames([operand], ([x]) => `${cast.try ? "TRY_" : ""}CAST(${x} AS ${describe(type)})`)
    : operand.name;
  const lowered = castBound(operand, type, cast.try);
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
  const inner: Place = { ...place, filter: false };
  const operand = node.operand === undefined ? undefined : bindExpression(inner, node.operand);
  const branches = node.branches.map((branch) => {
    const condition = bindExpression(inner, branch.condition);
    return {
      when: condition,
      test:
        operand === undefined
          ? expectCondition(inner, condition)
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

/** Rows compare where their values have the same types; their names do not count. */
function rowType(type: StructType, all: readonly Bound[]): DataType | undefined {
  const shape = (t: DataType) => (t.kind === "struct" ? t.fields.map((f) => formatType(f.type)).join() : formatType(t));
  return all.every((b) => shape(b.type) === shape(type)) ? type : undefined;
}

function bindInList(place: Place, node: InList): Bound {
  const inner: Place = { ...place, filter: false };
  const all = [node.operand, ...node.list].map((e) => bindExpression(inner, e));
  const [first] = all;
  const type = first?.type.kind === "struct" ? rowType(first.type, all) : commonTypeOf(all.map((b) => b.type));
  if (type === undefined)
    throw noCommonType(
      place,
      node.at,
      "IN",
      all.map((b) => b.type),
    );
  if (!isComparable(type)) throw unsupported(place, node.at, `IN with ${describe(type)}`, "Maps cannot be compared.");
  const values = all.map((b) => coerce(place, b, type));
  const [operand, ...list] = values;
  if (operand === undefined) throw new Error("unreachable: IN has an operand");
  return derive(values, {
    sql: type.kind === "void" ? castTo("NULL", BOOLEAN) : isAmong(inner, operand, list, node.at),
    type: BOOLEAN,
    nullable: anyNullable(all),
    name: joinNames(all, ([x, ...items]) => `(${x} IN (${items.join(", ")}))`),
    at: node.at,
  });
}

/** Spark looks at no value where the operand is NULL, and at none behind one that is equal: those may fail. */
function isAmong(place: Place, operand: Bound, list: readonly Bound[], at: number): string {
  if (!list.some((value) => value.throws) || !isAtomic(operand.type))
    return `(${operand.sql} IN (${list.map((value) => value.sql).join(", ")}))`;
  const guarded = ({ sql }: Operand) => {
    const equal = list.map((value) => bindComparison(place, "=", { ...operand, sql }, value, at));
    return `CASE WHEN ${sql} IS NULL THEN NULL ELSE ${equal.reduce((a, b) => bindLogic(place, "OR", a, b, at)).sql} END`;
  };
  return list.every(fitsLambda) ? once([operand], guarded) : guarded(operand);
}
