import { orderKey } from "../lower/lower-order.js";
import type { SortDirection, SortKey } from "../parse/ast.js";
import { describe, fail, type Place, unsupported } from "./bind-place.js";
import { bindSortKey, sortText } from "./bind-window.js";
import type { Bound, OutputColumn } from "./bound.js";
import { isAtomic, isComparable, isFloating } from "./type-rules.js";

/** ORDER BY ALL: the columns of the result from left to right. */
export function allKeys(items: readonly OutputColumn[], direction: SortDirection): SortKey[] {
  return items.map(({ bound }, i) => ({
    expression: { kind: "literal", at: bound.at, type: "number", value: String(i + 1) },
    ...direction,
  }));
}

/** Keys are places in the select list, its names, or expressions over the input. */
export function bindOrderBy(
  place: Place,
  keys: readonly SortKey[],
  items: readonly OutputColumn[],
  distinct: boolean,
): { readonly sql: string; readonly bound: Bound }[] {
  return keys.map((key) => {
    const { expression } = key;
    if (expression.kind === "literal" && expression.type === "number") {
      const item = items[Number(expression.value) - 1];
      if (item === undefined)
        throw fail(
          place,
          expression.at,
          "UNSUPPORTED_CLAUSE",
          `The select list has no place ${expression.value}`,
          items.length === 1 ? "It has one column." : `Use 1 to ${items.length}.`,
        );
      if (!isComparable(item.bound.type))
        throw unsupported(place, expression.at, `Sorting by ${describe(item.bound.type)}`, "Maps have no order.");
      const sql = distinct && isAtomic(item.bound.type) ? expression.value : orderKey(item.bound.sql, item.bound.type);
      return { sql: sortText(sql, key), bound: item.bound };
    }
    const { sql, bound } = bindSortKey(place, key);
    const index = items.findIndex((i) => i.bound.sql === bound.sql);
    if (index !== -1 && isAtomic(bound.type) && (distinct || !isFloating(bound.type)))
      return { sql: sortText(String(index + 1), key), bound };
    if (distinct)
      throw unsupported(
        place,
        bound.at,
        "ORDER BY a value that DISTINCT does not select",
        "Add it to the select list.",
      );
    return { sql, bound };
  });
}
