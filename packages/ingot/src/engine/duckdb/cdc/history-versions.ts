import { DELETED, END_AT, LISTED, SEQUENCE, START_AT } from "../../../model/changes.js";
import type { Field } from "../../../model/data-type.js";
import { quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import type { HistoryShape } from "../../cdc/history-shape.js";
import { AFTER_DELETE } from "../../cdc/state-table.js";
import { keyList, placeOf, sameKey } from "./event-order.js";

/**
 * SQL of the events that count, each with its place in the history of its key: keys, values, SEQUENCE, DELETED,
 * AFTER_DELETE, PART, and by the reserved prefix `place`, `known`, `shown_<i>` (value that the version shows, of the i-th
 * column that is kept, as a struct like the values), `opens` (a version begins), `alters` (a column that is not tracked has another value than
 * before), `start` and `next` (sequences of the version's first event and of the event after this one), `last` (of its
 * version) and `hidden` (the version does not tell the event exactly, so the state table has to).
 *
 * @param events relation as of `historyEvents`
 */
export function placedEvents(shape: HistoryShape, events: string): string {
  const key = keyList(shape);
  const inOrder = `(PARTITION BY ${key} ORDER BY __ingot_place)`;
  const sinceDelete = `(PARTITION BY ${key}, __ingot_epoch ORDER BY __ingot_place ROWS UNBOUNDED PRECEDING)`;
  const kept = keptColumns(shape);
  const shown = kept.map(({ name }, i) => {
    return `, last_value(${quoteName(name)} IGNORE NULLS) OVER ${sinceDelete} AS __ingot_shown_${i}`;
  });
  const epochs = `SELECT *, sum((${DELETED} OR ${AFTER_DELETE})::INTEGER) OVER ${inOrder} AS __ingot_epoch
      FROM ${events} WHERE __ingot_rank = 1`;
  const filled = `SELECT * EXCLUDE (__ingot_epoch)${shown.join("")} FROM (${epochs})`;
  const opens = `NOT ${DELETED} AND (lag(${DELETED}) OVER ${inOrder} IS NOT FALSE OR ${differs(shape, true, inOrder)})`;
  const alters = `NOT ${DELETED} AND ${differs(shape, false, inOrder)}`;
  const opened = `SELECT *, ${opens} AS __ingot_opens, ${alters} AS __ingot_alters,
      lag(${DELETED}) OVER ${inOrder} IS NOT FALSE AS __ingot_first FROM (${filled})`;
  const numbered = `SELECT *, sum(__ingot_opens::INTEGER) OVER ${inOrder} AS __ingot_version,
      lead(${SEQUENCE}) OVER ${inOrder} AS __ingot_next,
      lead(__ingot_opens OR ${DELETED}) OVER ${inOrder} IS NOT FALSE AS __ingot_last FROM (${opened})`;
  const filledIn = kept.map(({ name }, i) => ` OR ${quoteName(name)} IS DISTINCT FROM __ingot_shown_${i}`).join("");
  const version = `PARTITION BY ${key}, __ingot_version`;
  const members = `count(*) FILTER (NOT ${DELETED}) OVER (${version})`;
  // No version tells which columns its event wrote.
  const isUntold = shape.listable === undefined ? `${members} > 1 OR ${AFTER_DELETE}${filledIn}` : "true";
  return `SELECT * EXCLUDE (__ingot_version, __ingot_first),
      first_value(${SEQUENCE}) OVER (${version} ORDER BY __ingot_place) AS __ingot_start,
      CASE WHEN ${DELETED} THEN __ingot_first ELSE ${isUntold} END AS __ingot_hidden
    FROM (${numbered})`;
}

/** SQL of the versions that placed events come to: the target's columns. */
export function versionRows(shape: HistoryShape, placed: string): string {
  const kept = keptColumns(shape);
  const columns = shape.values.map((field) => {
    const place = kept.indexOf(field);
    return place === -1 ? quoteName(field.name) : `${unwrap(`__ingot_shown_${place}`)} AS ${quoteName(field.name)}`;
  });
  const list = [keyList(shape), ...columns].join(", ");
  return `SELECT ${list}, __ingot_start AS ${START_AT}, __ingot_next AS ${END_AT} FROM ${placed} WHERE NOT ${DELETED} AND __ingot_last`;
}

/**
 * SQL of the rows that the state table gets or that change there: keys, SEQUENCE, values, DELETED, AFTER_DELETE and
 * LISTED. Rows only come, and what stands there is always true: so a run that died between the state table and the
 * target finds all events again.
 */
export function sideRows(shape: HistoryShape, placed: string, side: string): string {
  const kept = keptColumns(shape).map(({ name }) => quoteName(name));
  const columns = [...valueList(shape), DELETED, AFTER_DELETE].map((name) => ({
    name,
    value: kept.includes(name) ? unwrap(`p.${name}`) : `p.${name}`,
  }));
  if (shape.listable !== undefined) columns.push({ name: LISTED, value: writtenColumns(shape) });
  const differs = columns.map(({ name, value }) => `s.${name} IS DISTINCT FROM ${value}`).join(" OR ");
  const at = placeOf(`s.${SEQUENCE}`, shape);
  const list = [...shape.keys.map(quoteName), SEQUENCE].map((name) => `p.${name}`);
  return `SELECT ${[...list, ...columns.map(({ name, value }) => `${value} AS ${name}`)].join(", ")} FROM ${placed} p
    LEFT JOIN ${side} s ON ${sameKey(shape, "s", "p")} AND ${at} = p.__ingot_place
    WHERE CASE WHEN s.${SEQUENCE} IS NULL THEN p.__ingot_hidden ELSE ${differs} END`;
}

function writtenColumns(shape: HistoryShape): string {
  const names = keptColumns(shape).map(
    ({ name }) => `CASE WHEN p.${quoteName(name)} IS NOT NULL THEN ${quoteText(name.toLowerCase())} END`,
  );
  return `list_filter([${names.join(", ")}], lambda name: name IS NOT NULL)`;
}

/** What becomes of a row of the target. */
export const ACTION = "__ingot_action";

/** SQL of the difference between the versions that are there and those that should be, with ACTION. */
export function versionDifference(shape: HistoryShape, before: string, after: string): string {
  const rest = [...valueList(shape), END_AT];
  const list = [...shape.keys.map(quoteName), ...rest, START_AT];
  const order = (side: string) => placeOf(`${side}.${START_AT}`, shape);
  const differs = rest.map((name) => `a.${name} IS DISTINCT FROM b.${name}`).join(" OR ");
  const chosen = list.map((name) => `CASE WHEN a.${START_AT} IS NULL THEN b.${name} ELSE a.${name} END AS ${name}`);
  const action = `CASE WHEN a.${START_AT} IS NULL THEN 'delete' WHEN b.${START_AT} IS NULL THEN 'insert' ELSE 'update' END`;
  return `SELECT ${chosen.join(", ")}, ${action} AS ${ACTION} FROM (${after}) a
    FULL JOIN ${before} b ON ${sameKey(shape, "a", "b")} AND ${order("a")} = ${order("b")}
    WHERE a.${START_AT} IS NULL OR b.${START_AT} IS NULL OR ${differs}`;
}

function valueList({ values }: HistoryShape): string[] {
  return values.map(({ name }) => quoteName(name));
}

function keptColumns({ values, kept }: HistoryShape): Field[] {
  return values.filter(({ name }) => kept.includes(name));
}

/** The value in a struct of `historyEvents`. */
function unwrap(value: string): string {
  return `struct_extract(${value}, 'v')`;
}

/** SQL: some column that is tracked, or some that is not, shows another value than in the event before. */
function differs(shape: HistoryShape, isTracked: boolean, inOrder: string): string {
  const kept = keptColumns(shape);
  const values = shape.values
    .filter(({ name }) => shape.tracked.includes(name) === isTracked)
    .map((field) => (kept.includes(field) ? unwrap(`__ingot_shown_${kept.indexOf(field)}`) : quoteName(field.name)));
  if (values.length === 0) return "false";
  const row = `row(${values.join(", ")})`;
  return `${row} IS DISTINCT FROM lag(${row}) OVER ${inOrder}`;
}
