import { functionKind } from "../functions/registry.js";
import { lowerCast } from "../lower/lower-cast.js";
import { quoteName } from "../lower/lower-text.js";
import type { Call, Expression, Literal, Pivot, PivotValue } from "../parse/ast.js";
import { coerce, describe, fail, type Place, unsupported } from "./bind-place.js";
import { resolvePath, type ScopeColumn } from "./bind-scope.js";
import type { Bound } from "./bound.js";
import type { BoundFrom } from "./bound-from.js";
import { mergeInfluences } from "./origins.js";
import { isFloating, isNumeric } from "./type-rules.js";

/**
 * `input PIVOT (aggregates FOR columns IN (values))`: a row for each group of the columns that PIVOT does not name, a
 * column for each value and aggregate. Spark aggregates by group and value first, so that a value that a group does not
 * have is NULL, also of `count`; where a result is no number or boolean it aggregates what fits each value (`PivotFirst`).
 */
export function bindPivot(place: Place, from: BoundFrom, pivot: Pivot): BoundFrom {
  const by = pivot.by.map((e) => place.binder.bind(place, e));
  const inner: Place = { ...place, clause: "PIVOT", aggregates: true };
  const aggregates = pivot.aggregates.map(({ expression, name }) => {
    const bound = place.binder.bind(inner, expression);
    const [loose] = bound.loose;
    if (!bound.aggregate || loose !== undefined)
      throw fail(place, loose?.at ?? bound.at, "UNSUPPORTED_CLAUSE", "PIVOT takes aggregates only", "Write sum(x).");
    return { expression, bound, name: name ?? bound.columnName ?? bound.name };
  });
  const used = new Set([...by.map((b) => b.sql), ...pivot.aggregates.flatMap((a) => columnsIn(place, a.expression))]);
  const groups = from.columns.filter((c) => c.hidden !== true && !used.has(c.sql));
  for (const c of groups)
    if (isFloating(c.type) || c.type.kind === "map")
      throw unsupported(
        place,
        pivot.at,
        `PIVOT beside the column ${c.name}, ${describe(c.type)},`,
        "Select other columns first.",
      );
  const alias = quoteName(place.binder.newName("t"));
  const twoSteps = aggregates.every((a) => isNumeric(a.bound.type) || a.bound.type.kind === "boolean");
  const values = pivot.values.map((value) => ({
    name: valueName(place, value),
    tests: testsOf(place, by, value),
    value,
  }));
  const columns = values.flatMap(({ name, tests, value }) =>
    aggregates.map((aggregate, i) => ({
      name: aggregates.length === 1 ? name : join(place, value, name, aggregate.name),
      type: aggregate.bound.type,
      origins: aggregate.bound.origins,
      sql: twoSteps
        ? `any_value("a${i}") FILTER (WHERE ${tests.map((t, k) => `"p${k}" IS NOT DISTINCT FROM ${t}`).join(" AND ")})`
        : place.binder.bind(inner, filtered(aggregate.expression, pivot, value)).sql,
    })),
  );
  const keys = groups.map((g, i) => (twoSteps ? `"g${i}"` : g.sql));
  const source = twoSteps ? `(${groupedText(from, groups, by, aggregates)})` : from.sql;
  const texts = [...keys, ...columns.map((c) => c.sql)];
  const grouping = keys.length === 0 ? "" : ` GROUP BY ${keys.join(", ")}`;
  const all = [...groups, ...columns.map((c) => ({ ...c, nullable: true }))];
  return {
    sql: `(SELECT ${texts.join(", ")} FROM ${source}${grouping}) AS ${alias}(${texts.map((_, i) => `"c${i}"`).join(", ")})`,
    columns: all.map(
      ({ name, type, nullable, origins }, i): ScopeColumn => ({
        name,
        type,
        nullable,
        origins,
        sql: `${alias}."c${i}"`,
        qualifier: pivot.alias === undefined ? [] : [pivot.alias],
      }),
    ),
    influences: mergeInfluences([from.influences, ...[...groups, ...by].map((g) => g.origins)]),
    volatile: from.volatile || aggregates.some((a) => a.bound.volatile),
    plain: false,
  };
}

/** Aggregates by group and value: columns `g0`, …, `p0`, …, `a0`, …. */
function groupedText(
  from: BoundFrom,
  groups: readonly ScopeColumn[],
  by: readonly Bound[],
  aggregates: readonly { readonly bound: Bound }[],
): string {
  const items = [
    ...groups.map((g, i) => `${g.sql} AS "g${i}"`),
    ...by.map((b, i) => `${b.sql} AS "p${i}"`),
    ...aggregates.map((a, i) => `${a.bound.sql} AS "a${i}"`),
  ];
  return `SELECT ${items.join(", ")} FROM ${from.sql} GROUP BY ${[...groups, ...by].map((g) => g.sql).join(", ")}`;
}

function join(place: Place, { at }: PivotValue, value: string, aggregate: string | undefined): string {
  if (aggregate === undefined) throw unsupported(place, at, "An aggregate without a name", "Name it with AS.");
  return `${value}_${aggregate}`;
}

/** The value's text as Spark's cast to STRING gives it. */
function valueName(place: Place, { values, alias, at }: PivotValue): string {
  const texts = values.map((value) => {
    const bound = place.binder.bind(place, value);
    if (bound.literal !== undefined) return literalText(bound.literal, bound.name);
    if (alias !== undefined) return alias;
    throw unsupported(place, at, "A computed value of PIVOT without a name", "Name it with AS.");
  });
  if (alias !== undefined) return alias;
  return texts.length === 1 ? (texts[0] ?? "") : `{${texts.join(", ")}}`;
}

function literalText(literal: Literal, name: string | undefined): string {
  if (literal.type === "null") return "null";
  return literal.type === "number" ? (name ?? literal.value) : literal.value;
}

function testsOf(place: Place, by: readonly Bound[], { values, at }: PivotValue): string[] {
  return values.map((expression, i) => {
    const value = place.binder.bind(place, expression);
    const type = by[i]?.type ?? value.type;
    const cast =
      value.type.kind === "void" ? coerce(place, value, type) : lowerCast(value.sql, value.type, type, false);
    if (cast === undefined || value.loose.length > 0)
      throw unsupported(
        place,
        at,
        `A value of ${describe(value.type)} for ${describe(type)}`,
        "Write a constant of the column's type.",
      );
    return cast.sql;
  });
}

/** The aggregates of an expression over the rows of one value. */
function filtered(expression: Expression, pivot: Pivot, { values, at }: PivotValue): Expression {
  const tests = pivot.by.map((left, i): Expression => {
    const right = values[i] ?? left;
    return { kind: "binary", at, op: "<=>", left, right };
  });
  const test = tests.reduce((left, right) => ({ kind: "binary", at, op: "AND", left, right }));
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== "object" || node === null) return node;
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]));
    if (!("kind" in node) || node.kind !== "call" || functionKind((node as Call).name) !== "aggregate") return copy;
    const own = (node as Call).filter;
    return { ...copy, filter: own === undefined ? test : { kind: "binary", at, op: "AND", left: own, right: test } };
  };
  return visit(expression) as Expression;
}

/** Texts of the input's columns that an expression names. */
function columnsIn(place: Place, expression: Expression): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === "object" && node !== null) {
      if ("kind" in node && node.kind === "column" && "path" in node) {
        const resolved = resolvePath(place.scope, node.path as string[], 0, () =>
          fail(place, 0, "AMBIGUOUS_REFERENCE", "", ""),
        );
        if (resolved !== undefined) found.push(resolved.column.sql);
      }
      Object.values(node).forEach(visit);
    }
  };
  visit(expression);
  return found;
}
