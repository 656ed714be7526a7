import type { Snapshot } from "@ingot/delta";
import { SEQUENCE } from "../../../model/changes.js";
import { quoteIdentifier } from "../../../model/name.js";
import type { InvalidFate } from "../../cdc/invalid-events.js";
import { requireBalance } from "../../cdc/require-balance.js";
import { NO_EVENTS } from "../../engine.js";
import { projection } from "../spark-sql.js";
import type { SparkText } from "../text-context.js";
import { addRows } from "./add-rows.js";
import type { Applied, ApplyWork, BeforeCommit } from "./apply-work.js";
import { checkEvents } from "./check-events.js";
import { countFates, FATE, fateMetrics, TIED } from "./count-fates.js";
import { keyList, sameKey } from "./event-order.js";
import { EVENTS, eventFields } from "./events-text.js";
import { rangeMetrics } from "./key-range.js";
import { type KnownRows, knownRows } from "./known-rows.js";
import { mergeTable } from "./merge-table.js";
import { replaceTable } from "./replace-table.js";
import { replaceWhere } from "./replace-where.js";
import { type StagedRows, stageRows } from "./staged-rows.js";

/** What becomes of a row of a replace flow. */
type Fate = "insert" | "superseded" | "late" | InvalidFate;

const FATES: readonly Fate[] = ["insert", "superseded", "late", "no sequence", "no key"];

/** BOOLEAN: the target has rows of the key with a lower sequence, which go. */
const CLEARS = "__ingot_clears";
/** The greatest sequence of a key in the batch, and in the target. */
const [GREATEST, STORED] = ["__ingot_greatest", "__ingot_stored"];

/**
 * Puts the events in the place of rows of the target: of all that make the condition of the flow true, or of all that have
 * their key and a lower sequence. Of the events of a key those with the greatest sequence count, all of them; rows of the
 * target with the same sequence stay beside them, so any order and any batches give the same rows.
 *
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.…, BALANCE
 */
export async function applyReplacement(work: ApplyWork, beforeCommit: BeforeCommit): Promise<Applied> {
  const { step, events } = work;
  const { rules } = step;
  const target = step.mode === "reset" ? undefined : work.target;
  const flag = (name: string) => ({ name, type: { kind: "boolean" }, nullable: true }) as const;
  const fields = [
    ...eventFields(rules),
    flag(TIED),
    flag(CLEARS),
    { name: FATE, type: { kind: "string" }, nullable: true } as const,
  ];
  const condition = rules.replace?.condition?.spark;
  const known = knownRows(work);
  const text = condition === undefined ? fatesText(work, target, known) : allText(events.text);
  const metrics = [
    ...fateMetrics(step, FATES),
    `count(CASE WHEN ${CLEARS} THEN 1 END) AS clears`,
    ...rangeMetrics(rules, CLEARS),
  ];
  const staged = await stageRows(work, EVENTS, { text, names: known.names }, fields, metrics);
  const { names } = staged;
  try {
    const counts = await countFates(work, EVENTS, staged, FATES);
    await checkEvents(work, EVENTS, names, counts);
    const parts = counts.map(({ read, of }) => ({
      ...NO_EVENTS,
      read,
      superseded: of("superseded"),
      late: of("late"),
      inserted: of("insert"),
    }));
    requireBalance(step, parts);
    await beforeCommit(counts.map(({ read }) => read));
    const columns = projection(step.target.schema, rules.columns).join(", ");
    const rows = { text: `SELECT ${columns} FROM ${EVENTS} WHERE ${FATE} = 'insert'`, names };
    if (target === undefined) return { version: await replaceTable(work, work.target, step.target, rows), parts };
    if (condition === undefined && Number(staged.told["clears"]) === 0)
      return { version: await addRows(work, target, step.target, rows), parts };
    const { version, deleted } =
      condition === undefined
        ? await replaceKeys(work, target, rows, staged.told)
        : await replaceWhere(work, target, condition, rows);
    return { version, parts: parts.map((part) => ({ ...part, truncatedRows: deleted })) };
  } finally {
    await staged.remove();
  }
}

function allText(events: string): string {
  return `SELECT *, false AS ${TIED}, false AS ${CLEARS}, 'insert' AS ${FATE} FROM (${events})`;
}

/** Each row with what becomes of it, by the greatest sequences of its key. */
function fatesText({ step: { rules }, events }: ApplyWork, target: Snapshot | undefined, { of }: KnownRows): string {
  const keys = keyList(rules);
  const sequence = quoteIdentifier(rules.sequenceColumn ?? "");
  const greatest = `SELECT *, max(${SEQUENCE}) OVER (PARTITION BY ${keys}) AS ${GREATEST} FROM (${events.text})`;
  const known =
    target === undefined
      ? `SELECT *, CAST(NULL AS STRING) AS ${STORED} FROM batch`
      : `SELECT batch.*, stored.${STORED} FROM batch LEFT JOIN (
          SELECT ${keyList(rules, "t")}, max(t.${sequence}) AS ${STORED} FROM ${of(target)} AS t
          LEFT SEMI JOIN batch ON ${sameKey(rules, "t", "batch")} GROUP BY ${keyList(rules, "t")}) AS stored
        ON ${sameKey(rules, "batch", "stored")}`;
  const noKey = rules.keys.map((key) => `${quoteIdentifier(key)} IS NULL`).join(" OR ");
  const late = target === undefined ? "false" : `coalesce(${GREATEST} < ${STORED}, false)`;
  const fate = `CASE WHEN ${SEQUENCE} IS NULL THEN 'no sequence' WHEN ${noKey} THEN 'no key'
    WHEN ${SEQUENCE} < ${GREATEST} THEN 'superseded' WHEN ${late} THEN 'late' ELSE 'insert' END`;
  const clears = target === undefined ? "false" : `coalesce(${STORED} < ${GREATEST}, false)`;
  const columns = eventFields(rules).map(({ name }) => quoteIdentifier(name));
  return `WITH batch AS (${greatest}), known AS (${known})
    SELECT ${columns.join(", ")}, false AS ${TIED}, ${clears} AS ${CLEARS}, ${fate} AS ${FATE} FROM known`;
}

/** Keys with a lower sequence are cleared of their rows; those of the same stay beside the new ones. */
async function replaceKeys(
  work: ApplyWork,
  snapshot: Snapshot,
  { text, names }: SparkText,
  range: StagedRows["told"],
): Promise<{ version: bigint; deleted: number }> {
  const { rules, target } = work.step;
  const values = target.schema.map(({ name }) => quoteIdentifier(name));
  const keys = rules.columns.filter(({ name }) => rules.keys.includes(name));
  const cleared = `SELECT ${projection(target.schema, keys).join(", ")}, true AS ${CLEARS}
    FROM (SELECT DISTINCT ${keyList(rules)} FROM ${EVENTS} WHERE ${CLEARS})`;
  const { version, rows } = await mergeTable(work, snapshot, target, {
    source: { text: `SELECT *, false AS ${CLEARS} FROM (${text}) UNION ALL ${cleared}`, names },
    on: `s.${CLEARS} AND ${sameKey(rules, "t", "s")}`,
    range,
    clauses: [
      "WHEN MATCHED THEN DELETE",
      `WHEN NOT MATCHED AND NOT s.${CLEARS} THEN INSERT (${values.join(", ")}) VALUES (${values.map((name) => `s.${name}`).join(", ")})`,
    ],
  });
  return { version, deleted: rows.deleted };
}
