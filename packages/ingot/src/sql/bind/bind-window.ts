import { normalizeZero } from "../lower/lower-text.js";
import type { Frame, FrameBound, SortKey, Window } from "../parse/ast.js";
import { describe, fail, type Place, unsupported } from "./bind-place.js";
import type { Bound } from "./bound.js";
import { isAtomic } from "./type-rules.js";

/** The inside of OVER (…), and the expressions in it. */
export interface BoundWindow {
  readonly sql: string;
  readonly parts: readonly Bound[];
}

/**
 * A window. Where a result depends on the order of rows that the keys leave open (`row_number` with a tie), Spark takes
 * any order; here all columns of the input decide, so that the same rows always give the same result.
 */
export function bindWindow(place: Place, window: Window, name: string, ordered: boolean): BoundWindow {
  const partition = window.partitionBy.map((e) => place.binder.bind(place, e));
  const keys = window.orderBy.map((key) => bindSortKey(place, key));
  const { frame } = window;
  if (ordered && keys.length === 0)
    throw fail(place, window.at, "UNSUPPORTED_CLAUSE", `${name} needs an order`, "Add ORDER BY to the window.", name);
  if (frame !== undefined) checkFrame(place, window.at, frame);
  const countsRows = frame !== undefined && frame.unit === "ROWS" && !isWhole(frame);
  const isOneRow = place.grouping.size === 0 && keys.some((k) => k.bound.aggregate);
  const ties = (ordered || countsRows) && !isOneRow ? tieBreakers(place) : [];
  const order = [...keys.map((k) => k.sql), ...ties];
  const clauses = [
    ...(partition.length === 0 ? [] : [`PARTITION BY ${partition.map((p) => p.sql).join(", ")}`]),
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(", ")}`]),
    ...(frame === undefined ? [] : [`${frame.unit} BETWEEN ${boundText(frame.start)} AND ${boundText(frame.end)}`]),
  ];
  return { sql: clauses.join(" "), parts: [...partition, ...keys.map((k) => k.bound)] };
}

/** Spark puts NULL first when ascending and last when descending. */
export function bindSortKey(place: Place, key: SortKey): { readonly sql: string; readonly bound: Bound } {
  const bound = place.binder.bind(place, key.expression);
  if (!isAtomic(bound.type))
    throw unsupported(place, bound.at, `Sorting by ${describe(bound.type)}`, "Sort by its fields.");
  return { sql: sortText(normalizeZero(bound.sql, bound.type), key), bound };
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

function checkFrame(place: Place, at: number, frame: Frame): void {
  const counts = [frame.start, frame.end].some((b) => b.kind === "preceding" || b.kind === "following");
  if (frame.unit === "RANGE" && counts)
    throw unsupported(place, at, "RANGE with a distance", "Use ROWS, or join the table with itself.");
}

function boundText(bound: FrameBound): string {
  return bound.kind === "preceding" || bound.kind === "following"
    ? `${bound.rows} ${bound.kind.toUpperCase()}`
    : bound.kind.toUpperCase();
}
