import type { DataType } from "../../model/data-type.js";
import { normalizeZero } from "../lower/lower-text.js";
import type { Expression, GroupingSets, Select, SelectItem } from "../parse/ast.js";
import { bindItems } from "./bind-items.js";
import { describe, type Place, unsupported } from "./bind-place.js";
import { namesColumn, same } from "./bind-scope.js";
import type { Bound } from "./bound.js";
import { isAtomic, isComparable, isFloating } from "./type-rules.js";

/** What follows GROUP BY. */
export interface BoundGroups {
  /** The grouping expressions, in the order of `grouping_id`. */
  readonly groups: readonly Bound[];
  /** DuckDB's text after GROUP BY; empty without groups. */
  readonly sql: string;
  /** Whether the groups are those of several sets. */
  readonly sets: boolean;
}

/** Expressions, places in the select list, or its aliases; columns of the input come before aliases. */
export function bindGroupBy(place: Place, select: Select): BoundGroups {
  if (select.groupBy === "all") return plain(groupsOfItems(place, select));
  const inner: Place = { ...place, clause: "GROUP BY" };
  const items = select.groupBy;
  const isSets = items.some((item) => item.kind === "grouping-sets");
  if (isSets) return bindSets(inner, items, select);
  const groups = items.flatMap((item) => (item.kind === "grouping-sets" ? [] : [bindGroup(inner, item, select)]));
  // Constants make no groups, but even alone they make none of no rows.
  const varying = groups.filter((bound) => bound.literal === undefined);
  const [first] = groups;
  if (first !== undefined && varying.length === 0)
    throw unsupported(place, first.at, "Grouping by constants alone", "Group by a column.");
  return plain(varying);
}

function plain(groups: readonly Bound[]): BoundGroups {
  return { groups, sql: groups.map((g) => g.sql).join(", "), sets: false };
}

const MAX_SETS = 4096;

/** What stands beside sets is in each of them; several lists of sets combine. */
function bindSets(place: Place, items: readonly (Expression | GroupingSets)[], select: Select): BoundGroups {
  const bind = (expression: Expression): Bound => {
    const bound = bindGroup(place, expression, select);
    if (bound.literal === undefined) return bound;
    throw unsupported(place, bound.at, "A constant in ROLLUP, CUBE or GROUPING SETS", "Group by columns.");
  };
  const all = distinct(items.flatMap((item) => (item.kind === "grouping-sets" ? item.all : [item]).map(bind)));
  let sets: (readonly Bound[])[] = [[]];
  for (const item of items) {
    const own = item.kind === "grouping-sets" ? item.sets : [[item]];
    sets = sets.flatMap((set) => own.map((more) => [...set, ...more.map(bind)]));
    if (sets.length > MAX_SETS)
      throw unsupported(place, item.at, `More than ${MAX_SETS} grouping sets`, "Write fewer.");
  }
  const texts = sets.map(
    (set) =>
      `(${distinct(set)
        .map((b) => b.sql)
        .join(", ")})`,
  );
  return { groups: all, sql: `GROUPING SETS (${texts.join(", ")})`, sets: all.length > 0 };
}

function distinct(bounds: readonly Bound[]): readonly Bound[] {
  return [...new Map(bounds.map((b) => [b.sql, b])).values()];
}

function groupsOfItems(place: Place, select: Select): readonly Bound[] {
  const listPlace: Place = { ...place, clause: "the select list", aggregates: true, windows: true };
  const items = bindItems(listPlace, select.items).map((i) => i.bound);
  const mixed = items.find((b) => b.aggregate && b.loose.length > 0);
  if (mixed !== undefined)
    throw unsupported(place, mixed.at, "GROUP BY ALL with columns beside an aggregate", "List the grouping columns.");
  return items.filter((b) => !b.aggregate && b.literal === undefined).map((b) => checkGroup(place, b));
}

function bindGroup(place: Place, expression: Expression, select: Select): Bound {
  const item = itemAt(place, expression, select.items) ?? itemNamed(place, expression, select.items);
  return checkGroup(place, place.binder.bind(place, item ?? expression));
}

/** Numbers that are equal are one group, shown as one of them: -0.0 as 0.0. */
function checkGroup(place: Place, bound: Bound): Bound {
  if (bound.literal !== undefined) return bound;
  if (!isComparable(bound.type) || (!isAtomic(bound.type) && hasFloating(bound.type)))
    throw unsupported(place, bound.at, `Grouping by ${describe(bound.type)}`, "Group by an exact value.");
  return { ...bound, sql: normalizeZero(bound.sql, bound.type) };
}

function hasFloating(type: DataType): boolean {
  if (type.kind === "array") return hasFloating(type.element);
  return type.kind === "struct" ? type.fields.some((f) => hasFloating(f.type)) : isFloating(type);
}

function itemAt(place: Place, expression: Expression, items: readonly SelectItem[]): Expression | undefined {
  if (expression.kind !== "literal" || expression.type !== "number") return undefined;
  const item = items[Number(expression.value) - 1];
  if (item?.kind === "expression" && items.every((i) => i.kind === "expression")) return item.expression;
  throw unsupported(place, expression.at, `The place ${expression.value} in GROUP BY`, "Name the column.");
}

function itemNamed(place: Place, expression: Expression, items: readonly SelectItem[]): Expression | undefined {
  const [name, more] = expression.kind === "column" ? expression.path : [];
  if (name === undefined || more !== undefined) return undefined;
  if (namesColumn(place.scope, [name])) return undefined;
  const found = items.find((i) => i.kind === "expression" && i.alias !== undefined && same(i.alias, name));
  return found?.kind === "expression" ? found.expression : undefined;
}
