import { DELETED, END_AT, LISTED, SEQUENCE, START_AT } from "../../../model/changes.js";
import { fieldNamed } from "../../../model/data-type.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import type { HistoryShape } from "../../cdc/history-shape.js";
import { AFTER_DELETE } from "../../cdc/state-table.js";
import { eventDigest, keyList, kindFirst, placeOf, sameKey } from "./event-order.js";
import { valueOrder, writes } from "./fold-columns.js";
import { PART } from "./stage-events.js";

/** Relations that hold all that is known of some keys. */
export interface HistoryRelations {
  /** Rows of the target: keys, values, `__START_AT` and `__END_AT`. */
  readonly versions: string;
  /** Rows of the state table: keys, values, SEQUENCE, DELETED, AFTER_DELETE and, where the shape has them, LISTED. */
  readonly side: string;
  /** The new events: the columns of the rules, SEQUENCE, DELETED, LISTED and PART. */
  readonly batch: string;
}

/**
 * SQL of the events of the keys: keys, values (of columns that are kept as structs of one field `v`, NULL where the event
 * does not write them), SEQUENCE, DELETED, AFTER_DELETE, PART (NULL: not from the batch), and by the
 * reserved prefix, since a column of the user's may have any other name: `place` (see `placeOf`), `rank` (1: the event
 * counts; greater: it lost against another of its key and sequence), `known` (an event of its key and sequence was stored),
 * `equal` (it is no other than the one that counts), `late` (the one that counts was stored).
 */
export function historyEvents(shape: HistoryShape, relations: HistoryRelations): string {
  const keys = keyList(shape);
  // What a delete says beside its key counts for nothing.
  const news = shape.values.map(({ name }) =>
    fieldNamed(shape.columns, name) === undefined ? "NULL" : `CASE WHEN NOT ${DELETED} THEN ${quoteName(name)} END`,
  );
  const event = `PARTITION BY ${keys}, __ingot_place`;
  const counts = `${event} ORDER BY ${kindFirst(shape)}, __ingot_tie DESC, ${PART} NULLS FIRST`;
  const both = `(__ingot_tie, ${DELETED})`;
  const merged = [
    ...mergedValues(shape, event),
    ...(shape.kept.length === 0
      ? []
      : [`NOT ${DELETED} AND bool_or(${DELETED} OR ${AFTER_DELETE}) OVER (${event}) AS ${AFTER_DELETE}`]),
  ];
  // A digest costs more than all else here, and only ties ask for it.
  const tie = `CASE WHEN ${DELETED} THEN '' WHEN count(*) OVER (${event}) > 1 THEN ${tieText(shape)} END`;
  const replaced = merged.length === 0 ? "" : ` REPLACE (${merged.join(", ")})`;
  const list = listOf(shape);
  return `SELECT * EXCLUDE (__ingot_tie${list})${replaced}, row_number() OVER (${counts}) AS __ingot_rank,
      bool_or(${PART} IS NULL) OVER (${event}) AS __ingot_known,
      ${both} IS NOT DISTINCT FROM first_value(${both}) OVER (${counts}) AS __ingot_equal,
      first_value(${PART}) OVER (${counts}) IS NULL AS __ingot_late
    FROM (SELECT *, ${tie} AS __ingot_tie FROM (SELECT *, ${placeOf(SEQUENCE, shape)} AS __ingot_place FROM (
      ${storedEvents(shape, relations)}
      UNION ALL SELECT ${[keys, ...news].join(", ")}, ${SEQUENCE}, ${DELETED}, false, ${PART}${list} FROM ${relations.batch})))`;
}

/**
 * Law 5 by the digest; where an event may keep values of before, all upserts of a sequence count, and the digest decides
 * about the other columns alone.
 */
function tieText({ columns, kept, listable }: HistoryShape): string {
  if (kept.length === 0) return eventDigest({ columns });
  const others = columns.filter(({ name }) => !kept.includes(name));
  const list = listable === undefined ? "" : ` || coalesce(array_to_string(list_sort(${LISTED}), ','), '')`;
  return `${eventDigest({ columns: others })} || ${eventDigest({ columns })}${list}`;
}

/** Of a column that is kept, the greatest of the values that upserts of one sequence write. */
function mergedValues(shape: HistoryShape, event: string): string[] {
  return shape.values
    .filter(({ name }) => shape.kept.includes(name))
    .map((field) => {
      const value = quoteName(field.name);
      const greatest = `arg_max({v: ${value}}, ${valueOrder(field)}) FILTER (NOT ${DELETED} AND ${writes(shape, field.name)})`;
      return `CASE WHEN NOT ${DELETED} THEN ${greatest} OVER (${event}) END AS ${value}`;
    });
}

/**
 * The events that target and state table hold: what the state table has is exact; a version that it does not speak of is
 * one event, and its end a delete where no version follows at once.
 */
function storedEvents(shape: HistoryShape, { versions, side }: HistoryRelations): string {
  const keys = keyList(shape);
  const values = shape.values.map(({ name }) => quoteName(name));
  const row = [keys, ...values].join(", ");
  const list = listOf(shape);
  const noList = list === "" ? "" : `, NULL AS ${LISTED}`;
  const none = values.map((name) => `NULL AS ${name}`);
  const isKnown = `${sameKey(shape, "s", "v")} AND ${placeOf(`s.${SEQUENCE}`, shape)} = ${placeOf(`v.${START_AT}`, shape)}`;
  const next = `lead(${START_AT}) OVER (PARTITION BY ${keys} ORDER BY ${placeOf(START_AT, shape)})`;
  return `SELECT ${row}, ${START_AT} AS ${SEQUENCE}, false AS ${DELETED}, false AS ${AFTER_DELETE}, NULL::INTEGER AS ${PART}${noList} FROM ${versions} v
      WHERE NOT EXISTS (SELECT 1 FROM ${side} s WHERE ${isKnown})
      UNION ALL SELECT ${[keys, ...none].join(", ")}, ${END_AT}, true, false, NULL${noList}
      FROM (SELECT *, ${next} AS __ingot_next FROM ${versions}) WHERE ${END_AT} IS NOT NULL AND __ingot_next IS DISTINCT FROM ${END_AT}
      UNION ALL SELECT ${row}, ${SEQUENCE}, ${DELETED}, ${AFTER_DELETE}, NULL${list} FROM ${side}`;
}

function listOf({ listable }: HistoryShape): string {
  return listable === undefined ? "" : `, ${LISTED}`;
}
