import type { Select, SelectItem } from "../parse/ast.js";
import { bindGenerator, isGenerator, joinGenerated } from "./bind-generator.js";
import type { Generated } from "./bind-items.js";
import type { Place } from "./bind-place.js";
import { columnBound, type ScopeColumn } from "./bind-scope.js";
import type { Bound, OutputColumn } from "./bound.js";
import type { BoundFrom } from "./bound-from.js";

/**
 * Generators of a select list: each row of FROM is joined with what they make of it, one after the other, and their
 * items become the columns. Undefined where the list has none.
 */
export function bindSelectGenerators(
  place: Place,
  select: Select,
  rows: BoundFrom | undefined,
  where: Bound | undefined,
): { readonly from: BoundFrom; readonly items: Generated } | undefined {
  const found = select.items.filter((i) => i.kind !== "star" && isGenerator(i.expression));
  if (found.length === 0) return undefined;
  let from = rows;
  let condition = where;
  const places: { readonly item: SelectItem; readonly start: number; readonly count: number }[] = [];
  for (const item of found) {
    if (item.kind === "star" || !isGenerator(item.expression)) continue;
    const names = item.kind === "generator" ? item.aliases : item.alias === undefined ? [] : [item.alias];
    const scope = { ...place.scope, columns: from?.columns ?? [] };
    const generator = bindGenerator({ ...place, scope, clause: "the select list" }, item.expression, names);
    places.push({ item, start: from?.columns.length ?? 0, count: generator.columns.length });
    // Found by the names of the select list only.
    const joined = joinGenerated(place.binder, from, generator, [], condition);
    const own = joined.columns.length - generator.columns.length;
    from = { ...joined, columns: joined.columns.map((c, i) => (i < own ? c : { ...c, hidden: true, byName: false })) };
    condition = undefined;
  }
  if (from === undefined) return undefined;
  const { columns } = from;
  const items = new Map(
    places.map((p) => [p.item, columns.slice(p.start, p.start + p.count).map((c) => outputOf(c, p.item.at))]),
  );
  return { from, items };
}

function outputOf(column: ScopeColumn, at: number): OutputColumn {
  return { name: column.name, bound: columnBound(column, at, true) };
}
