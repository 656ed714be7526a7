import type { Snapshot } from "@ingot/delta";
import {
  ARCHIVED,
  BEFORE_IMAGE,
  type ChangeRules,
  DELETED,
  LISTED,
  RESERVED_PREFIX,
  SEQUENCE,
  TRUNCATES,
} from "../../../model/changes.js";
import type { Field } from "../../../model/data-type.js";
import { quoteIdentifier } from "../../../model/name.js";
import { quoteString } from "../../../sql/quote.js";
import { rowDigest } from "../../../sql/row-digest.js";
import { type InvalidFate, invalidFates } from "../../cdc/invalid-events.js";
import { BATCH } from "../../cdc/state-table.js";
import { columnList, tableText } from "../spark-sql.js";
import { FATE, TIED } from "./count-fates.js";
import { keyList, kindFirst, nameIn, sameKey } from "./event-order.js";
import { PART } from "./events-text.js";
import type { Floor } from "./truncates.js";

/*
 * What becomes of the events of a batch, as one query over them: within the batch the newest event of each key counts, by
 * law 5; then it is compared with what is known of its key.
 */

/** Name of the relation of decided events in statements. */
export const DECIDED = "ingot_decided";

/** BOOLEAN: the key has a tombstone. */
export const BURIED = `${RESERVED_PREFIX}buried`;

/**
 * `upsert` and `delete` are applied; `tie`: an upsert with the sequence of the row that is there, whose digests are to be
 * compared; `truncate` has the greatest sequence of all truncates.
 */
export type Fate = (typeof OWN_FATES)[number] | InvalidFate;

const OWN_FATES = [
  "upsert",
  "delete",
  "truncate",
  "tie",
  "late",
  "duplicate",
  "superseded",
  "before image",
  "archived",
] as const;

/** The fates that there are. */
export function fatesOf(rules: ChangeRules): readonly Fate[] {
  return [...OWN_FATES, ...invalidFates(rules)];
}

/** What is known of keys. */
interface KnownRelations {
  /** Relations of the rows of the tables. */
  readonly target: string;
  readonly state: string;
  /** The batch: what a run that died brought of it is its own. */
  readonly tag: string;
}

/** Columns of decided events. */
export function decidedFields({ columns, sequenceType }: ChangeRules): readonly Field[] {
  const flag = (name: string): Field => ({ name, type: { kind: "boolean" }, nullable: true });
  return [
    ...columns,
    { name: SEQUENCE, type: sequenceType, nullable: true },
    flag(DELETED),
    { name: PART, type: { kind: "int" }, nullable: true },
    flag(TIED),
    flag(BURIED),
    { name: FATE, type: { kind: "string" }, nullable: true },
  ];
}

/**
 * SQL: common table expressions, of which `decided` has the events with what the batch itself decides: FATE `newest` is of
 * the event of its key that counts.
 *
 * @param events SQL of them
 */
export function withinBatch(rules: ChangeRules, events: string, floor: Floor | undefined): string {
  const keys = keyList(rules);
  const digest = `CASE WHEN ${DELETED} THEN '' ELSE ${rowDigest(rules.columns)} END`;
  const [place, number, digested] = ["place", "number", "digest"].map((name) => `${RESERVED_PREFIX}${name}`);
  const order = `PARTITION BY ${keys}, ${FATE} ORDER BY ${place}, ${digested} DESC, ${PART}`;
  return `WITH
    events AS (SELECT *, ${fateApart(rules, floor)} AS ${FATE} FROM (${events})),
    placed AS (SELECT *, rank() OVER (PARTITION BY ${keys}, ${FATE} ORDER BY ${SEQUENCE} DESC, ${kindFirst(rules)}) AS ${place},
      max(${SEQUENCE}) OVER (PARTITION BY ${keys}, ${FATE}) AS ${RESERVED_PREFIX}last FROM events),
    digested AS (SELECT *, CASE WHEN ${place} = 1 AND count(*) OVER (PARTITION BY ${keys}, ${FATE}, ${place}) > 1 THEN ${digest} END AS ${digested} FROM placed),
    numbered AS (SELECT *, row_number() OVER (${order}) AS ${number}, first_value(${digested}) OVER (${order}) AS ${RESERVED_PREFIX}first FROM digested),
    decided AS (SELECT ${columnList(rules.columns)}, ${SEQUENCE}, ${DELETED}, ${PART},
      ${FATE} IS NULL AND ${number} > 1 AND ${SEQUENCE} = ${RESERVED_PREFIX}last AND NOT (${digested} <=> ${RESERVED_PREFIX}first AND ${place} = 1) AS ${TIED},
      CASE WHEN ${FATE} IS NOT NULL THEN ${FATE} WHEN ${number} = 1 THEN 'newest'
        WHEN ${place} = 1 AND ${digested} = ${RESERVED_PREFIX}first THEN 'duplicate' ELSE 'superseded' END AS ${FATE} FROM numbered)`;
}

/**
 * SQL of decided events.
 *
 * @param known undefined where the table starts again, or sequences rise
 */
export function decidedText(
  rules: ChangeRules,
  events: string,
  known: KnownRelations | undefined,
  floor: Floor | undefined,
): string {
  const within = withinBatch(rules, events, floor);
  const applied = `CASE WHEN e.${DELETED} THEN 'delete' ELSE 'upsert' END`;
  const own = `${list(rules.columns, "e")}, e.${SEQUENCE}, e.${DELETED}, e.${PART}, e.${TIED}`;
  if (known === undefined)
    return `${within} SELECT ${own}, false AS ${BURIED}, CASE WHEN e.${FATE} = 'newest' THEN ${applied} ELSE e.${FATE} END AS ${FATE} FROM decided AS e`;
  const { sequence, deleted, mine, joins } = knownOf(rules, known, floor);
  const [deleteWins, upsertWins] = rules.ties === "delete" ? ["delete", "late"] : ["late", "upsert"];
  return `${within} SELECT ${own}, coalesce(s.${DELETED}, false) AS ${BURIED},
      CASE WHEN e.${FATE} <> 'newest' THEN e.${FATE}
        WHEN ${sequence} IS NULL OR e.${SEQUENCE} > ${sequence} THEN ${applied}
        WHEN e.${SEQUENCE} < ${sequence} THEN 'late'
        WHEN ${mine} THEN ${applied}
        WHEN e.${DELETED} AND ${deleted} THEN 'duplicate'
        WHEN e.${DELETED} THEN '${deleteWins}'
        WHEN ${deleted} THEN '${upsertWins}'
        ELSE 'tie' END AS ${FATE}
    FROM decided AS e ${joins}`;
}

/** SQL of the fate of an event that has no part in the contest of its key; NULL where it has: see `invalidFates`. */
export function fateApart(rules: ChangeRules, floor: Floor | undefined): string {
  const { keys, beforeImages, archived, truncates, ties } = rules;
  const keyless = keys.map((key) => `${quoteIdentifier(key)} IS NULL`).join(" OR ");
  const below = (operator: string) => (floor === undefined ? "false" : `${SEQUENCE} ${operator} ${floor.sequence}`);
  const gone = floor?.isNew === true ? "superseded" : "late";
  return `CASE WHEN ${SEQUENCE} IS NULL THEN 'no sequence' ${
    truncates ? `WHEN ${TRUNCATES} THEN CASE WHEN ${below("<")} THEN '${gone}' ELSE 'truncate' END` : ""
  } WHEN ${keyless} THEN 'no key' ${beforeImages ? `WHEN ${BEFORE_IMAGE} THEN 'before image'` : ""} ${
    archived ? `WHEN ${ARCHIVED} THEN 'archived'` : ""
  } ${invalidLists(rules)} ${floor === undefined ? "" : `WHEN ${below(ties === "delete" ? "<=" : "<")} THEN '${gone}'`} END`;
}

/** SQL of the cases of upserts that do not say which columns they write. */
function invalidLists({ listable }: ChangeRules): string {
  if (listable === undefined) return "";
  const names = listable.map((name) => quoteString(name.toLowerCase())).join(", ");
  return `WHEN NOT ${DELETED} AND ${LISTED} IS NULL THEN 'no list of columns to update'
    WHEN NOT ${DELETED} AND exists(${LISTED}, name -> coalesce(name NOT IN (${names}), true)) THEN 'a column to update that the source lacks'`;
}

/** The last event that is known of a key: of the state, or of the target's row where that tells its sequence. */
function knownOf(rules: ChangeRules, { target, state, tag }: KnownRelations, floor: Floor | undefined) {
  const keys = keyList(rules);
  const newest = `e.${FATE} = 'newest'`;
  const above = (sequence: string) => (floor === undefined ? "" : ` WHERE ${sequence} >= ${floor.sequence}`);
  const side = `LEFT JOIN (SELECT ${keys}, ${SEQUENCE}, ${DELETED}, ${BATCH} FROM ${state}${above(SEQUENCE)}) AS s ON ${newest} AND ${sameKey(rules, "e", "s")}`;
  const mine = `s.${BATCH} = ${quoteString(tag)}`;
  if (rules.sequenceColumn === undefined)
    return { sequence: `s.${SEQUENCE}`, deleted: `s.${DELETED}`, mine, joins: side };
  const column = quoteIdentifier(rules.sequenceColumn);
  const live = `LEFT JOIN (SELECT ${keys}, ${column} AS ${SEQUENCE} FROM ${target}${above(column)}) AS t ON ${newest} AND ${sameKey(rules, "e", "t")}`;
  const first = rules.ties === "delete" ? ">=" : ">";
  const isBuried = `(s.${SEQUENCE} IS NOT NULL AND (t.${SEQUENCE} IS NULL OR s.${SEQUENCE} ${first} t.${SEQUENCE}))`;
  return {
    sequence: `CASE WHEN ${isBuried} THEN s.${SEQUENCE} ELSE t.${SEQUENCE} END`,
    deleted: `CASE WHEN ${isBuried} THEN s.${DELETED} WHEN t.${SEQUENCE} IS NOT NULL THEN false END`,
    mine: `(${isBuried} AND ${mine})`,
    joins: `${side} ${live}`,
  };
}

/** SQL of decided events of which none is a tie any more. @param targetColumns select items that give the columns of the rules */
export function tiesText(rules: ChangeRules, target: Snapshot, targetColumns: readonly string[]): string {
  const digest = `${RESERVED_PREFIX}digest`;
  const rows = `SELECT ${keyList(rules)}, ${rowDigest(rules.columns)} AS ${digest} FROM (SELECT ${targetColumns.join(", ")} FROM ${tableText(target.table)})`;
  const own = decidedFields(rules).filter(({ name }) => name !== FATE);
  return `SELECT ${list(own, "e")},
      CASE WHEN e.${FATE} <> 'tie' THEN e.${FATE} WHEN t.${digest} IS NULL OR e.${digest} > t.${digest} THEN 'upsert'
        WHEN e.${digest} = t.${digest} THEN 'duplicate' ELSE 'late' END AS ${FATE}
    FROM (SELECT *, CASE WHEN ${FATE} = 'tie' THEN ${rowDigest(rules.columns)} END AS ${digest} FROM ${DECIDED}) AS e
    LEFT JOIN (${rows}) AS t ON e.${FATE} = 'tie' AND ${sameKey(rules, "e", "t")}`;
}

function list(fields: readonly Field[], alias: string): string {
  return fields.map(({ name }) => nameIn(alias, name)).join(", ");
}
