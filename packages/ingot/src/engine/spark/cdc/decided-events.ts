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
import { countFates, type FateCounts } from "./count-fates.js";
import { DECIDED, decidedFields, decidedText, type Fate, tiesText } from "./decide-events.js";
import { EVENTS, eventFields } from "./events-text.js";
import { foldedDecidedFields, foldedText } from "./fold-columns.js";
import { type StagedRows, stageRows } from "./staged-rows.js";
import { type Floor, findFloor } from "./truncates.js";

/** Events whose fates were found out, as DECIDED, and as EVENTS where more than one statement has to look at them. */
export interface DecidedEvents {
  readonly names: Readonly<Record<string, Relation>>;
  readonly floor: Floor | undefined;
  /** By part. */
  readonly counts: readonly FateCounts<Fate>[];
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
  const stage = async (name: string, rows: SparkText, columns: readonly Field[]) => {
    const staged = await stageRows(work, name, rows, columns);
    open.push(staged);
    return staged.names;
  };
  try {
    const isFolded = keptColumns(rules).length > 0;
    // What is read more than once is evaluated once.
    const again = isFolded || rules.truncates;
    const events = again ? await stage(EVENTS, work.events, eventFields(rules)) : {};
    const floor = rules.truncates ? await findFloor(work, { names: events }, tables?.state) : undefined;
    const known = rules.rises === true || tables === undefined ? undefined : { ...tables, tag: batchTag(work.step) };
    const source: SparkText = again ? { text: `SELECT * FROM ${EVENTS}`, names: events } : work.events;
    const isReplay = work.step.parts.every((part) => isDone(part, tables?.state));
    const text = isFolded ? foldedText(rules, tables?.state, isReplay) : decidedText(rules, source.text, known, floor);
    const fields = isFolded ? foldedDecidedFields(rules) : decidedFields(rules);
    let decided = await stage(DECIDED, { text, names: source.names }, fields);
    let counts = await countFates<Fate>(work, DECIDED, { names: decided });
    await checkEvents(work, DECIDED, decided, counts);
    if (known !== undefined && counts.some((part) => part.of("tie") > 0)) {
      // A column that the table has not had yet is NULL in its rows.
      const columns = projection(rules.columns, fromDeltaSchema(known.target.schema));
      decided = await stage(DECIDED, { text: tiesText(rules, known.target, columns), names: decided }, fields);
      counts = await countFates<Fate>(work, DECIDED, { names: decided });
    }
    return await use({ names: { ...events, ...decided }, floor, counts });
  } finally {
    for (const { remove } of open) await remove();
  }
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
