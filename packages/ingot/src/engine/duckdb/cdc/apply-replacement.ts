import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot, Store } from "@ingot/delta";
import { SEQUENCE } from "../../../model/changes.js";
import { fieldNamed } from "../../../model/data-type.js";
import { duckdbType, quoteName } from "../../../sql/lower/lower-text.js";
import { requireBalance } from "../../cdc/require-balance.js";
import { type ApplyStep, type EventCounts, NO_EVENTS } from "../../engine.js";
import { planTarget } from "../../tables/plan-target.js";
import { changeStep } from "../commit-step.js";
import { mergeRows } from "../delta/merge-rows.js";
import { replaceWhere } from "../delta/replace-where.js";
import type { Applied, ApplyWork, BeforeCommit } from "./apply-work.js";
import { checkEvents } from "./check-events.js";
import { keyList, placeOf, sameKey } from "./event-order.js";
import { rowsByKey } from "./read-by-key.js";
import { replaceTable } from "./replace-table.js";
import { EVENTS } from "./stage-events.js";

/** Temporary table of the rows that the target gets, with its columns. */
const REPLACEMENT = "ingot_replacement";
/** Temporary table of the keys of the batch, with the greatest place of each in the batch and in the target. */
const GREATEST = "ingot_greatest";

/**
 * Puts the events that were staged in the place of rows of the target: of all that make the condition of the flow true, or
 * of all that have their key and a lower sequence. Of the events of a key those with the greatest sequence count, all of
 * them; rows of the target with the same sequence stay beside them, so any order and any batches give the same rows.
 *
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.…, BALANCE
 */
export async function applyReplacement(work: ApplyWork, beforeCommit: BeforeCommit): Promise<Applied> {
  const { connection, store, step } = work;
  const { rules } = step;
  const target = step.mode === "reset" ? undefined : work.target;
  const condition = rules.replace?.condition?.duckdb;
  const counts =
    condition === undefined ? await takeGreatest(connection, store, step, target) : await takeAll(connection, step);
  requireBalance(step, [counts]);
  await beforeCommit();
  if (target === undefined) {
    const all = { query: `FROM ${REPLACEMENT}`, columns: step.target.schema };
    const { version } = await replaceTable(connection, store, work.target, step.target, step, all);
    return { version, parts: [counts] };
  }
  const change =
    condition === undefined
      ? replaceKeys(connection, step)
      : replaceWhere(connection, { where: condition, source: { table: REPLACEMENT } });
  const plan = planTarget(step.target, "append", target);
  const { version, rows } = await changeStep(store, target, plan, step, step.parts, change);
  return { version, parts: [{ ...counts, truncatedRows: rows.deleted }] };
}

async function takeAll(connection: DuckDBConnection, step: ApplyStep): Promise<EventCounts> {
  const rows = await fillReplacement(connection, step, EVENTS);
  return { ...NO_EVENTS, read: rows, inserted: rows };
}

async function takeGreatest(
  connection: DuckDBConnection,
  store: Store,
  step: ApplyStep,
  target: Snapshot | undefined,
): Promise<EventCounts> {
  const { rules } = step;
  await checkEvents(connection, rules, step.target.name);
  await findGreatest(connection, store, step, target);
  const place = placeOf(`e.${SEQUENCE}`, rules);
  const events = `FROM ${EVENTS} e JOIN ${GREATEST} g ON ${sameKey(rules, "e", "g")}`;
  const counted = await connection.runAndReadAll(`SELECT count(*), count(*) FILTER (${place} < __ingot_greatest),
      count(*) FILTER (${place} = __ingot_greatest AND __ingot_greatest < __ingot_stored) ${events}`);
  const [read = 0, superseded = 0, late = 0] = (counted.getRows()[0] ?? []).map(Number);
  const counts = `${place} = __ingot_greatest AND coalesce(__ingot_greatest >= __ingot_stored, true)`;
  const inserted = await fillReplacement(connection, step, `(SELECT e.* ${events} WHERE ${counts})`);
  return { ...NO_EVENTS, read, superseded, late, inserted };
}

async function findGreatest(
  connection: DuckDBConnection,
  store: Store,
  { rules }: ApplyStep,
  target: Snapshot | undefined,
): Promise<void> {
  const keys = keyList(rules);
  const batch = `SELECT ${keys}, max(${placeOf(SEQUENCE, rules)}) AS __ingot_greatest FROM ${EVENTS} GROUP BY ${keys}`;
  const place = placeOf(quoteName(rules.sequenceColumn ?? ""), rules);
  const query =
    target === undefined
      ? `SELECT *, NULL AS __ingot_stored FROM (${batch})`
      : `SELECT b.*, s.__ingot_stored FROM (${batch}) b LEFT JOIN (
          SELECT ${keys}, max(${place}) AS __ingot_stored
          FROM (${await rowsByKey(connection, store, target, rules.keys, EVENTS)}) GROUP BY ${keys}) s ON ${sameKey(rules, "b", "s")}`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${GREATEST} AS ${query}`);
}

/** @returns rows */
async function fillReplacement(
  connection: DuckDBConnection,
  { target: { schema }, rules: { columns } }: ApplyStep,
  rows: string,
): Promise<number> {
  // A column that the query has lost is NULL in its rows.
  const list = schema.map(({ name, type }) => {
    const value = fieldNamed(columns, name) === undefined ? "NULL" : quoteName(name);
    return `${value}::${duckdbType(type)} AS ${quoteName(name)}`;
  });
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${REPLACEMENT} AS SELECT ${list.join(", ")} FROM ${rows}`);
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${REPLACEMENT}`);
  return Number(counted.getRows()[0]?.[0]);
}

/** Keys with a lower sequence are cleared of their rows; those of the same stay beside the new ones. */
function replaceKeys(connection: DuckDBConnection, { rules, target: { schema } }: ApplyStep) {
  const values = Object.fromEntries(schema.map(({ name }) => [name, `s.${quoteName(name)}`]));
  const cleared = `SELECT ${keyList(rules)}, true AS __ingot_clears FROM ${GREATEST} WHERE __ingot_stored < __ingot_greatest`;
  return mergeRows(connection, {
    source: { query: `SELECT *, false AS __ingot_clears FROM ${REPLACEMENT} UNION ALL BY NAME ${cleared}` },
    keys: rules.keys,
    on: "s.__ingot_clears",
    matched: [{ kind: "delete" }],
    notMatched: [{ values, condition: "NOT s.__ingot_clears" }],
  });
}
