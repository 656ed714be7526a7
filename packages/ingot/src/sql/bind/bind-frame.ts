import type { Expression, Frame, FrameBound, Window } from "../parse/ast.js";
import { DAY } from "./bind-interval.js";
import { coerce, describe, type Place, unsupported } from "./bind-place.js";
import type { Bound } from "./bound.js";
import { INT, isDatetime, isInteger, isMonths, isNumeric } from "./type-rules.js";

interface BoundFrame {
  readonly sql: string;
  /** How Spark writes it. */
  readonly name: string | undefined;
  /** Of a distance that is an interval: whether of months. */
  readonly months?: boolean;
}

/** ROWS and RANGE; a distance of RANGE is one of the values of the only sort key. */
export function bindFrame(place: Place, window: Window, frame: Frame, keys: readonly Bound[]): BoundFrame {
  const { start: first, end: last } = frame;
  const isOneSide = first.kind === last.kind && "distance" in first && "distance" in last;
  const isReversed = isOneSide ? isFurther(first, last) : order(first) > order(last);
  if (isReversed) throw unsupported(place, window.at, "A frame that ends before it starts", "Swap its bounds.");
  const bounds = [frame.start, frame.end].map((bound) => bindBound(place, window, frame, bound, keys));
  const [start, end] = bounds;
  if (new Set(bounds.map((b) => b.months).filter((m) => m !== undefined)).size > 1)
    throw unsupported(place, window.at, "A frame from months to days", "Take one of them for both bounds.");
  return {
    sql: `${frame.unit} BETWEEN ${start?.sql} AND ${end?.sql}`,
    name:
      start?.name === undefined || end?.name === undefined
        ? undefined
        : `${frame.unit} BETWEEN ${start.name} AND ${end.name}`,
  };
}

/** Whether the first of two bounds on one side comes after the second. */
function isFurther(first: FrameBound & { distance: Expression }, last: FrameBound & { distance: Expression }): boolean {
  const [a, b] = [first, last].map(({ distance }) => (distance.kind === "literal" ? Number(distance.value) : 0));
  return first.kind === "following" ? (a ?? 0) > (b ?? 0) : (a ?? 0) < (b ?? 0);
}

const ORDER = ["unbounded preceding", "preceding", "current row", "following", "unbounded following"];

function order({ kind }: FrameBound): number {
  return ORDER.indexOf(kind);
}

function bindBound(
  place: Place,
  window: Window,
  { unit }: Frame,
  bound: FrameBound,
  keys: readonly Bound[],
): BoundFrame {
  if (bound.kind !== "preceding" && bound.kind !== "following") {
    const sql = bound.kind.toUpperCase();
    return { sql, name: sql };
  }
  const side = bound.kind.toUpperCase();
  const distance = place.binder.bind(place, bound.distance);
  if (unit === "ROWS") {
    const text = distance.literal?.value ?? "";
    if (!/^\d{1,9}$/.test(text))
      throw unsupported(place, distance.at, "A frame bound that is no whole number", "Write a number such as 3.");
    return { sql: `${text} ${side}`, name: `${text} ${side}` };
  }
  const [key, second] = keys;
  if (key === undefined || second !== undefined)
    throw unsupported(place, window.at, "RANGE with a distance and other than one sort key", "Order by one value.");
  return {
    sql: `${distanceText(place, key, distance)} ${side}`,
    name: boundName(key, distance, bound.kind),
    ...(distance.type.kind === "interval" ? { months: isMonths(distance.type) } : {}),
  };
}

function distanceText(place: Place, key: Bound, distance: Bound): string {
  if (distance.type.kind === "interval") return intervalText(place, key, distance);
  if (distance.literal?.type !== "number" || distance.literal.value.startsWith("-"))
    throw unsupported(place, distance.at, "A computed distance of RANGE", "Write a number of 0 or more.");
  if (key.type.kind === "date" && isInteger(distance.type)) return `to_days(${coerce(place, distance, INT).sql})`;
  if (isNumeric(key.type) && isNumeric(distance.type)) return coerce(place, distance, key.type).sql;
  const hint = "Order by a number or a date.";
  throw unsupported(place, distance.at, `RANGE of ${describe(distance.type)} over ${describe(key.type)}`, hint);
}

/** Beside a date, whole days or months; beside a moment in no zone, any. */
function intervalText(place: Place, key: Bound, { sql, type, at }: Bound): string {
  const isWhole = type.kind === "interval" && (isMonths(type) || (type.from === "day" && type.to === "day"));
  const isTime = type.kind === "interval" && !isMonths(type);
  // A day of the calendar is no 24 hours where the clock changes.
  if (key.type.kind === "timestamp" && isTime)
    return `(to_days(CAST(epoch_us(${sql}) // ${DAY} AS INTEGER)) + to_microseconds(epoch_us(${sql}) % ${DAY}))`;
  if (isDatetime(key.type) && (key.type.kind !== "date" || isWhole)) return sql;
  throw unsupported(
    place,
    at,
    `RANGE of ${describe(type)} over ${describe(key.type)}`,
    "Order by a date and take days.",
  );
}

/** A distance that is cast shows how Spark computes the bound before: it adds the negative. */
function boundName(key: Bound, distance: Bound, side: "preceding" | "following"): string | undefined {
  if (distance.name === undefined) return undefined;
  const isCast = !isDatetime(key.type) && key.type.kind !== distance.type.kind;
  return isCast && side === "preceding" ? `(- ${distance.name}) FOLLOWING` : `${distance.name} ${side.toUpperCase()}`;
}
