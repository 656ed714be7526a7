import type { AddFile, Snapshot } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import { commitFiles, type FileCommit, removeFiles } from "../tables/commit-files.js";
import { planTarget } from "../tables/plan-target.js";
import { isDone } from "../tables/table-state.js";
import { sqlRelation } from "./connect/relations.js";
import { ENGINE_INFO } from "./define-table.js";
import type { SparkWork } from "./spark-work.js";
import { stageFiles } from "./stage-files.js";
import type { SparkText } from "./text-context.js";

/** Rows for a table, with its columns, and how they get there. */
export interface RowsToWrite extends FileCommit {
  readonly rows: SparkText;
  /** How many they must be, where that is known. */
  readonly expectedRows?: number;
}

/**
 * Writes rows in one commit with the batches that they come from; makes the table, or makes it what it is declared to be,
 * by the same commit. One that has all the batches stays as it is.
 *
 * @param snapshot the table as it is; undefined where it is not there
 * @returns the version of the table
 * @throws IngotError Spark's, BALANCE; DeltaError
 */
export async function writeRows(
  work: SparkWork,
  snapshot: Snapshot | undefined,
  { rows, expectedRows, ...write }: RowsToWrite,
): Promise<bigint> {
  const parts = write.parts.filter((part) => !isDone(part, snapshot));
  if (parts.length === 0 && snapshot !== undefined) return snapshot.version;
  const plan = planTarget(write.target, isEmptied(write, snapshot) ? "overwrite" : "append", snapshot);
  const staged = await stageFiles(work, plan, sqlRelation(rows.text, rows.names));
  if (expectedRows !== undefined && staged.rows !== expectedRows) {
    await removeFiles(write, staged.files);
    throw new IngotError(
      "BALANCE",
      `${write.target.name}: ${expectedRows} rows are to be written, and ${staged.rows} were`,
      {
        object: write.target.name,
        hint: "Nothing was committed. This is a fault of Ingot: please report it with the rules.",
      },
    );
  }
  return commitFiles(work.store, snapshot, plan, { ...write, parts }, staged.files, ENGINE_INFO);
}

/** No row of before stays, so that columns may become what they could not beside it. */
function isEmptied({ mode, remove = [] }: FileCommit, snapshot: Snapshot | undefined): boolean {
  return mode === "overwrite" || (remove as readonly AddFile[]).length === snapshot?.files.length;
}
