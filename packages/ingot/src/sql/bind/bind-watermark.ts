import type { Watermark } from "../parse/ast.js";
import { describe, fail, type Place } from "./bind-place.js";

/**
 * Checks the time of a watermark. It decides which rows come too late for what a streaming query keeps from batch to
 * batch; queries that keep something are refused elsewhere, and of the others it leaves out no row.
 *
 * @throws IngotError UNRESOLVED_COLUMN.…, EVENT_TIME_IS_NOT_ON_TIMESTAMP_TYPE
 */
export function checkWatermark(place: Place, { time }: Watermark): void {
  const { type, at } = place.binder.bind(place, time);
  if (type.kind === "timestamp" || type.kind === "timestamp_ntz") return;
  const written = time.path.join(".");
  throw fail(
    place,
    at,
    "EVENT_TIME_IS_NOT_ON_TIMESTAMP_TYPE",
    `The event time ${written} is ${describe(type)}, and a watermark needs a TIMESTAMP`,
    `Cast it in a view before: CAST(${written} AS TIMESTAMP).`,
    written,
  );
}
