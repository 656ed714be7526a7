import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ChangeRules } from "../../../model/changes.js";
import { IngotError } from "../../../model/error.js";
import { filesRelation, type Relation, sqlRelation } from "../connect/relations.js";
import type { SparkSession } from "../connect/session.js";
import { columnList, ddlText } from "../spark-sql.js";
import type { SparkText } from "../text-context.js";
import { decidedFields, FATE, type Fate, LIVE, TIED } from "./decide-events.js";

/** Name of the relation of decided events in statements. */
export const DECIDED = "ingot_decided";

/** Decided events that were evaluated once, and are read as often as it takes. */
export interface StagedEvents {
  readonly names: Readonly<Record<string, Relation>>;
  readonly counts: ReadonlyMap<Fate, FateCount>;
  remove(): Promise<void>;
}

export interface FateCount {
  readonly events: number;
  readonly tied: number;
  /** Of keys that have a row. */
  readonly live: number;
}

/**
 * Evaluates decided events into a folder of their own, and counts them.
 *
 * @param scratch folder for what lasts as long as a step
 */
export async function stageEvents(
  session: SparkSession,
  rules: ChangeRules,
  { text, names }: SparkText,
  scratch: string,
  signal: AbortSignal,
): Promise<StagedEvents> {
  const path = join(scratch, `spark-events-${randomUUID()}`);
  const remove = () => rm(path, { recursive: true, force: true });
  try {
    await session.write(
      { input: sqlRelation(text, names), format: "parquet", into: { path }, mode: "overwrite" },
      signal,
    );
    const staged = {
      [DECIDED]: filesRelation({ format: "parquet", schema: ddlText(decidedFields(rules)), paths: [path] }),
    };
    return { names: staged, counts: await countFates(session, staged, signal), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function countFates(
  session: SparkSession,
  names: StagedEvents["names"],
  signal: AbortSignal,
): Promise<StagedEvents["counts"]> {
  const query = `SELECT ${FATE}, count(*), count_if(${TIED}), count_if(${LIVE}) FROM ${DECIDED} GROUP BY ${FATE}`;
  const { rows } = await session.collect(sqlRelation(query, names), signal);
  return new Map(
    rows.map(([fate, events, tied, live]) => [
      String(fate) as Fate,
      { events: Number(events), tied: Number(tied), live: Number(live) },
    ]),
  );
}

/**
 * Refuses a batch with an event that has no place: without a sequence, or without a key.
 *
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.NULL_SEQUENCE, AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY
 */
export async function refuseInvalid(
  session: SparkSession,
  rules: ChangeRules,
  { names, counts }: StagedEvents,
  object: string,
  signal: AbortSignal,
): Promise<void> {
  for (const [fate, code] of [
    ["no sequence", "NULL_SEQUENCE"],
    ["no key", "NULL_KEY"],
  ] as const) {
    const count = counts.get(fate)?.events ?? 0;
    if (count === 0) continue;
    const query = `SELECT ${columnList(rules.columns)} FROM ${DECIDED} WHERE ${FATE} = '${fate}' LIMIT 1`;
    const { columns, rows } = await session.collect(sqlRelation(query, names), signal);
    const example = Object.fromEntries(columns.map(({ name }, i) => [name, rows[0]?.[i] ?? null]));
    throw new IngotError(
      `AUTOCDC_MICROBATCH_VALIDATION.${code}`,
      `${object}: ${count} ${count === 1 ? "change has" : "changes have"} ${fate}, such as ${JSON.stringify(example)}`,
      {
        object,
        hint: "Nothing was written. Give the column a value in the source's query, or leave such rows out with WHERE.",
      },
    );
  }
}
