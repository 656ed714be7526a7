import type { Snapshot } from "@ingot/delta";
import {
  ARCHIVED,
  BEFORE_IMAGE,
  type ChangeRules,
  DELETED,
  RESERVED_PREFIX,
  SEQUENCE,
} from "../../../model/changes.js";
import type { Field } from "../../../model/data-type.js";
import { quoteIdentifier } from "../../../model/name.js";
import { quoteString } from "../../../sql/quote.js";
import { rowDigest } from "../../../sql/row-digest.js";
import { BATCH } from "../../cdc/state-table.js";
import { columnList, typeText, versionOf } from "../spark-sql.js";

/*
 * What becomes of the events of a batch, as one query over them: within the batch the newest event of each key counts, by
 * law 5 (sequence, then what `ties` says, then the digest of the row); then it is compared with what is known of its key.
 */

/** STRING: see `Fate`. */
export const FATE = `${RESERVED_PREFIX}fate`;
/** BOOLEAN: has the key and the sequence of the event that counts, and is another. */
export const TIED = `${RESERVED_PREFIX}tied`;
/** BOOLEAN: the key has a row. */
export const LIVE = `${RESERVED_PREFIX}live`;
/** BOOLEAN: the key has a tombstone. */
export const BURIED = `${RESERVED_PREFIX}buried`;

/**
 * `upsert` and `delete` are applied; `tie`: an upsert with the sequence of the row that is there, whose digests are to be
 * compared.
 */
export type Fate =
  | "upsert"
  | "delete"
  | "tie"
  | "late"
  | "duplicate"
  | "superseded"
  | "before image"
  | "archived"
  | "no sequence"
  | "no key";

/** Tables that tell what is known of keys; undefined where the table starts again, or sequences rise. */
export interface KnownTables {
  readonly target: Snapshot;
  readonly state: Snapshot;
  /** The batch: what a run that died brought of it is its own. */
  readonly tag: string;
}

/** Columns of decided events. */
export function decidedFields({ columns, sequenceType }: ChangeRules): readonly Field[] {
  const flags = [DELETED, TIED, LIVE, BURIED].map(
    (name): Field => ({ name, type: { kind: "boolean" }, nullable: true }),
  );
  return [
    ...columns,
    { name: SEQUENCE, type: sequenceType, nullable: true },
    ...flags,
    { name: FATE, type: { kind: "string" }, nullable: true },
  ];
}

/** @param events SQL of the events as the flow's query gives them */
export function decidedText(rules: ChangeRules, events: string, known: KnownTables | undefined): string {
  const keys = keyList(rules);
  const kind = `${DELETED} ${rules.ties === "delete" ? "DESC" : "ASC"}`;
  const digest = `CASE WHEN ${DELETED} THEN '' ELSE ${rowDigest(rules.columns)} END`;
  const fields = [...rules.columns.map(({ name, type }) => cast(name, typeText(type)))];
  const [place, number, digested] = ["place", "number", "digest"].map((name) => `${RESERVED_PREFIX}${name}`);
  const order = `PARTITION BY ${keys}, ${FATE} ORDER BY ${place}, ${digested} DESC`;
  const within = `WITH
    events AS (SELECT ${fields.join(", ")}, ${cast(SEQUENCE, typeText(rules.sequenceType))}, ${DELETED}, ${faultOf(rules)} AS ${FATE} FROM (${events})),
    placed AS (SELECT *, rank() OVER (PARTITION BY ${keys}, ${FATE} ORDER BY ${SEQUENCE} DESC, ${kind}) AS ${place},
      max(${SEQUENCE}) OVER (PARTITION BY ${keys}, ${FATE}) AS ${RESERVED_PREFIX}last FROM events),
    digested AS (SELECT *, CASE WHEN ${place} = 1 AND count(*) OVER (PARTITION BY ${keys}, ${FATE}, ${place}) > 1 THEN ${digest} END AS ${digested} FROM placed),
    numbered AS (SELECT *, row_number() OVER (${order}) AS ${number}, first_value(${digested}) OVER (${order}) AS ${RESERVED_PREFIX}first FROM digested),
    decided AS (SELECT ${columnList(rules.columns)}, ${SEQUENCE}, ${DELETED},
      ${FATE} IS NULL AND ${number} > 1 AND ${SEQUENCE} = ${RESERVED_PREFIX}last AND NOT (${digested} <=> ${RESERVED_PREFIX}first AND ${place} = 1) AS ${TIED},
      CASE WHEN ${FATE} IS NOT NULL THEN ${FATE} WHEN ${number} = 1 THEN 'newest'
        WHEN ${place} = 1 AND ${digested} = ${RESERVED_PREFIX}first THEN 'duplicate' ELSE 'superseded' END AS ${FATE} FROM numbered)`;
  const applied = `CASE WHEN e.${DELETED} THEN 'delete' ELSE 'upsert' END`;
  const own = `${list(rules.columns, "e")}, e.${SEQUENCE}, e.${DELETED}, e.${TIED}`;
  if (known === undefined)
    return `${within} SELECT ${own}, false AS ${LIVE}, false AS ${BURIED},
      CASE WHEN e.${FATE} = 'newest' THEN ${applied} ELSE e.${FATE} END AS ${FATE} FROM decided AS e`;
  const { sequence, deleted, mine, joins } = knownOf(rules, known);
  const [deleteWins, upsertWins] = rules.ties === "delete" ? ["delete", "late"] : ["late", "upsert"];
  return `${within} SELECT ${own}, coalesce(NOT ${deleted}, false) AS ${LIVE}, coalesce(s.${DELETED}, false) AS ${BURIED},
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

/** Why an event has no part in the contest of its key; NULL where it has. Sequences first, as Spark. */
function faultOf({ keys, beforeImages, archived }: ChangeRules): string {
  const keyless = keys.map((key) => `${quoteIdentifier(key)} IS NULL`).join(" OR ");
  const flags = [
    ...(beforeImages ? [`WHEN ${BEFORE_IMAGE} THEN 'before image'`] : []),
    ...(archived ? [`WHEN ${ARCHIVED} THEN 'archived'`] : []),
  ];
  return `CASE WHEN ${SEQUENCE} IS NULL THEN 'no sequence' WHEN ${keyless} THEN 'no key' ${flags.join(" ")} END`;
}

/** The last event that is known of a key: of the state, or of the target's row where that tells its sequence. */
function knownOf(rules: ChangeRules, { target, state, tag }: KnownTables) {
  const keys = keyList(rules);
  const newest = `e.${FATE} = 'newest'`;
  const side = `LEFT JOIN (SELECT ${keys}, ${SEQUENCE}, ${DELETED}, ${BATCH} FROM ${versionOf(state)}) AS s ON ${newest} AND ${sameKey(rules, "e", "s")}`;
  const mine = `s.${BATCH} = ${quoteString(tag)}`;
  if (rules.sequenceColumn === undefined)
    return { sequence: `s.${SEQUENCE}`, deleted: `s.${DELETED}`, mine, joins: side };
  const column = quoteIdentifier(rules.sequenceColumn);
  const live = `LEFT JOIN (SELECT ${keys}, ${column} AS ${SEQUENCE} FROM ${versionOf(target)}) AS t ON ${newest} AND ${sameKey(rules, "e", "t")}`;
  const first = rules.ties === "delete" ? ">=" : ">";
  const isBuried = `(s.${SEQUENCE} IS NOT NULL AND (t.${SEQUENCE} IS NULL OR s.${SEQUENCE} ${first} t.${SEQUENCE}))`;
  return {
    sequence: `CASE WHEN ${isBuried} THEN s.${SEQUENCE} ELSE t.${SEQUENCE} END`,
    deleted: `CASE WHEN ${isBuried} THEN s.${DELETED} WHEN t.${SEQUENCE} IS NOT NULL THEN false END`,
    mine: `(${isBuried} AND ${mine})`,
    joins: `${side} ${live}`,
  };
}

/** Decided events of which none is a tie any more. @param decided SQL of them */
export function tiesText(
  rules: ChangeRules,
  decided: string,
  target: Snapshot,
  targetColumns: readonly string[],
): string {
  const digest = `${RESERVED_PREFIX}digest`;
  const rows = `SELECT ${keyList(rules)}, ${rowDigest(rules.columns)} AS ${digest} FROM (SELECT ${targetColumns.join(", ")} FROM ${versionOf(target)})`;
  const own = [...rules.columns.map(({ name }) => quoteIdentifier(name)), SEQUENCE, DELETED, TIED, LIVE, BURIED];
  const ours = rowDigest(rules.columns);
  return `SELECT ${own.map((name) => `e.${name}`).join(", ")},
      CASE WHEN e.${FATE} <> 'tie' THEN e.${FATE} WHEN t.${digest} IS NULL OR e.${digest} > t.${digest} THEN 'upsert'
        WHEN e.${digest} = t.${digest} THEN 'duplicate' ELSE 'late' END AS ${FATE}
    FROM (SELECT *, CASE WHEN ${FATE} = 'tie' THEN ${ours} END AS ${digest} FROM (${decided})) AS e
    LEFT JOIN (${rows}) AS t ON e.${FATE} = 'tie' AND ${sameKey(rules, "e", "t")}`;
}

export function keyList({ keys }: Pick<ChangeRules, "keys">): string {
  return keys.map(quoteIdentifier).join(", ");
}

/** SQL: two relations have the same key. */
export function sameKey({ keys }: Pick<ChangeRules, "keys">, left: string, right: string): string {
  return keys.map((key) => `${left}.${quoteIdentifier(key)} = ${right}.${quoteIdentifier(key)}`).join(" AND ");
}

function list(fields: readonly Field[], alias: string): string {
  return fields.map(({ name }) => `${alias}.${quoteIdentifier(name)}`).join(", ");
}

function cast(name: string, type: string): string {
  return `CAST(${quoteIdentifier(name)} AS ${type}) AS ${quoteIdentifier(name)}`;
}
