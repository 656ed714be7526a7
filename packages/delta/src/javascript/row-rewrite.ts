import type { LiveFile, RewriteTask, Rewritten, RowChange } from "../engine/row-change.js";
import type { AddFile } from "../log/actions.js";
import { deleteFiles } from "../operations/transact-files.js";
import { assertWritable } from "../protocol/protocol.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { prepareRows, type RowEvaluator } from "./prepare-rows.js";
import type { FileRow } from "./read-file.js";
import { planRead } from "./read-plan.js";
import { readLiveRows, rowMetadata, rowTrackingOf } from "./read-rows.js";
import type { InputRow, Row } from "./value.js";
import { type ChangeRow, type NewRow, storedPaths, writeChangeFiles, writeDataFiles } from "./write-files.js";

/** What is to become of a row. */
export type Fate = "keep" | "delete" | { readonly update: InputRow };

/** What a change makes of one snapshot. It is made anew for each. */
export interface Decision {
  /** Whether a file may hold rows that are not kept; default: every file. */
  readonly mayTouch?: (file: AddFile) => boolean;
  /** Every live row of the files that are searched, once. */
  decide(row: Row): Fate;
  /** Asked for once, when every row was decided. May refuse the change. */
  inserts(): readonly InputRow[];
}

interface Touched {
  readonly before: Row;
  /** Undefined: the row is deleted. */
  readonly after: Row | undefined;
  readonly rowId: bigint | null;
}

/** The found rows of one snapshot. */
interface Found {
  readonly byFile: ReadonlyMap<AddFile, readonly Touched[]>;
  readonly inserts: readonly Row[];
}

/**
 * A change of single rows in plain JavaScript. It reads all columns of all files that it searches, and holds the
 * touched rows in memory, before and after, and where files are copied the rows of these files.
 */
export function rowRewrite(
  store: Store,
  name: Pick<RowChange, "operation" | "operationParameters" | "rowSchema">,
  decide: (snapshot: Snapshot) => Decision,
  evaluator: RowEvaluator | undefined,
): RowChange {
  let decision: Decision | undefined;
  let found: Found = { byFile: new Map(), inserts: [] };
  return {
    ...name,
    async prepare(snapshot) {
      assertWritable(snapshot.protocol, snapshot);
      decision = decide(snapshot);
    },
    mayTouch: (file) => decision?.mayTouch?.(file) ?? true,
    async find(snapshot, files) {
      const { decide: decideRow, inserts } = decision ?? decide(snapshot);
      const plan = planRead(snapshot, undefined, rowTrackingOf(snapshot));
      const fates = new Map<LiveFile, readonly DecidedRow[]>();
      for (const live of files) {
        const decided: DecidedRow[] = [];
        for await (const row of readLiveRows(store, live, plan)) {
          const fate = decideRow(row.row);
          if (fate !== "keep") decided.push({ row, fate });
        }
        if (decided.length > 0) fates.set(live, decided);
      }
      found = prepare(snapshot, fates, inserts(), evaluator);
      return Array.from(fates, ([live, decided]) => {
        return { ...live, touched: Float64Array.from(decided, ({ row }) => row.position) };
      });
    },
    write: (task) => write(store, task, found),
  };
}

interface DecidedRow {
  readonly row: FileRow;
  readonly fate: Exclude<Fate, "keep">;
}

/** New rows and after-images are checked together, before anything is written. */
function prepare(
  snapshot: Snapshot,
  fates: ReadonlyMap<LiveFile, readonly DecidedRow[]>,
  inserts: readonly InputRow[],
  evaluator: RowEvaluator | undefined,
): Found {
  const updates = [...fates.values()].flat().flatMap(({ fate }) => (fate === "delete" ? [] : [fate.update]));
  const rows = prepareRows(snapshot, [...updates, ...inserts], evaluator);
  let next = 0;
  const byFile = new Map<AddFile, Touched[]>();
  for (const [{ file }, decided] of fates)
    byFile.set(
      file,
      decided.map(({ row, fate }) => {
        const after = fate === "delete" ? undefined : rows[next];
        if (fate !== "delete") next += 1;
        return { before: row.row, after, rowId: rowMetadata(file, row).row_id };
      }),
    );
  return { byFile, inserts: rows.slice(updates.length) };
}

async function write(store: Store, task: RewriteTask, { byFile, inserts }: Found): Promise<Rewritten> {
  const { layout } = task;
  const tracks = layout.rowTracking !== undefined;
  const touched = task.touched.flatMap(({ file }) => byFile.get(file) ?? []);
  const updates = touched.flatMap(({ before, after, rowId }) =>
    after === undefined ? [] : [{ before, row: after, ...(tracks ? { rowId } : {}) }],
  );
  const deletes = touched.filter(({ after }) => after === undefined);
  const copies = task.by === "copy" ? await copiedRows(store, task) : [];
  const rows = {
    inserted: inserts.length,
    updated: updates.length,
    deleted: deletes.length,
    copied: copies.length,
  };
  const add = await writeDataFiles(store, layout, [...copies, ...updates, ...inserts.map((row) => ({ row }))]);
  try {
    // Without updates and copies the added and removed rows are the change.
    const needsFiles = task.changeFeed && (updates.length > 0 || copies.length > 0);
    const changes: ChangeRow[] = needsFiles
      ? [
          ...updates.flatMap(({ before, row }) => [
            { row: before, changeType: "update_preimage" as const },
            { row, changeType: "update_postimage" as const },
          ]),
          ...deletes.map(({ before }) => ({ row: before, changeType: "delete" as const })),
          ...inserts.map((row) => ({ row, changeType: "insert" as const })),
        ]
      : [];
    return { add, changeFiles: await writeChangeFiles(store, layout, changes), rows };
  } catch (error) {
    await deleteFiles(store, storedPaths(layout.table, add));
    throw error;
  }
}

/** The rows that a file would lose with its touched ones. */
async function copiedRows(store: Store, { snapshot, touched, layout }: RewriteTask): Promise<NewRow[]> {
  const plan = planRead(snapshot, undefined, rowTrackingOf(snapshot));
  const copies: NewRow[] = [];
  for (const live of touched) {
    let next = 0;
    for await (const row of readLiveRows(store, live, plan))
      if (live.touched[next] === row.position) next += 1;
      else copies.push(layout.rowTracking === undefined ? { row: row.row } : movedRow(live.file, row));
  }
  return copies;
}

/** A row that is only moved to another file keeps its id and its version. */
export function movedRow(file: AddFile, row: FileRow): NewRow {
  const { row_id, row_commit_version } = rowMetadata(file, row);
  return { row: row.row, rowId: row_id, rowCommitVersion: row_commit_version };
}
