import { functionKind } from "../functions/registry.js";
import type { Call, Expression, Select, SelectItem } from "../parse/ast.js";
import { isGenerator } from "./bind-generator.js";
import { type Place, unsupported } from "./bind-place.js";
import { hasCall } from "./tree-search.js";

/**
 * A grouped query with generators, as a query over the groups: Spark makes the rows of `explode(collect_list(x))` after
 * it has aggregated. Undefined where the query has no groups, or no generator.
 */
export function generateOverGroups(place: Pick<Place, "binder">, select: Select): Select | undefined {
  const generators = select.items.filter((i) => i.kind !== "star" && isGenerator(i.expression));
  const [first] = generators;
  if (first === undefined) return undefined;
  if (select.items.some((i) => hasCall(i, (call) => call.over !== undefined)))
    throw unsupported(place, first.at, "A generator beside a window function", "Make its rows in a subquery first.");
  const isAggregate = (call: Call) => functionKind(call.name) === "aggregate";
  if (select.groupBy !== "all" && select.groupBy.length === 0 && !select.items.some((i) => hasCall(i, isAggregate)))
    return undefined;
  const groups = select.groupBy === "all" ? [] : select.groupBy;
  if (groups.some((g) => g.kind === "literal"))
    throw unsupported(place, first.at, "A place in GROUP BY beside a generator", "Group by the column's name.");
  const inner: SelectItem[] = [];
  const outer = select.items.map((item): SelectItem => {
    if (item.kind !== "star" && isGenerator(item.expression)) {
      const call = item.expression;
      const args = call.args.map(({ expression }) => {
        if (expression.kind === "literal") return { expression };
        const alias = `argument ${inner.length}`;
        inner.push({ kind: "expression", at: expression.at, expression, alias });
        return { expression: columnOf(alias, expression.at) };
      });
      return { ...item, expression: { ...call, args } };
    }
    const name = nameOf(item);
    if (item.kind !== "expression" || name === undefined || inner.some((i) => nameOf(i) === name))
      throw unsupported(place, item.at, "A column without a name of its own beside a generator", "Name it with AS.");
    inner.push({ ...item, alias: name });
    return { kind: "expression", at: item.at, expression: columnOf(name, item.at), alias: name };
  });
  const { at, distinct } = select;
  const query = { at, ctes: [], body: { ...select, distinct: false, items: inner }, orderBy: [] };
  const from = { kind: "derived", at, query, columns: [] } as const;
  return { kind: "select", at, distinct, items: outer, from, groupBy: [], windows: new Map() };
}

function columnOf(name: string, at: number): Expression {
  return { kind: "column", at, path: [name] };
}

function nameOf(item: SelectItem): string | undefined {
  if (item.kind !== "expression") return undefined;
  return item.alias ?? (item.expression.kind === "column" ? item.expression.path.at(-1) : undefined);
}
