import { DELETED, END_AT, LISTED, RESERVED_PREFIX, SEQUENCE, START_AT } from "../../../model/changes.js";
import { fieldNamed } from "../../../model/data-type.js";
import { quoteIdentifier } from "../../../model/name.js";
import { rowDigest } from "../../../sql/row-digest.js";
import type { HistoryShape } from "../../cdc/history-shape.js";
import { AFTER_DELETE } from "../../cdc/state-table.js";
import { distinctValue, keyList, kindFirst } from "./event-order.js";
import { PART } from "./events-text.js";
import { valueOrder, writes } from "./fold-columns.js";

/** SQL of relations that hold all that is known of some keys. */
export interface HistoryRelations {
  /** Rows of the target: keys, values, `__START_AT` and `__END_AT`. */
  readonly versions: string;
  /** Rows of the state table: keys, values, SEQUENCE, DELETED, AFTER_DELETE and, where the shape has them, LISTED. */
  readonly side: string;
  /** The new events: the columns of the rules, SEQUENCE, DELETED, LISTED and PART. */
  readonly batch: string;
}

const own = (name: string) => `${RESERVED_PREFIX}${name}`;

/** BIGINT: 1 of the event that counts; greater: it lost against another of its key and sequence. */
export const RANK = own("rank");
/** BOOLEAN: an event of its key and sequence was stored. */
export const KNOWN = own("known");
/** BOOLEAN: it is no other than the one that counts. */
export const EQUAL = own("equal");
/** BOOLEAN: the one that counts was stored. */
export const LATE = own("late");
/** BOOLEAN: the state table has an event of its key and sequence. */
export const ASIDE = own("aside");
/** BOOLEAN: the batch has one. */
export const MINE = own("mine");
/** The version that began with its sequence, as of `shownText`; NULL where none did. */
export const WAS = own("was");

const KIND = own("kind");
const TIE = own("tie");
/** The event is the end of a version, not its begin. */
const ENDS = own("ends");

/**
 * SQL of the events of the keys: keys, values (of columns that are kept as structs of one field `v`, NULL where the event
 * does not write them), SEQUENCE, DELETED, AFTER_DELETE, PART (NULL: not from the batch), and the columns above.
 */
export function historyEvents(shape: HistoryShape, relations: HistoryRelations): string {
  const keys = keyList(shape);
  const event = `PARTITION BY ${keys}, ${SEQUENCE}`;
  const counts = `${event} ORDER BY ${kindFirst(shape)}, ${TIE} DESC, ${PART} ASC NULLS FIRST`;
  const both = `struct(${TIE}, ${DELETED})`;
  // A digest costs more than all else here, and only ties ask for it.
  const tie = `CASE WHEN ${DELETED} THEN '' WHEN count(*) OVER (${event}) > 1 THEN ${tieText(shape)} END`;
  const values = shape.values.map((field) => {
    const value = quoteIdentifier(field.name);
    if (!shape.kept.includes(field.name)) return value;
    // Of a column that is kept, the greatest of the values that upserts of one sequence write.
    const written = `CASE WHEN NOT ${DELETED} AND ${writes(shape, field.name)} THEN ${valueOrder(field)} END`;
    return `CASE WHEN NOT ${DELETED} THEN max_by(named_struct('v', ${value}), ${written}) OVER (${event}) END AS ${value}`;
  });
  const afterDelete =
    shape.kept.length === 0
      ? AFTER_DELETE
      : `NOT ${DELETED} AND bool_or(${DELETED} OR ${AFTER_DELETE}) OVER (${event}) AS ${AFTER_DELETE}`;
  return `SELECT ${[keys, ...values].join(", ")}, ${SEQUENCE}, ${DELETED}, ${afterDelete}, ${PART}, ${WAS}, ${ASIDE}, ${MINE},
      row_number() OVER (${counts}) AS ${RANK}, bool_or(${PART} IS NULL) OVER (${event}) AS ${KNOWN},
      ${both} <=> first_value(${both}) OVER (${counts}) AS ${EQUAL}, first_value(${PART}) OVER (${counts}) IS NULL AS ${LATE}
    FROM (SELECT * EXCEPT (${WAS}), ${tie} AS ${TIE}, any_value(${WAS}) IGNORE NULLS OVER (${event}) AS ${WAS},
        bool_or(${KIND} = 'side') OVER (${event}) AS ${ASIDE}, bool_or(${PART} IS NOT NULL) OVER (${event}) AS ${MINE}
      FROM (SELECT * FROM (${allEvents(shape, relations)}) DISTRIBUTE BY ${keys}))
    WHERE NOT (${KIND} = 'version' AND ${ASIDE})`;
}

/**
 * Law 5 by the digest; where an event may keep values of before, all upserts of a sequence count, and the digest decides
 * about the other columns alone.
 */
function tieText({ columns, kept, listable }: HistoryShape): string {
  if (kept.length === 0) return rowDigest(columns);
  const list = listable === undefined ? "''" : `coalesce(array_join(array_sort(${LISTED}), ','), '')`;
  return `concat(${rowDigest(columns.filter(({ name }) => !kept.includes(name)))}, ${rowDigest(columns)}, ${list})`;
}

/**
 * The events that target, state table and batch hold: what the state table has is exact; a version that it does not speak
 * of is one event, and its end a delete where no version follows at once.
 */
function allEvents(shape: HistoryShape, { versions, side, batch }: HistoryRelations): string {
  const keys = keyList(shape);
  const values = shape.values.map(({ name }) => quoteIdentifier(name));
  const row = [keys, ...values].join(", ");
  const list = shape.listable === undefined ? "" : `, ${LISTED}`;
  const noList = list === "" ? "" : `, CAST(NULL AS ARRAY<STRING>) AS ${LISTED}`;
  // What a delete says beside its key counts for nothing.
  const news = shape.values.map(({ name }) =>
    fieldNamed(shape.columns, name) === undefined
      ? "NULL"
      : `CASE WHEN NOT ${DELETED} THEN ${quoteIdentifier(name)} END`,
  );
  const next = `lead(${START_AT}) OVER (PARTITION BY ${keys} ORDER BY ${START_AT})`;
  const shown = shownText(
    shape,
    shape.values.map((field) => distinctValue(field)),
    END_AT,
  );
  const unlessEnd = (value: string) => `CASE WHEN NOT ${ENDS} THEN ${value} END`;
  const begun = values.map((value) => `${unlessEnd(value)} AS ${value}`);
  // One read of the table gives both events of a version.
  return `SELECT ${[keys, ...begun].join(", ")}, if(${ENDS}, ${END_AT}, ${START_AT}) AS ${SEQUENCE}, ${ENDS} AS ${DELETED}, false AS ${AFTER_DELETE},
        CAST(NULL AS INT) AS ${PART}, if(${ENDS}, 'end', 'version') AS ${KIND}, ${unlessEnd(shown)} AS ${WAS}${noList}
      FROM (SELECT *, ${next} AS ${own("next")} FROM (${versions})) LATERAL VIEW explode(array(false, true)) AS ${ENDS}
      WHERE NOT ${ENDS} OR (${END_AT} IS NOT NULL AND ${own("next")} IS DISTINCT FROM ${END_AT})
      UNION ALL SELECT ${row}, ${SEQUENCE}, ${DELETED}, ${AFTER_DELETE}, NULL, 'side', NULL${list} FROM (${side})
      UNION ALL SELECT ${[keys, ...news].join(", ")}, ${SEQUENCE}, ${DELETED}, false, ${PART}, 'batch', NULL${list} FROM (${batch})`;
}

/** SQL of what a version shows, as one value that can be compared. @param values as of `distinctValue` */
export function shownText({ values: fields }: HistoryShape, values: readonly string[], end: string): string {
  return `named_struct(${fields.map((_, i) => `'c${i}', ${values[i]}, `).join("")}'end', ${end})`;
}
