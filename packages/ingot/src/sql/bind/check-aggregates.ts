import { functionKind } from "../functions/registry.js";
import type { Call, Expression, Select, SortKey } from "../parse/ast.js";
import { fail, type Place } from "./bind-place.js";
import type { OutputColumn } from "./bound.js";
import { hasCall } from "./tree-search.js";

const isAggregate = (call: Call) => call.over === undefined && functionKind(call.name) === "aggregate";

/** Spark refuses aggregate functions in QUALIFY (QUALIFY_AGGREGATE_NOT_ALLOWED), those of its windows too. */
export function refuseAggregatesInQualify(place: Place, { qualify }: Select): void {
  if (qualify === undefined || !hasCall(qualify, isAggregate)) return;
  const hint = "Give it a name in the select list, and use the name.";
  throw fail(place, qualify.at, "UNSUPPORTED_CLAUSE", "An aggregate function cannot stand in QUALIFY", hint);
}

/**
 * Spark finds an aggregate function of ORDER BY only where the groups are the last step before it. A window function, a
 * QUALIFY, or a HAVING over what is not selected comes between, and then Spark has lost the rows of the groups.
 */
export function refuseAggregatesInOrder(
  place: Place,
  select: Select,
  keys: readonly SortKey[],
  items: readonly OutputColumn[],
): void {
  const key = keys.find(({ expression }) => hasCall(expression, isAggregate));
  if (key === undefined) return;
  const between = items.some((i) => i.bound.window)
    ? "a window function"
    : select.qualify !== undefined
      ? "QUALIFY"
      : select.having !== undefined && needsMore(place, select.having, new Set(items.map((i) => i.bound.sql)))
        ? "a HAVING over what is not selected"
        : undefined;
  if (between === undefined) return;
  const message = `An aggregate function cannot stand in ORDER BY beside ${between}`;
  const hint = "Give it a name in the select list, and order by the name.";
  throw fail(place, key.expression.at, "UNSUPPORTED_CLAUSE", message, hint);
}

/** Whether an expression needs aggregates or columns that are not among those selected. */
function needsMore(place: Place, node: unknown, selected: ReadonlySet<string>): boolean {
  if (Array.isArray(node)) return node.some((item) => needsMore(place, item, selected));
  if (typeof node !== "object" || node === null) return false;
  const expression = "kind" in node ? (node as Expression) : undefined;
  // Its own names are told apart by the function around it.
  if (expression?.kind === "lambda") return false;
  if (expression?.kind === "column" || expression?.kind === "call") {
    if (selected.has(place.binder.bind(place, expression).sql)) return false;
    if (expression.kind === "column" || isAggregate(expression)) return true;
  }
  return Object.entries(node).some(([key, value]) => key !== "query" && needsMore(place, value, selected));
}
