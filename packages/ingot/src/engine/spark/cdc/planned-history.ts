import type { HistoryShape } from "../../cdc/history-shape.js";
import { type EventCounts, NO_EVENTS } from "../../engine.js";
import { type Relation, sqlRelation } from "../connect/relations.js";
import { columnList, projection } from "../spark-sql.js";
import type { SparkText } from "../text-context.js";
import type { ApplyWork } from "./apply-work.js";
import { checkEvents } from "./check-events.js";
import { countFates, FATE, type FateCounts, fateMetrics } from "./count-fates.js";
import { type Fate, fateApart, fatesOf } from "./decide-events.js";
import { PART } from "./events-text.js";
import { ASIDE, type HistoryRelations, historyEvents } from "./history-events.js";
import {
  CLOSES,
  GOES,
  HIDDEN,
  HISTORY_FATES,
  type HistoryFate,
  placedEvents,
  placedFields,
  SHOWN,
} from "./history-versions.js";
import { rangeMetrics } from "./key-range.js";
import { type StagedRows, stageRows } from "./staged-rows.js";

/** Name of the relation of events with their places in statements: what they change, and what became of them. */
export const PLACED = "ingot_placed";

/** What becomes of the versions of some keys when a batch of events comes. */
export interface PlannedHistory {
  readonly names: Readonly<Record<string, Relation>>;
  /** By part. */
  readonly counts: readonly FateCounts<HistoryFate | Fate>[];
  /** Of the keys of the events: see `inRange`. */
  readonly range: StagedRows["told"];
  /** Events that the state table gets, or gets anew. */
  readonly hidden: number;
  /** Those of them that it has, maybe as another event of their key and sequence. */
  readonly known: number;
  /** Rows of the target that come, change or go. */
  readonly changes: number;
  /** Keys that have an open version now, and none after the batch. */
  readonly closed: number;
}

/**
 * Works out what becomes of versions, and works with that as long as it is there. The result depends on the set of all
 * events alone (law 5).
 *
 * @param relations without `batch`, which are those events that have a part in the contest of their key
 * @param events SQL of the events, with the relations that all these name
 * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.…
 */
export async function withHistory<T>(
  work: ApplyWork,
  shape: HistoryShape,
  relations: Omit<HistoryRelations, "batch">,
  { text, names }: SparkText,
  use: (planned: PlannedHistory) => Promise<T>,
): Promise<T> {
  const { rules } = work.step;
  const fields = placedFields(shape);
  const judged = `SELECT *, ${fateApart(rules, undefined)} AS ${FATE} FROM (${text})`;
  const batch = `SELECT * FROM (${judged}) WHERE ${FATE} IS NULL`;
  const placed = placedEvents(shape, historyEvents(shape, { ...relations, batch }));
  const matters = [`${FATE} IS NOT NULL`, HIDDEN, SHOWN, GOES, CLOSES].join(" OR ");
  const told = [...rules.columns, ...fields.filter(({ name }) => [PART, FATE].includes(name))];
  const apart = `SELECT ${projection(fields, told).join(", ")} FROM (${judged}) WHERE ${FATE} IS NOT NULL`;
  const fates = [...new Set([...HISTORY_FATES, ...fatesOf(rules)])];
  const staged = await stageRows(
    work,
    PLACED,
    { text: `SELECT ${columnList(fields)} FROM (${placed}) WHERE ${matters} UNION ALL ${apart}`, names },
    fields,
    [...fateMetrics(work.step, fates), ...CHANGES, ...rangeMetrics(rules)],
  );
  try {
    const counts = await countFates<HistoryFate | Fate>(work, PLACED, staged, fates);
    await checkEvents(work, PLACED, staged.names, counts);
    return await use({ names: staged.names, counts, range: staged.told, ...(await countChanges(work, staged)) });
  } finally {
    await staged.remove();
  }
}

const count = (condition: string) => `count(CASE WHEN ${condition} THEN 1 END)`;
const CHANGES = [
  `${count(HIDDEN)} AS hidden`,
  `${count(`${HIDDEN} AND ${ASIDE}`)} AS known`,
  `${count(SHOWN)} + ${count(GOES)} AS changes`,
  `${count(CLOSES)} AS closed`,
];

async function countChanges(
  { session, signal }: ApplyWork,
  { names, told }: StagedRows,
): Promise<Pick<PlannedHistory, "hidden" | "known" | "changes" | "closed">> {
  const { hidden, known, changes, closed } = told;
  if (hidden !== undefined)
    return { hidden: Number(hidden), known: Number(known), changes: Number(changes), closed: Number(closed) };
  const query = `SELECT ${CHANGES.join(", ")} FROM ${PLACED}`;
  const { rows } = await session.collect(sqlRelation(query, names), signal);
  const [all = 0, stored = 0, shown = 0, ended = 0] = (rows[0] ?? []).map(Number);
  return { hidden: all, known: stored, changes: shown, closed: ended };
}

/** What became of events of type 2, by part. */
export function historyCounts({ counts }: PlannedHistory): EventCounts[] {
  return counts.map(
    ({ read, ties, of }): EventCounts => ({
      ...NO_EVENTS,
      read,
      ties,
      inserted: of("inserted"),
      updated: of("updated"),
      deleted: of("deleted"),
      unchanged: of("unchanged"),
      superseded: of("superseded"),
      duplicate: of("duplicate"),
      late: of("late"),
      beforeImages: of("before image"),
      archived: of("archived"),
    }),
  );
}
