import type { SparkFunction } from "../functions/function.js";
import { orderKey } from "../lower/lower-order.js";
import { normalizeZero } from "../lower/lower-text.js";
import type { Frame, SortKey, Window } from "../parse/ast.js";
import { bindFrame } from "./bind-frame.js";
import { describe, fail, type Place, unsupported } from "./bind-place.js";
import { type Bound, joinNames } from "./bound.js";
import { isAtomic, isComparable } from "./type-rules.js";

/** The inside of OVER (…), and the expressions in it. */
export interface BoundWindow {
  readonly sql: string;
  readonly parts: readonly Bound[];
  /** How Spark writes it, with this frame where it has none of its own. */
  readonly name: (frame: string | undefined) => string | undefined;
}

/**
 * A window. Where a result depends on the order of rows that the keys leave open (`row_number` with a tie), Spark takes
 * any order; here all columns of the input decide, so that the same rows always give the same result.
 */
export function bindWindow(
  place: Place,
  window: Window,
  name: string,
  { kind, ordered = false }: Pick<SparkFunction, "kind" | "ordered">,
): BoundWindow {
  const partition = window.partitionBy.map((e) => place.binder.bind(place, e));
  place.onWindow?.(partition.map((p) => p.sql));
  const keys = window.orderBy.map((key) => bindSortKey(place, key));
  if ((ordered || kind === "window") && keys.length === 0)
    throw fail(place, window.at, "UNSUPPORTED_CLAUSE", `${name} needs an order`, "Add ORDER BY to the window.", name);
  const frame =
    window.frame === undefined
      ? undefined
      : bindFrame(
          place,
          window,
          window.frame,
          keys.map((k) => k.bound),
        );
  const countsRows = window.frame !== undefined && window.frame.unit === "ROWS" && !isWhole(window.frame);
  const isOneRow = place.grouping.size === 0 && keys.some((k) => k.bound.aggregate);
  const ties = (ordered || countsRows) && !isOneRow ? tieBreakers(place) : [];
  const order = [...keys.map((k) => k.sql), ...ties];
  const clauses = [
    ...(partition.length === 0 ? [] : [`PARTITION BY ${partition.map((p) => p.sql).join(", ")}`]),
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(", ")}`]),
    ...(frame === undefined ? [] : [frame.sql]),
  ];
  const ownFrame =
    keys.length === 0
      ? "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
      : "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW";
  return {
    sql: clauses.join(" "),
    parts: [...partition, ...keys.map((k) => k.bound)],
    name: (otherwise) => {
      const shown = frame === undefined ? (otherwise ?? ownFrame) : frame.name;
      const partitions = joinNames(partition, (names) => `PARTITION BY ${names.join(", ")} `);
      const orders = joinNames(
        keys.map((k) => k.bound),
        (names) =>
          `ORDER BY ${names.map((n, i) => sortText(n, window.orderBy[i] ?? { descending: false })).join(", ")} `,
      );
      if (shown === undefined || partitions === undefined || orders === undefined) return undefined;
      return `${partition.length === 0 ? "" : partitions}${keys.length === 0 ? "" : orders}${shown}`;
    },
  };
}

/** Spark puts NULL first when ascending and last when descending. */
export function bindSortKey(place: Place, key: SortKey): { readonly sql: string; readonly bound: Bound } {
  const bound = place.binder.bind(place, key.expression);
  if (!isComparable(bound.type))
    throw unsupported(place, bound.at, `Sorting by ${describe(bound.type)}`, "Maps have no order.");
  return { sql: sortText(orderKey(bound.sql, bound.type), key), bound };
}

export function sortText(sql: string, { descending, nullsFirst = !descending }: Omit<SortKey, "expression">): string {
  return `${sql} ${descending ? "DESC" : "ASC"} NULLS ${nullsFirst ? "FIRST" : "LAST"}`;
}

function tieBreakers(place: Place): string[] {
  const texts =
    place.grouping.size > 0
      ? [...place.grouping]
      : place.scope.columns
          .filter((c) => isAtomic(c.type) && c.type.kind !== "void" && c.hidden !== true)
          .map((c) => normalizeZero(c.sql, c.type));
  return texts.map((sql) => sortText(sql, { descending: false }));
}

function isWhole(frame: Frame): boolean {
  return frame.start.kind === "unbounded preceding" && frame.end.kind === "unbounded following";
}
