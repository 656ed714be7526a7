import { keptColumns } from "../../../model/changes.js";
import type { Field } from "../../../model/data-type.js";
import { batchTag } from "../../cdc/state-table.js";
import { type EventCounts, NO_EVENTS } from "../../engine.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";
import { isDone } from "../../tables/table-state.js";
import type { Relation } from "../connect/relations.js";
import { projection } from "../spark-sql.js";
import type { SparkText } from "../text-context.js";
import type { ApplyWork, Tables } from "./apply-work.js";
import { checkEvents } from "./check-events.js";
import { countFates, FATE, type FateCounts, fateMetrics } from "./count-fates.js";
import { BURIED, DECIDED, decidedFields, decidedText, type Fate, fatesOf, tiesText } from "./decide-events.js";
import { foldedDecidedFields, foldedText } from "./fold-columns.js";
import { rangeMetrics } from "./key-range.js";
import { knownRows } from "./known-rows.js";
import { type StagedRows, stageRows } from "./staged-rows.js";
import { type Floor, findFloor } from "./truncates.js";

/** Events whose fates were found out, as DECIDED; and as EVENTS where a truncate has to be looked up among them. */
export interface DecidedEvents {
  readonly names: Readonly<Record<string, Relation>>;
  readonly floor: Floor | undefined;
  /** By part. */
  readonly counts: readonly FateCounts<Fate>[];
  /** Of the keys of applied events: see `inRange`. */
  readonly range: StagedRows["told"];
  /** Applied events whose key has a tombstone: all of them, and upserts alone; undefined where nobody counted. */
  readonly buried: { readonly all: number; readonly upserts: number } | undefined;
}

/**
 * Finds out what becomes of the events of a step, and works with them as long as they are there.
 *
 * @param tables as they are; undefined where the target starts again
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.…
 */
export async function withDecided<T>(
  work: ApplyWork,
  tables: Tables | undefined,
  use: (decided: DecidedEvents) => Promise<T>,
): Promise<T> {
  const { rules } = work.step;
  const open: StagedRows[] = [];
  const fates = fatesOf(rules);
  const applied = `${FATE} IN ('upsert', 'delete')`;
  const metrics = [...fateMetrics(work.step, fates), ...buriedMetrics(), ...rangeMetrics(rules, applied)];
  const stage = async (rows: SparkText, columns: readonly Field[]) => {
    const staged = await stageRows(work, DECIDED, rows, columns, metrics);
    open.push(staged);
    return { ...staged, counts: await countFates(work, DECIDED, staged, fates) };
  };
  try {
    const { events } = work;
    const isFolded = keptColumns(rules).length > 0;
    const floor = rules.truncates ? await findFloor(work, tables?.state) : undefined;
    const rows = knownRows(work);
    const known =
      rules.rises === true || tables === undefined
        ? undefined
        : { target: rows.of(tables.target), state: rows.of(tables.state), tag: batchTag(work.step) };
    const isReplay = work.step.parts.every((part) => isDone(part, tables?.state));
    const text = isFolded
      ? foldedText(rules, tables?.state, isReplay, rows)
      : decidedText(rules, events.text, known, floor);
    const fields = isFolded ? foldedDecidedFields(rules) : decidedFields(rules);
    let decided = await stage({ text, names: rows.names }, fields);
    await checkEvents(work, DECIDED, decided.names, decided.counts);
    if (known !== undefined && tables !== undefined && decided.counts.some((part) => part.of("tie") > 0)) {
      // A column that the table has not had yet is NULL in its rows.
      const columns = projection(rules.columns, fromDeltaSchema(tables.target.schema));
      decided = await stage({ text: tiesText(rules, tables.target, columns), names: decided.names }, fields);
    }
    const { names, counts, told } = decided;
    return await use({
      names: floor === undefined ? names : { ...events.names, ...names },
      floor,
      counts,
      range: told,
      buried:
        told["buried"] === undefined ? undefined : { all: Number(told["buried"]), upserts: Number(told["raised"]) },
    });
  } finally {
    for (const { remove } of open) await remove();
  }
}

function buriedMetrics(): readonly string[] {
  const count = (fates: string) => `count(CASE WHEN ${BURIED} AND ${FATE} IN (${fates}) THEN 1 END)`;
  return [`${count("'upsert', 'delete'")} AS buried`, `${count("'upsert'")} AS raised`];
}

/** What became of events, but for what only a merge tells of those that were applied. By part. */
export function eventCounts({ counts, floor }: Pick<DecidedEvents, "counts" | "floor">): EventCounts[] {
  // Of truncates with the greatest sequence one is applied.
  let isApplied = floor?.isNew !== true;
  return counts.map(({ read, ties, of }): EventCounts => {
    const truncates = !isApplied && of("truncate") > 0 ? 1 : 0;
    isApplied ||= truncates === 1;
    return {
      ...NO_EVENTS,
      read,
      ties,
      truncates,
      superseded: of("superseded"),
      duplicate: of("duplicate") + of("truncate") - truncates,
      late: of("late"),
      beforeImages: of("before image"),
      archived: of("archived"),
    };
  });
}
