import type { Snapshot } from "@ingot/delta";
import { type ChangeRules, DELETED, keptColumns, LISTED, RESERVED_PREFIX, SEQUENCE } from "../../../model/changes.js";
import { type Field, fieldNamed } from "../../../model/data-type.js";
import { quoteIdentifier } from "../../../model/name.js";
import { hasMap } from "../../../sql/bind/type-rules.js";
import { quoteString } from "../../../sql/quote.js";
import { rowDigest } from "../../../sql/row-digest.js";
import { isOfKey } from "../../cdc/event-flags.js";
import { DELETED_AT, foldedFields, valueAt } from "../../cdc/folded-fields.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";
import { projection, typeText } from "../spark-sql.js";
import { FATE, TIED } from "./count-fates.js";
import { BURIED, decidedFields, withinBatch } from "./decide-events.js";
import { distinctValue, keyList, nameIn, sameKey } from "./event-order.js";
import { EVENTS, PART } from "./events-text.js";
import type { KnownRows } from "./known-rows.js";

/*
 * Where an event may keep the value of before, a row is made of several events: each such column is of the newest event
 * that writes it (`writes`), the others are of the newest of all, and none is older than the last delete. So the state holds, for each
 * key, its whole row with the sequence of each such column. An event is a state, too, and two states of a key make one by
 * the same rule, in any order and however often: that is all there is to apply a batch.
 */

/** Columns of events that were decided by `foldedText`: their values are those of the folded row. */
export function foldedDecidedFields(rules: ChangeRules): readonly Field[] {
  return [...decidedFields(rules), ...sequenceFields(rules)];
}

/** What the state has of a folded row beside its values. */
function sequenceFields(rules: ChangeRules): readonly Field[] {
  return foldedFields(rules).filter(({ name }) => fieldNamed(rules.columns, name) === undefined);
}

/**
 * SQL of decided events (over EVENTS) of which one of each key, the newest, stands for all that the batch does to the
 * folded row.
 *
 * @param state holds the rows as they are; undefined: there are none
 * @param isReplay the state has the batch already, so that nothing tells which rows it changes
 */
export function foldedText(
  rules: ChangeRules,
  state: Snapshot | undefined,
  isReplay: boolean,
  known: KnownRows,
): string {
  const newest = `e.${FATE} = 'newest'`;
  const values = rules.columns.map(({ name }) => {
    const isKey = rules.keys.includes(name);
    return isKey
      ? nameIn("e", name)
      : `if(${newest}, ${nameIn("f", name)}, ${nameIn("e", name)}) AS ${quoteIdentifier(name)}`;
  });
  const own = [SEQUENCE, DELETED].map((name) => `if(${newest}, f.${name}, e.${name}) AS ${name}`);
  const isSame = isReplay ? "false" : `f.${SAME}`;
  const older = [SEQUENCE, DELETED_AT].map((name) => `coalesce(e.${SEQUENCE} < f.${name}, false)`).join(" OR ");
  const fate = `CASE WHEN NOT ${newest} THEN e.${FATE} WHEN NOT ${isSame} AND f.${DELETED} THEN 'delete'
      WHEN NOT ${isSame} THEN 'upsert' WHEN ${older} THEN 'late' ELSE 'duplicate' END`;
  return `${withinBatch(rules, `SELECT * FROM ${EVENTS}`, undefined)},
    folded AS (${foldedRows(rules, state, known)})
    SELECT ${[...values, ...own].join(", ")}, e.${PART}, e.${TIED}, false AS ${BURIED}, ${fate} AS ${FATE},
      ${sequenceFields(rules)
        .map(({ name }) => nameIn("f", name))
        .join(", ")}
    FROM decided AS e LEFT JOIN folded AS f ON ${newest} AND ${sameKey(rules, "e", "f")}`;
}

/** BOOLEAN: the folded row is as it was. */
const SAME = `${RESERVED_PREFIX}same`;

/** SQL of the states of the batch's keys after it: the keys, SEQUENCE, DELETED, `foldedFields` and SAME. */
function foldedRows(rules: ChangeRules, state: Snapshot | undefined, known: KnownRows): string {
  const keys = keyList(rules);
  const kept = keptColumns(rules);
  const rest = rules.columns.filter(({ name }) => !rules.keys.includes(name) && !kept.includes(name));
  const compared = foldedFields(rules).map((field) => distinctValue(field));
  const isAlive = (at: string) =>
    `(__ingot_dead IS NULL OR ${at} ${rules.ties === "delete" ? ">" : ">="} __ingot_dead)`;
  // A digest is made where only it can tell: of two events with one sequence.
  const tie = `CASE WHEN count(*) OVER (PARTITION BY ${keys}, ${SEQUENCE}) > 1 THEN ${rowDigest(rest)} END`;
  const whole = ["'seq'", SEQUENCE, ...rest.flatMap(({ name }, i) => [`'v${i}'`, quoteIdentifier(name)])];
  const row = `max_by(named_struct(${whole.join(", ")}), struct(${SEQUENCE}, __ingot_tie)) FILTER (WHERE ${SEQUENCE} IS NOT NULL AND ${isAlive(SEQUENCE)})`;
  const cells = kept.map((name, i) => {
    const field = fieldNamed(rules.columns, name) ?? { name, type: { kind: "void" }, nullable: true };
    const [value, at] = [quoteIdentifier(name), quoteIdentifier(valueAt(name))];
    return `max_by(named_struct('value', ${value}, 'seq', ${at}), struct(${at}, ${valueOrder(field)})) FILTER (WHERE ${at} IS NOT NULL AND ${isAlive(at)}) AS __ingot_cell${i}`;
  });
  const before = [["seq", SEQUENCE], ["deleted", DELETED], ...compared.map((value, i) => [`v${i}`, value])];
  const was = `max_by(named_struct(${before.map(([label, name]) => `'${label}', ${name}`).join(", ")}), __ingot_is_stored) FILTER (WHERE __ingot_is_stored)`;
  const folded = `SELECT ${keys}, ${row} AS __ingot_whole, ${cells.join(", ")}, max(${DELETED_AT}) AS ${DELETED_AT}, ${was} AS __ingot_was
    FROM (SELECT *, max(${DELETED_AT}) OVER (PARTITION BY ${keys}) AS __ingot_dead, ${tie} AS __ingot_tie FROM (${eventStates(rules)}${storedStates(rules, state, known)}))
    GROUP BY ${keys}`;
  const values = [
    ...rest.map(({ name }, i) => `__ingot_whole.v${i} AS ${quoteIdentifier(name)}`),
    ...kept.flatMap((name, i) => [
      `__ingot_cell${i}.value AS ${quoteIdentifier(name)}`,
      `__ingot_cell${i}.seq AS ${quoteIdentifier(valueAt(name))}`,
    ]),
  ];
  const same = [`${SEQUENCE} <=> __ingot_was.seq`, ...compared.map((value, i) => `${value} <=> __ingot_was.v${i}`)];
  return `SELECT *, __ingot_was IS NOT NULL AND ${same.join(" AND ")} AS ${SAME}
    FROM (SELECT ${keys}, __ingot_whole.seq AS ${SEQUENCE}, __ingot_whole IS NULL AS ${DELETED}, ${DELETED_AT}, ${values.join(", ")}, __ingot_was FROM (${folded}))`;
}

/** Columns of a state: the keys, `foldedFields`, SEQUENCE and DELETED. */
function stateFields(rules: ChangeRules): readonly Field[] {
  return [
    ...rules.columns.filter(({ name }) => rules.keys.includes(name)),
    ...foldedFields(rules),
    { name: SEQUENCE, type: rules.sequenceType, nullable: true },
    { name: DELETED, type: { kind: "boolean" }, nullable: true },
  ];
}

/** SQL: an upsert writes a column that not every event writes. An event of before there were lists has none. */
export function writes({ listable }: Pick<ChangeRules, "listable">, name: string): string {
  if (listable === undefined) return `${quoteIdentifier(name)} IS NOT NULL`;
  return `(${LISTED} IS NULL OR array_contains(${LISTED}, ${quoteString(name.toLowerCase())}))`;
}

/** SQL of what orders the values that events of one sequence write: the greater counts, NULL is the least. */
export function valueOrder(field: Field): string {
  const value = quoteIdentifier(field.name);
  return `struct(${value} IS NOT NULL, ${hasMap(field.type) ? rowDigest([field]) : value})`;
}

/** SQL of the events as states. */
function eventStates(rules: ChangeRules): string {
  const none = `CAST(NULL AS ${typeText(rules.sequenceType)})`;
  const states = new Map([
    [SEQUENCE, `CASE WHEN ${DELETED} THEN ${none} ELSE ${SEQUENCE} END`],
    [DELETED_AT, `CASE WHEN ${DELETED} THEN ${SEQUENCE} END`],
    ...keptColumns(rules).map((name) => {
      return [valueAt(name), `CASE WHEN NOT ${DELETED} AND ${writes(rules, name)} THEN ${SEQUENCE} END`] as const;
    }),
  ]);
  const items = stateFields(rules).map(
    ({ name }) => `${states.get(name) ?? quoteIdentifier(name)} AS ${quoteIdentifier(name)}`,
  );
  return `SELECT ${items.join(", ")}, false AS __ingot_is_stored FROM ${EVENTS} WHERE ${isOfKey(rules)}`;
}

function storedStates(rules: ChangeRules, state: Snapshot | undefined, known: KnownRows): string {
  if (state === undefined) return "";
  const items = projection(stateFields(rules), fromDeltaSchema(state.schema));
  return ` UNION ALL SELECT ${items.join(", ")}, true AS __ingot_is_stored FROM ${known.of(state)} AS t
      LEFT SEMI JOIN ${EVENTS} AS w ON ${sameKey(rules, "t", "w")}`;
}
