import type { DuckDBConnection } from "@duckdb/node-api";
import { ARCHIVED, BEFORE_IMAGE, type ChangeRules, SEQUENCE, TRUNCATES } from "../../../model/changes.js";
import { isOfKey } from "../../cdc/event-flags.js";
import { type EventCounts, NO_EVENTS } from "../../engine.js";
import { placeOf } from "./event-order.js";
import type { Ties } from "./newest-events.js";
import { EVENTS, PART } from "./stage-events.js";
import type { Floor } from "./truncates.js";

/** What became of one part's events within the batch, before they are compared with what is known. */
type WithinBatch = Pick<
  EventCounts,
  "read" | "truncates" | "superseded" | "duplicate" | "late" | "beforeImages" | "archived" | "ties"
>;

/**
 * Counts what the batch itself decides, by part. Of the events in NEWEST nothing is said.
 *
 * @param newest events in NEWEST, by part
 */
export async function countWithinBatch(
  connection: DuckDBConnection,
  rules: ChangeRules,
  floor: Floor | undefined,
  ties: readonly Ties[],
  newest: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, WithinBatch>> {
  const before = rules.beforeImages ? BEFORE_IMAGE : "false";
  const archive = rules.archived ? ARCHIVED : "false";
  const truncate = rules.truncates ? TRUNCATES : "false";
  const place = placeOf(SEQUENCE, rules);
  const below = floor === undefined ? "false" : `${place} ${rules.ties === "delete" ? "<=" : "<"} (${floor.place})`;
  const older = floor === undefined ? "false" : `${place} < (${floor.place})`;
  const result =
    await connection.runAndReadAll(`SELECT ${PART}, count(*), count(*) FILTER (${before}), count(*) FILTER (${archive}),
      count(*) FILTER (${truncate} AND ${older}), count(*) FILTER (${truncate} AND NOT ${older}),
      count(*) FILTER (${isOfKey(rules)} AND ${below})
    FROM ${EVENTS} GROUP BY ALL ORDER BY ALL`);
  // Of truncates with the greatest sequence one is applied.
  let isApplied = floor?.isNew !== true;
  return new Map(
    result.getRows().map((row): [number, WithinBatch] => {
      const [part = 0, read = 0, beforeImages = 0, archived = 0, olderTruncates = 0, lastTruncates = 0, gone = 0] =
        row.map(Number);
      const truncates = !isApplied && lastTruncates > 0 ? 1 : 0;
      isApplied ||= truncates === 1;
      const { equal = 0, other = 0 } = ties.find((lost) => lost.part === part) ?? {};
      const under = gone + olderTruncates;
      const rest =
        read - beforeImages - archived - olderTruncates - lastTruncates - gone - equal - (newest.get(part) ?? 0);
      return [
        part,
        {
          read,
          beforeImages,
          archived,
          truncates,
          superseded: rest + (floor?.isNew === true ? under : 0),
          late: floor?.isNew === true ? 0 : under,
          duplicate: equal + lastTruncates - truncates,
          ties: other,
        },
      ];
    }),
  );
}

export function noEvents(within: WithinBatch | undefined): EventCounts {
  return { ...NO_EVENTS, ...within };
}
