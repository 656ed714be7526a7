import type { Snapshot } from "@ingot/delta";
import type { TargetTable } from "../../engine.js";
import type { SparkText } from "../text-context.js";
import { writeRows } from "../write-rows.js";
import type { ApplyWork } from "./apply-work.js";

/** Makes rows all that a table holds, in one commit with the batches of a step. One that has them stays as it is. */
export function replaceTable(
  work: ApplyWork,
  snapshot: Snapshot | undefined,
  target: TargetTable,
  rows: SparkText,
): Promise<bigint> {
  const { parts, note } = work.step;
  return writeRows(work, snapshot, { rows, target, mode: "overwrite", parts, note });
}
