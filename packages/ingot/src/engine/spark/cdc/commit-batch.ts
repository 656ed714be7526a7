import type { Snapshot } from "@ingot/delta";
import { commitFiles } from "../../tables/commit-files.js";
import { planTarget } from "../../tables/plan-target.js";
import { ENGINE_INFO } from "../define-table.js";
import type { ApplyWork } from "./apply-work.js";

/** Notes in the target that it has the batch, which changes no row of it. */
export function commitBatch({ store, step }: ApplyWork, target: Snapshot): Promise<bigint> {
  const { parts, note } = step;
  const plan = planTarget(step.target, "append", target);
  return commitFiles(store, target, plan, { target: step.target, mode: "append", parts, note }, [], ENGINE_INFO);
}
