import { DELETED, LISTED, RESERVED_PREFIX, SEQUENCE } from "../../../model/changes.js";
import type { Field } from "../../../model/data-type.js";
import { quoteIdentifier } from "../../../model/name.js";
import { quoteString } from "../../../sql/quote.js";
import type { HistoryShape } from "../../cdc/history-shape.js";
import { AFTER_DELETE } from "../../cdc/state-table.js";
import { FATE, TIED } from "./count-fates.js";
import { distinctText, keyList } from "./event-order.js";
import { listFields, PART } from "./events-text.js";
import { ASIDE, EQUAL, KNOWN, LATE, MINE, RANK, shownText, WAS } from "./history-events.js";

const own = (name: string) => `${RESERVED_PREFIX}${name}`;

/** Sequence of the first event of an event's version. */
export const START = own("start");
/** Sequence of the event after this one; NULL for the last. */
export const NEXT = own("next");
/** BOOLEAN: the state table gets the event, or another one in its place: the versions do not tell it exactly. */
export const HIDDEN = own("hidden");
/** BOOLEAN: the target gets the version that ends with this event, or another one in its place. */
export const SHOWN = own("shown");
/** BOOLEAN: the version that began with this event goes. */
export const GOES = own("goes");
/** BOOLEAN: the last event of a key, which had an open version and has none any more. */
export const CLOSES = own("closes");

/** The column of what a version shows of a value: where it may be kept, that may be of an event before. */
export function shownName(shape: HistoryShape, { name }: Pick<Field, "name">): string {
  const place = keptValues(shape).findIndex((field) => field.name === name);
  return place === -1 ? name : own(`shown_${place}`);
}

/** What becomes of the events of a batch, of type 2: see `HistoryCounts` of `duckdb/cdc`. */
export type HistoryFate = (typeof HISTORY_FATES)[number];

export const HISTORY_FATES = [
  "inserted",
  "updated",
  "deleted",
  "unchanged",
  "superseded",
  "duplicate",
  "late",
] as const;

/** Columns of `placedEvents`. */
export function placedFields(shape: HistoryShape): readonly Field[] {
  const { keys, columns, values, sequenceType } = shape;
  const of = (kind: "boolean" | "int" | "string", names: readonly string[]) =>
    names.map((name): Field => ({ name, type: { kind }, nullable: true }));
  const shown = keptValues(shape).map((field) => ({ ...field, name: shownName(shape, field) }));
  return [
    ...columns.filter(({ name }) => keys.includes(name)),
    ...values,
    ...shown,
    ...[SEQUENCE, START, NEXT].map((name): Field => ({ name, type: sequenceType, nullable: true })),
    ...of("boolean", [DELETED, AFTER_DELETE, ASIDE, HIDDEN, SHOWN, GOES, CLOSES, TIED]),
    ...of("int", [PART]),
    ...of("string", [FATE]),
    ...listFields(shape),
  ];
}

/**
 * SQL of events, each with its place in the history of its key, and what becomes of it: the columns of `placedFields`.
 *
 * @param events SQL as of `historyEvents`
 */
export function placedEvents(shape: HistoryShape, events: string): string {
  // Those that lost are carried along: they have no place, and are counted.
  const key = `PARTITION BY ${keyList(shape)}, ${COUNTS}`;
  const inOrder = `(${key} ORDER BY ${SEQUENCE} ROWS UNBOUNDED PRECEDING)`;
  const after = `(${key} ORDER BY ${SEQUENCE})`;
  const version = `${key}, ${VERSION}`;
  const wasDeleted = `lag(${DELETED}, 1, true) OVER ${after}`;
  const counted = `SELECT *, ${RANK} = 1 AS ${COUNTS} FROM (${events})`;
  const opened = `SELECT *, NOT ${DELETED} AND (${wasDeleted} OR ${differs(shape, true, after)}) AS ${OPENS},
      NOT ${DELETED} AND ${differs(shape, false, after)} AS ${ALTERS}, ${wasDeleted} AS ${own("first")} FROM (${filledEvents(shape, counted)})`;
  const numbered = `SELECT *, sum(CAST(${OPENS} AS INT)) OVER ${inOrder} AS ${VERSION}, lead(${SEQUENCE}) OVER ${after} AS ${NEXT},
      lead(${OPENS} OR ${DELETED}, 1, true) OVER ${after} AS ${LAST} FROM (${opened})`;
  const filledIn = keptValues(shape).map(
    (field) => ` OR (${quoteIdentifier(field.name)} IS NULL AND ${shownName(shape, field)} IS NOT NULL)`,
  );
  const members = `count(CASE WHEN NOT ${DELETED} THEN 1 END) OVER (${version})`;
  // No version tells which columns its event wrote.
  const isUntold = shape.listable === undefined ? `${members} > 1 OR ${AFTER_DELETE}${filledIn.join("")}` : "true";
  const placed = `SELECT *, first_value(${SEQUENCE}) OVER (${version} ORDER BY ${SEQUENCE}) AS ${START},
      first_value(${WAS}) OVER (${version} ORDER BY ${SEQUENCE}) AS ${own("before")},
      bool_or(${WAS} IS NOT NULL AND ${WAS}.end IS NULL) OVER (${key}) AS ${own("was_open")},
      CASE WHEN ${DELETED} THEN ${own("first")} ELSE ${isUntold} END AS ${own("untold")} FROM (${numbered})`;
  const items = placedFields(shape).map(
    ({ name }) => `${decisions(shape)[name] ?? quoteIdentifier(name)} AS ${quoteIdentifier(name)}`,
  );
  return `SELECT ${items.join(", ")} FROM (${placed})`;
}

const COUNTS = own("counts");
const OPENS = own("opens");
const ALTERS = own("alters");
const LAST = own("last");
const VERSION = own("version");

/** SQL of what is found out at the end, by column. */
function decisions(shape: HistoryShape): Readonly<Record<string, string>> {
  const isUpdate = `${KNOWN} OR (NOT ${OPENS} AND ${ALTERS} AND ${LAST})`;
  const untold = own("untold");
  const applied = `CASE WHEN ${DELETED} THEN if(${untold}, 'unchanged', 'deleted')
      WHEN ${isUpdate} THEN 'updated' WHEN ${OPENS} THEN 'inserted' ELSE 'unchanged' END`;
  const lost = `CASE WHEN ${EQUAL} THEN 'duplicate' WHEN ${LATE} THEN 'late' ELSE 'superseded' END`;
  const shown = shape.values.map((field) => shownValue(shape, field));
  const unwrapped = keptValues(shape).flatMap((field) =>
    [field.name, shownName(shape, field)].map((name) => [name, `${quoteIdentifier(name)}.v`]),
  );
  return {
    ...Object.fromEntries(unwrapped),
    ...(shape.listable === undefined ? {} : { [LISTED]: writtenColumns(shape) }),
    [FATE]: `CASE WHEN ${PART} IS NOT NULL THEN if(${COUNTS}, ${applied}, ${lost}) END`,
    [TIED]: `${PART} IS NOT NULL AND NOT ${COUNTS} AND NOT ${EQUAL}`,
    [HIDDEN]: `${COUNTS} AND if(${ASIDE}, ${shape.kept.length === 0 ? `${PART} IS NOT NULL` : MINE}, ${untold})`,
    [SHOWN]: `${COUNTS} AND NOT ${DELETED} AND ${LAST} AND ${own("before")} IS DISTINCT FROM ${shownText(shape, shown, NEXT)}`,
    [GOES]: `${COUNTS} AND ${WAS} IS NOT NULL AND NOT ${OPENS}`,
    [CLOSES]: `${COUNTS} AND ${DELETED} AND ${NEXT} IS NULL AND ${own("was_open")}`,
  };
}

/** The events with what their versions show. */
function filledEvents(shape: HistoryShape, counted: string): string {
  if (shape.kept.length === 0) return counted;
  const key = `PARTITION BY ${keyList(shape)}, ${COUNTS}`;
  const epoch = `sum(CAST(${DELETED} OR ${AFTER_DELETE} AS INT)) OVER (${key} ORDER BY ${SEQUENCE} ROWS UNBOUNDED PRECEDING)`;
  const sinceDelete = `(${key}, ${own("epoch")} ORDER BY ${SEQUENCE} ROWS UNBOUNDED PRECEDING)`;
  const shown = keptValues(shape).map(
    (field) =>
      `last_value(${quoteIdentifier(field.name)}) IGNORE NULLS OVER ${sinceDelete} AS ${shownName(shape, field)}`,
  );
  return `SELECT *, ${shown.join(", ")} FROM (SELECT *, ${epoch} AS ${own("epoch")} FROM (${counted}))`;
}

/** SQL: some column that is tracked, or some that is not, shows another value than in the event before. */
function differs(shape: HistoryShape, isTracked: boolean, after: string): string {
  const values = shape.values
    .filter(({ name }) => shape.tracked.includes(name) === isTracked)
    .map((field) => shownValue(shape, field));
  if (values.length === 0) return "false";
  const row = `struct(${values.join(", ")})`;
  return `${row} IS DISTINCT FROM lag(${row}) OVER ${after}`;
}

/** SQL of a value that a version shows, as of `distinctValue`. */
function shownValue(shape: HistoryShape, field: Field): string {
  const shown = quoteIdentifier(shownName(shape, field));
  return distinctText(field.type, shape.kept.includes(field.name) ? `${shown}.v` : shown);
}

/** SQL of the names of the columns that an event wrote. */
function writtenColumns(shape: HistoryShape): string {
  const names = keptValues(shape).map(
    ({ name }) => `CASE WHEN ${quoteIdentifier(name)} IS NOT NULL THEN ${quoteString(name.toLowerCase())} END`,
  );
  return `CAST(array_compact(array(${names.join(", ")})) AS ARRAY<STRING>)`;
}

function keptValues({ values, kept }: HistoryShape): readonly Field[] {
  return values.filter(({ name }) => kept.includes(name));
}
