import type { Snapshot } from "@ingot/delta";
import type { TargetTable } from "../../engine.js";
import type { SparkText } from "../text-context.js";
import { writeRows } from "../write-rows.js";
import type { ApplyWork } from "./apply-work.js";

/**
 * Adds rows to a table in one commit with the batches of a step, where none of them takes the place of another: a MERGE,
 * which looks for such rows, would be a dozen jobs. A table that has the batches stays as it is.
 */
export function addRows(work: ApplyWork, snapshot: Snapshot, target: TargetTable, rows: SparkText): Promise<bigint> {
  const { parts, note } = work.step;
  return writeRows(work, snapshot, { rows, target, mode: "append", parts, note });
}
